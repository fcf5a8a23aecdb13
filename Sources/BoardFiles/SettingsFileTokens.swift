import AudioSession
import Files
import Jukebox

extension SettingsFile {
  /// The most characters of a token.
  private static let longest = 64

  /// `[tokens]`: what a reader types, and what it chooses; the opening hours must have been read.
  static func readTokens(_ root: TOMLTable, into kiosk: inout KioskSettings) throws(FileError) {
    guard let tokens = try root.table("tokens") else { return }
    for (text, table) in try tokens.tables() {
      guard let token = TypedKey.typed(text), (1...longest).contains(token.utf8.count) else {
        try tokens.keep(
          tokens.error(text, "cannot be typed, expected 1...\(longest) letters, digits and \(TypedKey.punctuation)"))
        continue
      }
      guard let found = try table.attempt({ () throws(FileError) in try choice(table) }), let choice = found else {
        continue
      }
      if case .hours = choice, kiosk.settings.hours == nil {
        try table.keep(table.error("hours", "stands without hours to open or close, expected `[hours]` in this file"))
      }
      if let line = kiosk.tokenLines[token] {
        try tokens.keep(tokens.error(text, "is on line \(line) already, expected each token once"))
        continue
      }
      kiosk.settings.tokens[token] = choice
      kiosk.tokenLines[token] = table.line
    }
  }

  /// Nil where what it names is wrong by itself.
  private static func choice(_ table: TOMLTable) throws(FileError) -> Choice? {
    let keys = ["track", "playlist", "popular", "cue", "hours"]
    try table.allowOnly(keys)
    let track = try table.optional("track", .trackName).map { Choice.track($0) }
    let playlist = try table.optional("playlist", .text).map { Choice.playlist($0) }
    let popular = try table.optional("popular", .integer(in: Ranking.places)).map { Choice.popular($0) }
    let cue = try table.optional("cue", .text).map { Choice.cue($0) }
    let hours = try table.optional("hours", .word).map { Choice.hours($0) }
    let choices = [track, playlist, popular, cue, hours].compactMap { $0 }
    let named = keys.filter(table.has).count
    guard named == 1 else {
      throw table.error(
        "names \(named == 0 ? "nothing" : "several things"), expected one of track, playlist, popular, cue and hours")
    }
    return choices.first
  }
}
