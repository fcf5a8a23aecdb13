/// Durations as they are written and typed: `30ms`, `1.5s`, `10min`, `24h`, `30d`.
package enum DurationText {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("ms", 1_000_000),
    ("s", 1_000_000_000),
  ]

  /// The duration that `text` names, rounded down to whole nanoseconds; saturates at about 292 years. Nil where it is
  /// not a duration.
  package static func parse(_ text: String) -> Duration? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
    let parts = text.dropLast(unit.name.count).split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2, parts.allSatisfy(\.isDigits) else { return nil }
    guard let count = Int64(whole) else { return .nanoseconds(Int64.max) }
    var (total, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
    if overflow { return .nanoseconds(Int64.max) }
    var scale = unit.nanoseconds
    for digit in parts.dropFirst().joined().utf8 where scale > 0 {
      scale /= 10
      (total, overflow) = total.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")) * scale)
      if overflow { return .nanoseconds(Int64.max) }
    }
    return .nanoseconds(total)
  }

  /// The duration that `M:SS` or `H:MM:SS` names, as `Duration.clock` writes it; up to a year.
  package static func parse(clock text: String) -> Duration? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy(\.isDigits), parts[0].utf8.count <= 6,
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 && $0 < "60" })
    else { return nil }
    return .seconds(parts.reduce(0) { $0 * 60 + (Int($1) ?? 0) })
  }

  /// `duration` as a whole number of the largest possible unit, a single day as `24h`; `0` for zero.
  package static func format(_ duration: Duration) -> String {
    let nanoseconds = duration.wholeNanoseconds
    if nanoseconds == 0 { return "0" }
    let bySize = units.sorted { $0.nanoseconds > $1.nanoseconds }
    guard
      let unit = bySize.first(where: {
        nanoseconds % $0.nanoseconds == 0 && ($0.name != "d" || nanoseconds > $0.nanoseconds)
      })
    else { return "\(nanoseconds)ns" }
    return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
  }
}
