import BoardFiles
import Files
import Jukebox

/// The cues of a saved state that are done for a date, each as a comment that holds a line of TOML, and the times before the
/// last one as another:
///
///     # done."closing time" = { date = "2026-11-26", at = "17:45" }
///     # earlier."closing time" = { at = ["12:00", "15:00"] }
///
/// Earlier versions of the program refuse keys that they do not know. To them these lines are comments, so that a board on
/// which an earlier version was put back keeps its place and its volumes.
enum DoneCueText {
  private static let (key, earlier) = ("done", "earlier")
  static let beginnings = ["# \(key).", "# \(earlier)."]

  static func line(_ done: DoneCue) -> String {
    guard let last = done.times.last else { return "" }
    let name = StateText.quoted(done.cue)
    let line = "# \(key).\(name) = { date = \"\(done.date.text)\", at = \"\(last.text)\" }\n"
    let others = done.times.dropLast().map { "\"\($0.text)\"" }.joined(separator: ", ")
    return others.isEmpty ? line : "\(line)# \(earlier).\(name) = { at = [\(others)] }\n"
  }

  static func decode(_ comments: TOMLTable) throws(FileError) -> [DoneCue] {
    var before: [String: [TimeOfDay]] = [:]
    for (name, table) in try comments.table(earlier)?.tables() ?? [] {
      try table.allowOnly(["at"])
      before[name] = try table.required("at", .timesOfDay)
    }
    var done: [DoneCue] = []
    for (name, table) in try comments.table(key)?.tables() ?? [] {
      try table.allowOnly(["date", "at"])
      let last = try table.required("at", .timeOfDay)
      done.append(
        DoneCue(
          cue: name, date: try table.required("date", .calendarDay), times: ((before[name] ?? []) + [last]).sorted()))
    }
    return done
  }
}
