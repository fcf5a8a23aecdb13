import AudioSession

/// When the conditions of signals hold (E rows): the only place that sees both what is heard and the outputs.
extension Jukebox {
  /// After the others have followed a report of the engine.
  mutating func noteHeard(_ report: AudioReport, at now: Instant) {
    if signals.isEmpty { return }
    switch report {
    case .otherOutputLost(let port, _): signals.lostPorts.insert(port)
    case .otherOutputRestored(let port): signals.lostPorts.remove(port)
    case .playback(.started(let id, let position, let at)), .playback(.began(let id, let position, let at)):
      guard id == player.stream.id, player.engine.isSounding else { return }
      signals.hearing.hear(position.track, of: player.playlists.current, in: id, at: at)
    case .playback(.cueStarted(_, let at)): signals.hearing.hearCue(at: at)
    case .playback(.silenced(let id, _)), .playback(.ended(let id)): signals.hearing.fallSilent(id, at: now)
    case .outputLost, .leftOutputLost, .playback(.outputChanged): signals.hearing.fallSilent(nil, at: now)
    case .playback(.underrun), .playback(.queueGrown), .playback(.outputRestored), .playback(.cueEnded), .opened,
      .measured, .failed, .brokeOff, .storageFailed, .cueFailed:
      break
    }
  }

  /// After every input, when nothing more is logged for it.
  mutating func settleSignals(_ turn: inout Turn) {
    if signals.isEmpty { return }
    settleHearing(at: turn.now)
    let changes: [(line: LineID, pattern: LampPattern)]
    if isOn {
      // A copy of them alone: the conditions are looked up in the whole brain meanwhile.
      var settled = signals
      lazy var heard = known(signals.hearing.listen)
      changes = settled.settle(turn.loggedEvents, at: turn.now) {
        holds($0, heard)
      } goesOver: {
        goesOver($0)
      }
      signals = settled
    } else {
      changes = signals.end()
    }
    for change in changes { turn.append(.signal(change.line, change.pattern)) }
  }

  private mutating func settleHearing(at now: Instant) {
    let goesOn = isOn && (player.wantsSound || player.transport.isHeldByDoubtOnly)
    // Music of which the engine reports nothing more was heard to its end, as when its output was lost.
    if !goesOn && player.engine.isSilent { signals.hearing.fallSilent(nil, at: now) }
    let isStopped = player.transport.intent == .stopped
    signals.hearing.settle(
      goesOn: goesOn,
      isStopped ? Hearing.Listen() : Hearing.Listen(track: player.queue.track, playlist: player.playlists.current))
    // A port that has become the route, or no longer plays along, reports it itself if it is lost then.
    signals.lostPorts.formIntersection(routes.others)
  }

  /// What is listened to, as conditions name it.
  private struct Known {
    var track: String?
    var number: Int?
    var playlist: FileName?
  }

  private func known(_ listen: Hearing.Listen) -> Known {
    Known(
      track: listen.track.map(player.name(of:)), number: listen.track.flatMap(player.index(of:)).map { $0 + 1 },
      playlist: listen.playlist.map { FileName($0) })
  }

  private func goesOver(_ signal: OutputSignal) -> Bool {
    guard let change = signals.hearing.change else { return false }
    let (from, to) = (known(change.from), known(change.to))
    return signal.whileAny.contains { holds($0, from) } && signal.whileAny.contains { holds($0, to) }
  }

  private func holds(_ condition: OutputSignal.Condition, _ heard: Known) -> Bool {
    switch condition {
    case .playing: return signals.hearing.isPlaying
    case .track(let name): return heard.track.map { name.means($0, number: heard.number) } ?? false
    case .playlist(let name): return heard.playlist == FileName(name)
    case .cue(let name): return cues.isHeard(name)
    case .port(let port): return routes.route.port == port || routes.others.contains(port)
    case .visit: return visit.isUnderWay
    case .prompt: return player.transport.isPromptShown
    case .recording: return recording.since != nil
    case .page:
      return sessions.active.contains { !ClientName.own.contains($0.name) && sessions.isFree(for: $0) }
    case .noMusic: return library.isEmpty
    case .fault: return isFaulty
    case .closed: return hours.refuses
    case .credits: return takesRequests
    case .request: return !accounts.ledger.requests.isEmpty
    case .requestsFull: return isFullOfRequests
    case .noCoins: return configuration.settings.requests != nil && refusesCoins
    }
  }

  /// A sound card is lost, storage cannot be read or written, a folder of music is missing, or a line or knob is stuck.
  private var isFaulty: Bool {
    player.transport.outputLoss != nil || player.transport.storageLoss != nil || saving.hasReportedFailure
      || accounts.isRefused
      || !player.changes.missing.isEmpty || lines.isAnyStuck || knobs.isAnyStuck || coins.isAnyJammed
      || !signals.lostPorts.isEmpty
  }
}

extension Turn {
  /// Without those that nobody reads: a command that only asks does not use the kiosk (K7.5).
  fileprivate var loggedEvents: Set<EventName> {
    Set(effects.compactMap { if case .log(let event) = $0, !event.isQuestion { event.name } else { nil } })
  }
}
