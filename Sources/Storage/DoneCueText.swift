import BoardFiles
import Files
import Jukebox

/// The cues of a saved state that are done for a date, each as a comment that holds a line of TOML:
///
///     # done."closing time" = { date = "2026-11-26", at = "17:45" }
///
/// Earlier versions of the program refuse keys that they do not know. To them these lines are comments, so that a board on
/// which an earlier version was put back keeps its place and its volumes.
enum DoneCueText {
  private static let key = "done"
  private static let prefix = "# \(key)."

  static func line(_ done: DoneCue) -> String {
    let moment = "{ date = \"\(done.date.text)\", at = \"\(done.time.text)\" }"
    return "\(prefix)\(StateText.quoted(done.cue)) = \(moment)\n"
  }

  static func decode(_ bytes: [UInt8], file: String) throws(FileError) -> [DoneCue] {
    let newline = UInt8(ascii: "\n")
    var text: [UInt8] = []
    for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
      // All other lines are left empty, so that errors name the right one.
      if line.starts(with: prefix.utf8) { text += line.dropFirst(2) }
      text.append(newline)
    }
    var done: [DoneCue] = []
    for (name, table) in try TOMLTable(parsing: text, file: file).table(key)?.tables() ?? [] {
      try table.allowOnly(["date", "at"])
      done.append(
        DoneCue(cue: name, time: try table.required("at", .timeOfDay), date: try table.required("date", .calendarDay)))
    }
    return done
  }
}
