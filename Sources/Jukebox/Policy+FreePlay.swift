/// Why requests take nothing although coins are taken here otherwise (J4.3).
enum FreePlay: String, Hashable, Sendable {
  /// The contact of role `free-play` is closed: it counts more than the others.
  case contact
  /// The timetable says so, which counts more than the settings, as long as somebody knows the time.
  case timetable
  case settings
}

extension Jukebox {
  /// Requests take nothing.
  var isFree: Bool { !accounts.areCounted || freePlay != nil }

  private var freePlay: FreePlay? {
    guard let credits = configuration.settings.requests?.credits else { return nil }
    if lines.isFreePlayClosed { return .contact }
    if let isFree = timetable.isFree { return isFree ? .timetable : nil }
    return credits.isFree ? .settings : nil
  }

  /// After every input. What the settings say is so from power on, and nothing that happens.
  mutating func settleFreePlay(_ turn: inout Turn) {
    let source = freePlay
    guard source != loggedFreePlay else { return }
    if source == nil || loggedFreePlay == nil {
      let isByContact = source == .contact || loggedFreePlay == .contact
      turn.log(
        source == nil ? .freePlayEnded : .freePlayBegan, .info,
        ["by": (isByContact ? FreePlay.contact : .timetable).rawValue])
    }
    loggedFreePlay = source
  }
}
