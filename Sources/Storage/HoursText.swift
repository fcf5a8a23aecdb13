import BoardFiles
import Files
import Jukebox

/// What a saved state holds of the opening hours, as a comment that holds a line of TOML, which earlier versions of the
/// program skip (as `DoneCueText`):
///
///     # hours = { until = 1795802400, order = "closed" }
enum HoursText {
  private static let key = "hours"
  static let prefix = "# \(key) ="
  private static let mostSeconds = 1 << 40

  static func line(_ hours: HoursMemory) -> String {
    let fields = [hours.until.map { "until = \($0)" }, hours.order.map { "order = \"\($0.rawValue)\"" }]
    return "\(prefix) { \(fields.compactMap { $0 }.joined(separator: ", ")) }\n"
  }

  static func decode(_ comments: TOMLTable) throws(FileError) -> HoursMemory? {
    guard let table = try comments.table(key) else { return nil }
    try table.allowOnly(["until", "order"])
    return HoursMemory(
      until: try table.optional("until", .integer(in: 0...mostSeconds)), order: try table.optional("order", .word))
  }
}
