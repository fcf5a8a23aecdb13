import BoardFiles
import Files
import Jukebox

/// What a saved state holds of the timetable, as a comment that holds a line of TOML, which earlier versions of the program
/// skip (as `DoneCueText`):
///
///     # timetable = { playlist = "weekend", playlist-since = 1795802400, volume = 40, volume-since = 1795802400 }
enum TimetableText {
  private static let key = "timetable"
  private static let prefix = "# \(key) ="
  private static let (started, stopped) = ("started", "stopped")
  private static let seconds: TOMLShape<Int> = .integer(in: -(1 << 40)...1 << 40)

  static func line(_ timetable: TimetableMemory) -> String {
    var fields = [timetable.playlist.map { "playlist = \(StateText.quoted($0))" }]
    let numbers = [
      ("playlist-since", timetable.playlistSince), ("volume", timetable.volume),
      ("volume-since", timetable.volumeSince), (started, timetable.started), (stopped, timetable.stopped),
    ]
    fields += numbers.map { key, number in number.map { "\(key) = \($0)" } }
    return "\(prefix) { \(fields.compactMap { $0 }.joined(separator: ", ")) }\n"
  }

  static func decode(_ bytes: [UInt8], file: String) throws(FileError) -> TimetableMemory? {
    let text = StateText.comments(bytes, prefix: prefix)
    guard let table = try TOMLTable(parsing: text, file: file).table(key) else { return nil }
    try table.allowOnly(["playlist", "playlist-since", "volume", "volume-since", started, stopped])
    return TimetableMemory(
      playlist: try table.optional("playlist", .anyText), playlistSince: try table.optional("playlist-since", seconds),
      volume: try table.optional("volume", .integer(in: 0...100)),
      volumeSince: try table.optional("volume-since", seconds), started: try table.optional(started, seconds),
      stopped: try table.optional(stopped, seconds))
  }
}

extension StateText {
  /// The lines of TOML that stand in comments with this beginning. All other lines are left empty, so that errors name the
  /// right one.
  static func comments(_ bytes: [UInt8], prefix: String) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    var text: [UInt8] = []
    for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
      if line.starts(with: prefix.utf8) { text += line.dropFirst(2) }
      text.append(newline)
    }
    return text
  }
}
