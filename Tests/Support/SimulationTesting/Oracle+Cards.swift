import Jukebox

/// Cards that lie on a reader (L rows).
extension Oracle {
  func applyLifted(_ event: Event) {
    guard let (mismatch, isOfMusic) = cards?.checkLifted(event, at: now) else {
      return demand(false, "L2", "a card is lifted from no reader")
    }
    demand(mismatch)
    guard isOfMusic, intentModel.intent == .playing else { return }
    let port = intentModel.loss?.from ?? intentModel.doubt?.from ?? route
    cards?.pause(event["token"] ?? "", at: port, now: now)
    intentModel.pause()
    noteWish()
  }

  /// A card was laid. Returns what it chooses.
  func applyLaid(_ event: Event) -> Choice? {
    guard let read = cards?.checkRead(event, isRefused: refusesVisitors, route: route, at: now) else {
      demand(false, "L1", "a card is laid on no reader")
      return nil
    }
    demand(read.mismatch)
    guard read.goesOn else { return read.choice }
    contacts.delays = [:]
    _ = intentModel.obey(["start"])
    noteWord()
    noteWish()
    return nil
  }
}
