import AudioSession
import Files
import Jukebox

/// Lines that close the kiosk (H1.10).
extension BoardFile {
  private static let key = "back_after"

  static func silence(_ table: TOMLTable) throws(FileError) -> Line.Role {
    .silence(backAfter: try table.optional(key, .duration(in: .seconds(1) ... .seconds(86_400), orZero: true)) ?? .zero)
  }

  static func refuseSilenceKeys(_ table: TOMLTable, _ role: Line.Role) throws(FileError) {
    if case .silence = role { return }
    if table.has(key) { try table.keep(table.error(key, "expected only with role = \"silence\"")) }
  }
}
