import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// The part of a world that decides its future. Left out: instants (the clock is frozen), counters (edges of a bounce,
/// attempts to reopen), values that are only logged (tags, frames of holds), the save timer, and the number of the stream,
/// of which only matters whether it is the brain's.
extension World {
  func key(_ setup: Setup) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(96)
    for line in setup.contactAndSenseLines {
      let debouncer = brain.lines[line].debouncer
      key.append((debouncer.level ? 1 : 0) | (debouncer.raw ? 2 : 0) | (debouncer.isSettled ? 4 : 0))
    }
    if setup.hasButtonEdges { addButtons(to: &key, setup) }
    if !setup.names.isEmpty { addPlaylists(to: &key, setup) }
    if setup.hasReader {
      key.append(UInt8(observed.typed.count) << 1 | (observed.isTypedOvertaken ? 1 : 0))
      if setup.settings.readerRepeat > .zero { key += observed.read.keys.map { UInt8($0.count) }.sorted() + [205] }
    }
    if !setup.cards.isEmpty { addCards(to: &key, setup) }
    addBrain(to: &key)
    addVisit(to: &key, setup)
    addStream(to: &key)
    addEngine(to: &key, setup)
    if setup.opensSlowly { addMove(to: &key) }
    if setup.hasSignals { addSignals(to: &key) }
    if hasSessions { addSessions(to: &key, setup.clientNames) }
    return key
  }

  private func addCards(to key: inout [UInt8], _ setup: Setup) {
    func index(_ token: String?) -> UInt8 { token.flatMap { setup.cards.firstIndex(of: $0) }.map { UInt8($0) } ?? 9 }
    let reader = brain.laidCards.readers.first
    key += [
      index(reader?.token), index(brain.liftedCard?.token), number(brain.liftedCard?.port), number(brain.heardAt),
    ]
    key.append(UInt8(brain.liftedCard?.file.flatMap { brain.library.id(named: $0)?.number } ?? 9))
    key.append(
      (reader?.due == nil ? 0 : 1) | (brain.laidCards.hasSpoken.isEmpty ? 0 : 2)
        | (brain.liftedCard?.isLost == true ? 4 : 0))
  }

  private func addPlaylists(to key: inout [UInt8], _ setup: Setup) {
    let names = brain.library.playlists
    func index(_ name: String?) -> UInt8 { name.flatMap { names.firstIndex(of: $0) }.map { UInt8($0) } ?? 9 }
    key.append(index(brain.player.playlists.current))
    if let line = setup.selectorLine { key.append(brain.lines[line].debouncer.level ? 1 : 0) }
    for name in names {
      let place = brain.player.playlists.place(of: name)
      key += [UInt8(place.flatMap { brain.library.id(named: $0.track)?.number } ?? 9), number(place?.frame ?? 0)]
    }
  }

  private func addButtons(to key: inout [UInt8], _ setup: Setup) {
    for line in setup.buttonLines {
      let debouncer = brain.lines[line].debouncer
      key.append((debouncer.level ? 1 : 0) | (debouncer.raw ? 2 : 0) | (debouncer.isSettled ? 4 : 0))
      guard let gestures = brain.lines[line].gestures else { continue }
      let phase: UInt8 =
        switch gestures.phase {
        case .up: 0
        case .down(let repeats): 1 + UInt8(repeats)
        case .ignored: 8
        }
      key += [phase, (gestures.awaitsHold ? 1 : 0) | (gestures.isOvertaken ? 2 : 0) | (gestures.isInterrupted ? 4 : 0)]
      key.append(observed.overtaken.contains(LineID(line)) ? 1 : 0)
    }
    key.append((brain.lines.secondPress == .overtaken ? 1 : 0) | (observed.isSecondOvertaken ? 2 : 0))
  }

  private func number(_ port: Port?) -> UInt8 {
    switch port {
    case .headphones: 1
    case .lineOut: 2
    case .speaker: 3
    case .bluetooth: 4
    case .usb: 5
    case nil: 0
    }
  }

  private func number(_ frame: Int) -> UInt8 { frame == 0 ? 0 : frame == Self.heardFrame ? 1 : 2 }

  private func addBrain(to key: inout [UInt8]) {
    let transport = brain.player.transport
    let intent: UInt8 =
      switch transport.intent {
      case .stopped: 0
      case .playing: 1
      case .paused: 2
      }
    let stage: UInt8 =
      switch transport.routeLoss?.isResumable {
      case true: 2
      case false: 3
      case nil: transport.doubt == nil ? 0 : 1
      }
    key += [
      intent, stage, number(transport.routeLoss?.from ?? transport.doubt?.from), number(transport.unsuited?.from),
    ]
    key += [
      number(brain.routes.forced), number(brain.routes.route.port),
      UInt8(SessionCategory.allCases.firstIndex(of: brain.routes.category) ?? 9),
    ]
    key += [
      UInt8(brain.player.queue.place.index) << 1 | (brain.player.queue.isChosen ? 1 : 0),
      number(brain.player.playhead.frame),
    ]
    for setup in brain.configuration.ports { key.append(UInt8(brain.volumes.chosen[setup.port] ?? 255)) }
    key.append(
      (transport.outputLoss == nil ? 0 : 1) | (transport.unsuited == nil ? 0 : 2) | (transport.isPromptShown ? 4 : 0)
        | (brain.player.engine.isSounding ? 8 : 0) | (observed.isCommanded ? 16 : 0)
        | (observed.isOutputLost ? 32 : 0)
        | (timers[.resumeWindow] != nil ? 64 : 0)
        | (timers[.promptTimeout] != nil ? 128 : 0))
    key.append(
      (timers[.idleReset] != nil ? 1 : 0) | (timers[.outputRetry] != nil ? 2 : 0)
        | (brain.lines.secondPress == nil ? 0 : 4) | (brain.player.log.isStartDue.map { $0 ? 8 : 16 } ?? 0)
        | (timers[.interruptionLimit] != nil ? 32 : 0) | (brain.player.engine.isReleased ? 64 : 0)
        | (brain.player.engine.silenced == nil ? 0 : 128))
    key += [number(observed.released), number(observed.lastRoute)]
    key.append(
      (!brain.player.log.hasStarted ? 0 : brain.player.log.last == .playing ? 1 : 2)
        | (observed.logged == .stopped ? 0 : observed.logged == .playing ? 4 : 8) | (observed.isPluggedAgain ? 16 : 0)
        | (timers[.portRetry(.bluetooth)] != nil ? 32 : 0))
  }

  /// Without a gap it decides only what is logged and counted.
  private func addVisit(to key: inout [UInt8], _ setup: Setup) {
    let visit = brain.visit
    let departure: UInt8 =
      switch visit.departure {
      case .none: 0
      case .waiting: 1
      case .over: 2
      case .without(let until): now >= until ? 131 : 3
      }
    if brain.player.transport.routeLoss?.prompt == .overdue { key.append(206) }
    if let trial = brain.player.transport.trial {
      key += [207, number(trial.port), number(trial.loss.from)]
      key.append(
        (trial.loss.isResumable ? 1 : 0) | (trial.loss.prompt == .overdue ? 2 : 0) | (timers[.trial] != nil ? 4 : 0))
    }
    if setup.settings.visitGap > .zero {
      if visit.gapOfMusic != nil { key.append(208) }
      key.append(
        departure | (visit.goesOnAloud ? 4 : 0) | (timers[.visitGap] != nil ? 8 : 0) | (observed.isGapOver ? 16 : 0)
          | (observed.isVolumeSet ? 32 : 0) | (visit.isUnderWay ? 64 : 0))
      key.append(visit.formerCategory.flatMap(SessionCategory.allCases.firstIndex).map { UInt8($0) } ?? 9)
    }
  }

  private func addStream(to key: inout [UInt8]) {
    let stream = brain.player.stream
    key.append(
      (stream.isLoaded ? 1 : 0) | (stream.hasBegun ? 2 : 0) | (stream.isAsked ? 4 : 0) | (stream.afterFailure ? 8 : 0)
        | (stream.hasStart ? 16 : 0))
    key += [UInt8((stream.last?.number ?? 0)), UInt8(stream.failures), 254]
    key += stream.ahead.map { UInt8($0.number) }
    key.append(255)
  }

  /// Clients are identified by their index in `names`: their categories and options are those of the configuration.
  private func addSessions(to key: inout [UInt8], _ names: [ClientName]) {
    func number(_ name: ClientName?) -> UInt8 { UInt8(names.firstIndex { $0 == name } ?? 99) }
    func bits(_ chosen: some Sequence<ClientName>) -> UInt8 { chosen.reduce(0) { $0 | 1 << (number($1) & 7) } }
    let sessions = brain.sessions
    key += sessions.active.map { number($0.name) }
    key += [
      200, bits(sessions.standing), bits(sessions.refused),
      bits(brain.player.transport.interruptions.compactMap { ClientName($0.source.word) }),
    ]
    key += [
      bits(observed.consoleInterrupters), bits(observed.silencedContacts), sessions.isMuted ? 1 : 0,
      bits(brain.ducking.overlong),
    ]
    let speech = brain.cues.speech
    let phase: UInt8 =
      switch speech.phase {
      case .due: 0
      case .told: 1
      case .heard: 2
      }
    if let current = speech.current { key += [UInt8(current.cue), phase, speech.isPaused ? 1 : 0] }
    key += [201] + speech.waiting.map { UInt8($0.cue) }
    let recording: UInt8 =
      switch brain.recording.phase {
      case .idle: 0
      case .starting: 1
      case .running: 2
      case .stopping: 3
      }
    let recorderPhase: UInt8 =
      switch recorder.phase {
      case .idle: 0
      case .starting: recorder.stopsAtOnce ? 1 : 2
      case .capturing: 3
      case .stopping: 4
      }
    key += [202, recording, recorderPhase, observed.isCapturing ? 1 : 0, observed.isAmplifierMuted ? 1 : 0]
    for report in recorder.reports {
      switch report {
      case .started: key.append(1)
      case .failed: key.append(2)
      case .stopped: key.append(3)
      case .recovered: key.append(4)
      case .unrepaired: key.append(5)
      case .removed: key.append(6)
      }
    }
    key += [
      UInt8(truncatingIfNeeded: observed.silencedAt?.track.number ?? -1), self.number(observed.silencedAt?.frame ?? 0),
    ]
    key += [203, self.number(observed.cuePort), engine.duck == 0 ? 0 : 1]
    if let cue = engine.cue {
      key.append((cue.id == speech.id ? 1 : 0) | (cue.isHeard ? 2 : 0) | (cue.isPaused ? 4 : 0))
    }
    key += engine.others.keys.map { self.number($0) }.sorted()
  }

  private func addEngine(to key: inout [UInt8], _ setup: Setup) {
    let isStale = engine.stream != brain.player.stream.id
    let phase: UInt8 =
      switch engine.phase {
      case .silent: 0
      case .priming: 1
      case .running: 2
      }
    key.append(
      phase | (isStale ? 4 : 0) | (engine.isOpen ? 8 : 0) | (engine.deviceWorks ? 16 : 0) | (engine.isReleased ? 32 : 0)
    )
    // What a silent engine keeps of an old stream has no effect, except for reports that are ignored.
    if !isStale || engine.phase != .silent || setup.keepsStaleReports {
      let decoder: UInt8 =
        switch engine.decoder {
        case .idle: 0
        case .asking: 1
        case .opening(let track): 2 + UInt8(track.number)
        }
      key += [decoder, number(engine.frame)]
      key.append(
        (engine.hasBegun ? 1 : 0) | (engine.isClosed ? 2 : 0) | (engine.isOver ? 4 : 0) | (engine.since == nil ? 0 : 8))
      key += engine.tracks.map { UInt8($0.number) }
      // Only a request has what follows it named after an end.
      if setup.settings.requests != nil { key.append(engine.isEndDecoded ? 1 : 0) }
    }
    for report in engine.reports {
      let isOurs = report.stream == brain.player.stream.id || report.cue == brain.cues.speech.id
      var isAwaited = false
      if case .playback(.silenced(let id, _)) = report { isAwaited = id == brain.player.engine.silenced }
      key += [250, (isOurs ? 1 : 0) | (isAwaited ? 2 : 0)]
      key += code(report)
    }
  }

  /// Where something sounds until the device of the route is open.
  private func addMove(to key: inout [UInt8]) {
    key += [number(engine.port), number(engine.ahead?.port), engine.isOpen ? 1 : 0]
    key += brain.commanded.left.map { number($0) }.sorted() + [204]
  }

  private func code(_ report: AudioReport) -> [UInt8] {
    func place(_ position: Position?) -> [UInt8] {
      [UInt8(truncatingIfNeeded: position?.track.number ?? -1), number(position?.frame ?? 0)]
    }
    switch report {
    case .playback(.started(_, let position, _)): return [1] + place(position)
    case .playback(.silenced(_, let position)): return [2] + (position.map(place) ?? [])
    case .opened(_, let track, _): return [3, UInt8(track.number)]
    case .playback(.began(_, let position, _)): return [4] + place(position)
    case .failed(_, let track, _, _): return [5, UInt8(track.number)]
    case .brokeOff(_, let position, _): return [6] + place(position)
    case .storageFailed(_, let position, _): return [19] + place(position)
    case .playback(.ended): return [7]
    case .playback(.underrun): return [8]
    case .outputLost(_, let position): return [9] + place(position)
    case .playback(.outputRestored): return [10]
    case .playback(.outputChanged(_, _, let position)): return [11] + place(position)
    case .otherOutputLost: return [12]
    case .otherOutputRestored: return [13]
    case .playback(.cueStarted): return [14]
    case .playback(.cueEnded): return [15]
    case .cueFailed: return [16]
    case .measured(_, let track, _): return [17, UInt8(track.number)]
    case .playback(.queueGrown): return [18]
    case .leftOutputLost(_, _, let position): return [20] + place(position)
    }
  }
}
