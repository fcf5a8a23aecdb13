import AudioSession

/// When the conditions of signals hold (E rows): the only place that sees both what is heard and the outputs.
extension Jukebox {
  /// After the others have followed a report of the engine.
  mutating func noteHeard(_ report: AudioReport) {
    if signals.isEmpty { return }
    switch report {
    case .playback(.started(let id, let position, let at)), .playback(.began(let id, let position, let at)):
      guard id == player.stream.id, player.engine.isSounding else { return }
      signals.hearing.hear(position.track, of: player.playlists.current, in: id, at: at)
    case .playback(.clipStarted(_, let at)): signals.hearing.hearCue(at: at)
    case .playback(.silenced(let id, _)), .playback(.ended(let id)): signals.hearing.fallSilent(id)
    case .outputLost, .playback(.outputChanged): signals.hearing.fallSilent(nil)
    case .playback(.underrun), .playback(.queueGrown), .playback(.outputRestored), .playback(.clipEnded), .opened,
      .measured, .failed, .brokeOff, .storageFailed, .otherOutputLost,
      .otherOutputRestored, .clipFailed:
      break
    }
  }

  /// After every input, when nothing more is logged for it.
  mutating func settleSignals(_ turn: inout Turn) {
    if signals.isEmpty { return }
    settleHearing()
    let changes: [(line: LineID, pattern: LampPattern)]
    if isOn {
      // A copy of them alone: the conditions are looked up in the whole brain meanwhile.
      var settled = signals
      let number = signals.hearing.track.flatMap(player.index(of:)).map { $0 + 1 }
      changes = settled.settle(turn.loggedEvents, at: turn.now) { holds($0, number: number) }
      signals = settled
    } else {
      changes = signals.end()
    }
    for change in changes { turn.append(.signal(change.line, change.pattern)) }
  }

  private mutating func settleHearing() {
    let goesOn = isOn && (player.wantsSound || player.transport.isHeldByDoubtOnly)
    // What the engine has nothing more to say of was heard to its end, as where its output was lost.
    if !goesOn && !player.engine.isSounding && player.engine.silenced == nil { signals.hearing.fallSilent(nil) }
    let isStopped = player.transport.intent == .stopped
    signals.hearing.settle(
      goesOn: goesOn, track: isStopped ? nil : player.queue.track,
      playlist: isStopped ? nil : player.playlists.current)
  }

  /// - Parameter number: that of the track that is listened to.
  private func holds(_ condition: OutputSignal.Condition, number: Int?) -> Bool {
    switch condition {
    case .playing: return signals.hearing.isPlaying
    case .track(let name):
      guard let track = signals.hearing.track else { return false }
      return name.means(player.name(of: track), number: number)
    case .playlist(let name):
      guard let playlist = signals.hearing.playlist else { return false }
      return FileName(playlist) == FileName(name)
    case .cue(let name): return cues.isHeard(name)
    case .port(let port): return routes.route.port == port || routes.others.contains(port)
    case .visit: return visit.isUnderWay
    case .prompt: return player.transport.isPromptShown
    case .recording: return recording.since != nil
    case .page:
      return sessions.active.contains { !SessionClient.ownNames.contains($0.name) && sessions.isFree(for: $0) }
    case .noMusic: return library.isEmpty
    case .fault: return isFaulty
    }
  }

  /// A sound card is lost, storage cannot be read or written, a folder of music is missing, or a line is stuck.
  private var isFaulty: Bool {
    player.transport.outputLoss != nil || player.transport.storageLoss != nil || saving.hasReportedFailure
      || !player.changes.missing.isEmpty || lines.isAnyStuck
  }
}

extension Turn {
  fileprivate var loggedEvents: Set<EventName> {
    Set(effects.compactMap { if case .log(let event) = $0 { event.name } else { nil } })
  }
}
