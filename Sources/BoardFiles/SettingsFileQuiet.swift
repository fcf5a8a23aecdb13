import Files
import Jukebox

extension SettingsFile {
  private static let quietFade = TOMLShape<Duration>.duration(in: .milliseconds(1) ... .seconds(600), orZero: true)

  /// `[quiet]`: when nothing is louder than its ceiling. nil where there is none: never.
  static func quiet(_ root: TOMLTable) throws(FileError) -> QuietSettings? {
    guard let table = try root.table("quiet") else { return nil }
    let keys = ["at", "ceiling", "fade"]
    let daily = try table.optional("at", .clockRangeOrRanges)
    let calendar = try weekCalendar(table, beside: keys, otherwise: daily ?? [])
    if table.has("at") && table.has("daily") {
      table.warn(table.error("at", "stands beside daily, which counts"))
    }
    if table.entries.allSatisfy({ keys.contains($0.key) && $0.key != "at" }) {
      try table.keep(table.missing("at", expected: TOMLShape.clockRangeOrRanges.expected))
    }
    let ceiling = try table.required("ceiling", .integer(in: 0...100), or: 0)
    var quiet = QuietSettings(calendar, ceiling: ceiling)
    quiet.fade = try table.optional("fade", quietFade) ?? quiet.fade
    return quiet
  }
}

extension TOMLShape where Value == [WeekCalendar.Range] {
  /// As `clockRanges`, or one alone.
  static var clockRangeOrRanges: Self {
    Self(expected: "times such as \"20:00-08:00\", or an array of them, one after the other") { value in
      guard case .string = value.kind else { return clockRanges.read(value) }
      return TOMLShape<WeekCalendar.Range>.clockRange.read(value).map { [$0] }
    }
  }
}
