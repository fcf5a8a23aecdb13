import BoardFiles
import Files
import Jukebox

/// What a saved state holds of the timetable, as a comment that holds a line of TOML, which earlier versions of the program
/// skip (as `DoneCueText`):
///
///     # timetable = { playlist = "weekend", playlist-since = 1795802400, volume = 40, volume-since = 1795802400,
///       free-play = true, free-play-since = 1795802400, started = 1795802400, stopped = 1795802400 }
///
/// in one line.
enum TimetableText {
  private static let key = "timetable"
  static let prefix = "# \(key) ="
  private static let (started, stopped) = ("started", "stopped")
  private static let (freePlay, freePlaySince) = ("free-play", "free-play-since")
  private static let seconds: TOMLShape<Int> = .integer(in: -(1 << 40)...1 << 40)

  static func line(_ timetable: TimetableMemory) -> String {
    var fields = [timetable.playlist.map { "playlist = \(StateText.quoted($0))" }]
    let numbers = [
      ("playlist-since", timetable.playlistSince), ("volume", timetable.volume),
      ("volume-since", timetable.volumeSince), (freePlaySince, timetable.freeSince), (started, timetable.started),
      (stopped, timetable.stopped),
    ]
    fields += numbers.map { key, number in number.map { "\(key) = \($0)" } }
    fields.append(timetable.isFree.map { "\(freePlay) = \($0)" })
    return "\(prefix) { \(fields.compactMap { $0 }.joined(separator: ", ")) }\n"
  }

  static func decode(_ comments: TOMLTable) throws(FileError) -> TimetableMemory? {
    guard let table = try comments.table(key) else { return nil }
    try table.allowOnly(
      ["playlist", "playlist-since", "volume", "volume-since", freePlay, freePlaySince, started, stopped])
    return TimetableMemory(
      playlist: try table.optional("playlist", .anyText), playlistSince: try table.optional("playlist-since", seconds),
      volume: try table.optional("volume", .integer(in: 0...100)),
      volumeSince: try table.optional("volume-since", seconds), isFree: try table.optional(freePlay, .boolean),
      freeSince: try table.optional(freePlaySince, seconds), started: try table.optional(started, seconds),
      stopped: try table.optional(stopped, seconds))
  }
}
