import Glibc

/// A moment of the calendar, as people where the board stands read it.
public struct WallTime: Hashable, Sendable {
  /// Since 1970-01-01 00:00:00 UTC.
  public var seconds: Int
  public var year: Int
  /// 1...12.
  public var month: Int
  /// 1...31.
  public var day: Int
  /// 0...23.
  public var hour: Int
  public var minute: Int
  /// 0...60.
  public var second: Int
}

extension WallTime {
  /// `seconds` on the calendar of a place `offset` seconds ahead of UTC.
  public init(seconds: Int, offset: Int = 0) {
    var local = time_t(seconds + offset)
    var parts = tm()
    gmtime_r(&local, &parts)
    self.init(seconds: seconds, parts)
  }

  init(seconds: Int, _ parts: tm) {
    self.init(
      seconds: seconds, year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  /// The time this many seconds before, by the calendar of the same place; a change to summer time in between is left
  /// out.
  public func earlier(by seconds: Int) -> WallTime {
    var parts = tm()
    parts.tm_year = CInt(year - 1_900)
    (parts.tm_mon, parts.tm_mday) = (CInt(month - 1), CInt(day))
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (CInt(hour), CInt(minute), CInt(second))
    return WallTime(seconds: self.seconds - seconds, offset: timegm(&parts) - self.seconds)
  }

  /// `2026-11-21 14-03-22`: sorts by time, and every file system takes it.
  public var fileStamp: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day)) \(two(hour))-\(two(minute))-\(two(second))"
  }
}

/// How far the calendar time may be believed.
public enum ClockTrust: Int, Comparable, Sendable {
  /// Nobody has set it since power on: it may be in another year.
  case unknown
  /// Set by a clock chip or by hand.
  case set
  /// Kept right by a time server, or vouched for by the settings.
  case synchronised

  public static func < (a: ClockTrust, b: ClockTrust) -> Bool { a.rawValue < b.rawValue }
}

/// The calendar time, which may jump. Any thread.
public protocol WallClock: AnyObject, Sendable {
  var now: WallTime { get }
  var trust: ClockTrust { get }
  /// The kernel reports that somebody has set the clock.
  func noteSet()
}

extension WallClock {
  /// For a clock that is always right.
  public var trust: ClockTrust { .synchronised }

  public func noteSet() {}
}
