import Glibc

/// Watches what a piece of work takes of the processor and of time.
struct Deadline {
  /// What it has taken too much of.
  enum Excess: Hashable {
    case work(Duration)
    case storage(Duration)

    /// Whether the same would happen again.
    var isWork: Bool { if case .work = self { true } else { false } }

    var reason: String {
      switch self {
      case .work(let limit): "decoding took more than \(Self.text(limit)) of processor time"
      case .storage(let limit): "storage did not answer for \(Self.text(limit))"
      }
    }

    private static func text(_ limit: Duration) -> String {
      let (seconds, fraction) = limit.components
      let milliseconds = fraction / 1_000_000_000_000_000
      if seconds == 0 && milliseconds > 0 { return "\(milliseconds) ms" }
      return milliseconds < 100 ? "\(seconds) s" : "\(seconds).\(milliseconds / 100) s"
    }
  }

  private let allowance: DecoderLimits.Allowance
  private let begin: Duration
  /// What the process had used of the processor before.
  private let used: Duration

  /// - Parameters:
  ///   - processor: what the process has used so far; nil when it has ended.
  ///   - now: when the work begins.
  init(_ allowance: DecoderLimits.Allowance, _ processor: Duration?, at now: Duration) {
    self.allowance = allowance
    begin = now
    used = processor ?? .zero
  }

  /// The time for which nothing can be exceeded: one thread uses no more of the processor than time passes. So what it
  /// has used need not be asked for before that much has passed.
  func left(_ processor: () -> Duration?, at now: Duration) -> Duration {
    let passed = now - begin
    let certain = allowance.processor - passed
    let work = certain > .zero ? certain : allowance.processor - ((processor() ?? used) - used)
    return min(allowance.storage - passed, work)
  }

  /// What is exceeded; nil if nothing is.
  func excess(_ processor: Duration?, at now: Duration) -> Excess? {
    if let processor, processor - used >= allowance.processor { return .work(allowance.processor) }
    return now - begin >= allowance.storage ? .storage(allowance.storage) : nil
  }

  /// The time by CLOCK_MONOTONIC.
  static func clock() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
