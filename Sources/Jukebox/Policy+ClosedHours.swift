import AudioSession

/// What is refused while it is closed (H1.3).
extension Jukebox {
  /// Why a press of this button does nothing: it is closed. Whoever ends something, or looks after the board, may do so.
  func closedTo(_ button: Button) -> IgnoredPress? {
    guard hours.refuses else { return nil }
    switch button {
    case .stop, .pair: return nil
    case .record: return recording.since == nil ? .closed : nil
    // Until all is silent, whoever still listens may end that, and have it softer or louder.
    // Play does not end what invites: after that, the music would begin.
    case .play: return hours.isEnding && player.wantsSound && !player.isAttracting ? nil : .closed
    case .volumeUp, .volumeDown, .sleep: return hours.phase == .closed ? .closed : nil
    case .next, .previous, .cue, .track, .playlist, .popular: return .closed
    }
  }

  /// What was pressed asks for sound: whoever reads the log learns that, too (H1).
  mutating func logRefusal(of button: Button, _ turn: inout Turn) {
    switch button {
    case .play, .track, .playlist, .popular: refuse(.music, &turn)
    case .cue: refuse(.cue, &turn)
    case .record: refuse(.recorder, &turn)
    case .stop, .next, .previous, .volumeUp, .volumeDown, .pair, .sleep: break
    }
  }

  mutating func logRefusal(of choice: Choice, _ turn: inout Turn) {
    switch choice {
    case .track, .playlist, .popular: refuse(.music, &turn)
    case .cue: refuse(.cue, &turn)
    case .hours: break
    }
  }

  private func refuse(_ client: ClientName, _ turn: inout Turn) {
    let reason = RefusalReason.closed
    turn.object(reason.reply)
    turn.log(
      .sessionRefused, .notice, ["client": client.text, "reason": reason.logged, "by": reason.holder],
      mayTrigger: client == .music)
  }

  func closedTo(_ choice: Choice) -> IgnoredPress? {
    if case .hours = choice { return nil }
    return hours.refuses ? .closed : nil
  }

  /// Why a command is refused: it asks for music, a cue or a recording (K7.4).
  func closedTo(_ command: ConsoleCommand) -> String? {
    guard hours.refuses else { return nil }
    switch command {
    case .play, .start, .track, .playlist, .playlistStep, .popular, .cue: return RefusalReason.hold(.closed).reply
    case .record: return recording.since == nil ? RefusalReason.hold(.closed).reply : nil
    case .sleep(let request) where request != .off:
      return hours.phase == .closed ? RefusalReason.hold(.closed).reply : nil
    case .status, .statusAsJSON, .statistics, .statisticsAsJSON, .pause, .stop, .next, .previous, .seek, .volume,
      .channels, .balance, .route, .token, .cardLifted, .beginInterruption, .endInterruption, .category, .content,
      .pair, .paired,
      .unpair, .hours, .order, .reload, .sleep, .help, .requests, .clearRequests, .credits, .give:
      return nil
    }
  }

  /// Whether a client's cue is silent: what pages and alarms say is heard.
  func isClosed(to client: SessionClient) -> Bool { hours.refuses && ClientName.own.contains(client.name) }
}
