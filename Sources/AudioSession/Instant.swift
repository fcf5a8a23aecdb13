/// A moment on the board's monotonic clock, counted from power on.
///
/// Time stamps of edges and PCMs, timers and the event log all use this one scale. It never jumps with the wall clock.
/// Values stay exact for 292 years.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static let powerOn = Instant(nanoseconds: 0)

  public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds &+ duration.wholeNanoseconds)
  }

  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds &- duration.wholeNanoseconds)
  }

  public static func - (later: Instant, earlier: Instant) -> Duration {
    .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
  }

  /// Whole frames that a clock of `rate` Hz has counted from power on until this instant.
  public func frame(rate: Int) -> Int {
    let second = nanoseconds / 1_000_000_000
    let rest = nanoseconds % 1_000_000_000
    return Int(second) * rate + Int(rest) * rate / 1_000_000_000
  }

  /// The first instant at which a clock of `rate` Hz has counted `frame` frames.
  public static func of(frame: Int, rate: Int) -> Instant {
    let second = frame / rate
    let rest = frame % rate
    return Instant(nanoseconds: Int64(second) * 1_000_000_000 + Int64((rest * 1_000_000_000 + rate - 1) / rate))
  }
}

extension Duration {
  /// Nanoseconds, rounded towards zero; saturates at about 292 years.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
  }

  /// Whole frames of `rate` Hz that fit into this duration.
  public func frames(rate: Int) -> Int { Instant(nanoseconds: wholeNanoseconds).frame(rate: rate) }

  /// The shortest duration that covers `frames` frames of `rate` Hz.
  public static func covering(frames: Int, rate: Int) -> Duration {
    .nanoseconds(Instant.of(frame: frames, rate: rate).nanoseconds)
  }
}
