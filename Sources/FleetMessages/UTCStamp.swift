import Glibc

/// A moment of the calendar, as `2026-11-23T05:36:00.250Z`.
enum UTCStamp {
  /// - Parameter milliseconds: since 1970, not negative.
  static func text(milliseconds: Int) -> String {
    var (seconds, moment) = (milliseconds / 1_000, tm())
    gmtime_r(&seconds, &moment)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &moment)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      + ".\(String(1_000 + milliseconds % 1_000).dropFirst())Z"
  }
}
