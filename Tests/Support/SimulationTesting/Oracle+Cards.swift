import Jukebox

/// Cards that lie on a reader (L rows).
extension Oracle {
  func applyLifted(_ event: Event) {
    guard let (mismatch, isOfMusic) = cards?.checkLifted(event, at: now) else {
      return demand(false, "L2", "a card is lifted from no reader")
    }
    demand(mismatch)
    guard isOfMusic, intentModel.intent != .stopped else { return }
    let (status, heardAt, isPaused) = (lastScene?.status, cards?.heardAt, intentModel.intent == .paused)
    let token = event["token"] ?? ""
    let lifted = CardModel.Lifted(
      token: token, since: now, file: isPaused || !isCurrent(cards?.choice(of: token), status) ? nil : status?.file,
      playlist: status?.playlist, port: isPaused ? heardAt : intentModel.loss?.from ?? heardAt ?? route,
      isLost: intentModel.loss != nil)
    cards?.noteLifted(lifted)
    intentModel.pause()
    noteWish()
  }

  /// L1.1: what a card names plays on, where it would be paused.
  private func playsAlready(_ choice: Choice?, _ status: Status?) -> Bool {
    if case .popular = choice { return false }
    return kiosk.settings.settings.again == .pause && intentModel.intent == .playing && intentModel.loss == nil
      && isCurrent(choice, status)
  }

  /// Whether the card names what is current.
  private func isCurrent(_ choice: Choice?, _ status: Status?) -> Bool {
    switch choice {
    case .track(let name): playlists.find(name.text)?.file == status?.file
    case .playlist(let name): status?.playlist == name
    case .popular: true
    case .cue, .hours, nil: false
    }
  }

  /// A card was laid. Returns what it chooses.
  func applyLaid(_ event: Event) -> Choice? {
    let status = lastScene?.status
    let (isPaused, isAsked) = (intentModel.intent == .paused, intentModel.loss?.isPromptShown == true)
    let read = cards?.checkRead(
      event, isRefused: refusesVisitors, isPaused: isPaused, isAsked: isAsked, route: route, status: status, at: now)
    guard let read else {
      demand(false, "L1", "a card is laid on no reader")
      return nil
    }
    demand(read.mismatch)
    guard read.goesOn || playsAlready(read.choice, status) else { return read.choice }
    contacts.delays = [:]
    guard read.goesOn else { return nil }
    _ = intentModel.obey(["start"])
    noteWord()
    noteWish()
    return nil
  }
}
