import BoardFiles
import Jukebox

/// Whether coins that can be counted buy something, and those that are to buy something can be counted.
enum CoinChecks {
  static func findings(_ kiosk: ChosenSettings) -> [Finding] {
    let lines = kiosk.chosenBoard.board.lines
    let acceptors = lines.filter(\.role.isCoin)
    let outputs = lines.filter { $0.role == .coinInhibit }
    let settings = kiosk.settings.settings.requests?.credits
    let entries = kiosk.settings.settings.timetable
    return acceptors.map { acceptor($0, settings, entries) } + outputs.map(inhibit)
      + lines.filter { $0.role == .freePlay }.map { freePlay($0, settings) }
      + (settings.map { credits($0, kiosk, hasAcceptor: !acceptors.isEmpty, hasInhibit: !outputs.isEmpty) } ?? [])
  }

  private static func acceptor(
    _ line: LineDescription, _ settings: CreditSettings?, _ timetable: [TimetableEntry]
  ) -> Finding {
    let subject = "coins \(line.name)"
    guard let settings else {
      return .warning(
        subject, "no setting says what a coin is worth: what falls in buys nothing",
        "`choice = \"queue\"` and `[credits]` in the settings; without coins, take the line out of the board file")
    }
    if settings.isFree, !timetable.contains(where: { $0.action == .freePlay(false) }) {
      return .warning(subject, "requests are free: what falls in buys nothing", "`free_play` in the settings")
    }
    let worth = settings.coins.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    return .good(subject, "credits by pulses: \(worth.joined(separator: ", "))")
  }

  private static func freePlay(_ line: LineDescription, _ settings: CreditSettings?) -> Finding {
    let subject = "free-play \(line.name)"
    return settings == nil
      ? .warning(
        subject, "no setting has requests take anything: this contact does nothing", "`[credits]` in the settings")
      : .good(subject, "requests take no credit while it is closed")
  }

  /// The level of a line that nobody drives depends on the wiring.
  private static func inhibit(_ line: LineDescription) -> Finding {
    let level = line.activeLow ? "low" : "high"
    return .good(
      "coin-inhibit \(line.name)",
      "\(level): no coins. While no firmware runs nobody drives it: a \(line.activeLow ? "pull-down" : "pull-up") has to"
        + " hold it \(level) then")
  }

  private static func credits(
    _ settings: CreditSettings, _ kiosk: ChosenSettings, hasAcceptor: Bool, hasInhibit: Bool
  ) -> [Finding] {
    let place = kiosk.settings.creditsLine.map { "\(kiosk.file):\($0): credits" } ?? "credits"
    if settings.isFree { return [] }
    if !hasAcceptor {
      return [
        .warning(
          place, "the board has no coin line: only staff gives credits, by `credits +N`",
          "a line of role \"coin\" in the board file")
      ]
    }
    if hasInhibit { return playlists(kiosk) }
    return [
      .missing(place, "no line of role coin-inhibit: the acceptor takes coins also while nothing can be had for them")
    ] + playlists(kiosk)
  }

  /// Whoever chooses a folder hears all of it for nothing.
  private static func playlists(_ kiosk: ChosenSettings) -> [Finding] {
    let tokens = kiosk.settings.tokenLines.sorted { $0.value < $1.value }.compactMap { token, _ -> String? in
      if case .playlist = kiosk.settings.settings.tokens[token] { "token \(token)" } else { nil }
    }
    let buttons = kiosk.chosenBoard.board.lines.compactMap { line -> String? in
      if case .button(.choose(.playlist)) = line.role { "button \(line.name)" } else { nil }
    }
    return (tokens + buttons).map {
      .warning(
        $0, "plays a folder, which costs no credit", "none of them where guests reach it, or tracks instead")
    }
  }
}
