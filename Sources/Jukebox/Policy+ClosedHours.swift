import AudioSession

/// What becomes of a press, a token or a command while it is closed (H1.3).
enum WhenClosed {
  /// It ends something, or looks after the board.
  case obeyed
  /// Whoever still listens may have it softer, louder or shorter, until all is silent.
  case untilSilent
  /// It is obeyed where it ends what goes on.
  case endsMusic, endsRecording
  case refused
}

extension Jukebox {
  /// Whether what is asked for so is refused now.
  func isClosed(to asked: WhenClosed) -> Bool {
    guard hours.refuses else { return false }
    switch asked {
    case .obeyed: return false
    case .untilSilent: return hours.phase == .closed
    // Not what invites: after that, the music would begin.
    case .endsMusic: return !hours.isEnding || !player.wantsSound || player.isAttracting
    case .endsRecording: return recording.since == nil
    case .refused: return true
    }
  }

  /// Sound was asked for: whoever reads the log learns that, too (H1).
  /// - Parameter client: whose; nil: nobody's.
  mutating func logRefusal(of client: ClientName?, _ turn: inout Turn) {
    guard let client else { return }
    let reason = RefusalReason.closed
    turn.object(reason.reply)
    turn.log(
      .sessionRefused, .notice, ["client": client.text, "reason": reason.logged, "by": reason.holder],
      mayTrigger: client == .music)
  }

  /// Whether a client's cue is silent: what pages and alarms say is heard.
  func isClosed(to client: SessionClient) -> Bool { hours.refuses && ClientName.own.contains(client.name) }
}
