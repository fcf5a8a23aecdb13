import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// The rules on who has the session, on cues, on the recorder and on timers.
extension World {
  /// Whether the cue is heard, or about to be.
  var isCueOn: Bool { engine.cue.map { !$0.isPaused } ?? false }

  func checkSessions(_ found: inout [String], _ setup: Setup) {
    let session = brain.sessions.arbiter
    let transport = brain.player.transport
    let category = brain.routes.category
    let isMute = setup.muteLine.map { brain.lines[$0].debouncer.level } ?? false
    var expected = session.interrupters(of: brain.sessions.music).map { Interruption.Source.client($0.name) }
    if isMute && (category == .ambient || category == .soloAmbient) { expected.append(.mute) }
    if category == .playAndRecord && setup.input == nil { expected.append(.noInput) }
    let sources = transport.interruptions.map(\.source)
    demand(
      sources.count == expected.count && Set(sources) == Set(expected),
      "I12 held by \(sources), expected \(expected)", &found)
    let isActive = session.isActive("music")
    demand(
      transport.intent == .playing
        ? isActive || !sources.isEmpty || category == .record && setup.input == nil : !isActive,
      "music \(transport.intent), its session \(isActive)", &found)
    demand(!observed.isCommanded || isActive, "S7 music without a session", &found)
    let known = session.active.first { $0.name == "music" }?.category
    demand(known == nil || known == category, "R10 the session has another category", &found)
    demand(session.isActive("recorder") == (brain.recording.phase != .idle), "the recorder's session", &found)
    let speaking = brain.cues.speech.waiting.map(\.client) + [brain.cues.speech.current?.client].compactMap { $0 }
    for name in session.active.map(\.name) where name != "music" && name != "recorder" {
      let isNeeded = brain.sessions.standing.contains(name) || speaking.contains(name)
      demand(isNeeded, "\(name) is active for nothing", &found)
    }
    checkContacts(&found, setup)
    demand(
      (engine.duck != 0) == (mustDuck || brain.sleep.isFading), "D2 duck \(engine.duck), expected \(mustDuck)", &found)
    demand(brain.ducking.isDucked == mustDuck, "D2 status duck, expected \(mustDuck)", &found)
    let others = Dictionary(uniqueKeysWithValues: brain.routes.others.map { ($0, brain.volumes.volume(of: $0)) })
    let isThere = engine.others.keys.allSatisfy(brain.routes.connected.contains)
    demand(isThere, "S6 \(engine.others.keys) are to sound, and not all are there", &found)
    demand(engine.others == others, "S6 other ports \(engine.others), expected \(others)", &found)
  }

  private var mustDuck: Bool {
    (observed.isCommanded || engine.duck != 0 && brain.player.transport.isHeldByDoubtOnly) && isDuckWanted
  }

  private var isDuckWanted: Bool {
    brain.sessions.active.contains {
      $0.name != "music" && $0.options.contains(.duckOthers) && brain.sessions.interrupters(of: $0).isEmpty
        && (!brain.ducking.overlong.contains($0.name) || brain.cues.speech.current?.client == $0.name)
    }
  }

  private func checkContacts(_ found: inout [String], _ setup: Setup) {
    var closed: Set<ClientName> = []
    for (name, line) in zip(setup.contacts, setup.contactLines) {
      let isClosed = brain.lines[line].debouncer.level
      let isRefused = brain.sessions.refused.contains(name)
      if isClosed { closed.insert(name) }
      guard brain.lines[line].debouncer.isSettled else { continue }
      demand(isClosed || !isRefused, "\(name) is open and waits for its turn", &found)
      let isServed = brain.sessions.standing.contains(name) || isRefused || observed.silencedContacts.contains(name)
      demand(!isClosed || isServed, "\(name) is closed and nobody cares", &found)
    }
    for name in brain.sessions.standing {
      demand(brain.sessions.isActive(name), "\(name) stands without a session", &found)
      demand(closed.contains(name) || observed.consoleInterrupters.contains(name), "\(name) stands for nobody", &found)
    }
    for name in brain.sessions.refused {
      var session = brain.sessions.arbiter
      let isFree = (try? session.activate(brain.sessions.client(name), hasInput: setup.input != nil)) != nil
      demand(!isFree, "S7 \(name) waits for its turn and nobody is in its way", &found)
    }
  }

  // MARK: - Cues

  func checkCue(_ found: inout [String], _ setup: Setup) {
    let speech = brain.cues.speech
    let route = brain.routes.route.port
    demand(speech.current != nil || speech.waiting.isEmpty, "cues wait for nobody", &found)
    if isCueOn {
      let isLeaving = brain.routes.isPrivate && isMoving(route, setup)
      demand(!isLeaving, "D7 the cue is heard while the plug moves", &found)
      demand(
        observed.cuePort == route, "D7 the cue of \(observed.cuePort as Any) is heard on \(route as Any)", &found)
      demand(!observed.isAmplifierMuted, "a cue behind a muted amplifier", &found)
      demand(speech.current != nil && speech.phase != .due && !speech.isPaused, "a cue nobody wants", &found)
      demand(engine.cue?.id == speech.id, "another cue than the one wanted", &found)
    }
    demand(
      !observed.isAmplifierMuted || !observed.isCommanded, "music behind a muted amplifier", &found)
    let isQuiet = !observed.isCommanded && speech.current == nil && engine.reports.isEmpty
    demand(!isQuiet || observed.isAmplifierMuted, "the amplifier is open for nothing", &found)
    guard let speaker = brain.cues.speaker.map(brain.sessions.client) else { return }
    demand(brain.sessions.isActive(speaker.name), "a cue without a session", &found)
    demand(brain.sessions.interrupters(of: speaker).isEmpty, "an interrupted cue", &found)
    demand(brain.player.transport.outputLoss == nil, "a cue without an output", &found)
    let isAnswered = engine.reports.contains { $0.cue == speech.id }
    let isReshaped = engine.reports.contains { if case .playback(.outputChanged) = $0 { true } else { false } }
    let isTold = speech.phase != .due && !speech.isPaused
    demand(!isTold || isCueOn || isAnswered || isReshaped, "a cue that nobody will end", &found)
    let isFree = route != nil && !isMoving(route, setup) && !isMoving(observed.cuePort, setup)
    let isDue = speech.phase == .due || speech.isPaused
    demand(!isDue || !isFree || brain.player.transport.doubt != nil, "a cue waits for nothing", &found)
  }

  // MARK: - Recorder

  func checkRecorder(_ found: inout [String]) {
    switch brain.recording.phase {
    case .idle:
      demand(!observed.isCapturing, "C2 a recording that the brain does not know", &found)
    case .starting, .running:
      demand(observed.isCapturing, "C1 the recorder was not started", &found)
      let recorder = brain.sessions.arbiter.interrupters(of: brain.sessions.client("recorder"))
      demand(recorder.isEmpty, "I13 recording while \(recorder.map(\.name)) has the session", &found)
    case .stopping:
      demand(!observed.isCapturing, "C2 the recorder was not stopped", &found)
      let isAwaited = recorder.phase != .idle || !recorder.reports.isEmpty
      demand(isAwaited, "C2 the brain waits for the end of nothing", &found)
    }
    let isRunning = recorder.phase != .idle || !recorder.reports.isEmpty
    let isKnown = brain.recording.phase != .idle || brain.recording.isOverdue
    demand(isKnown || !isRunning, "C2 the recorder runs by itself", &found)
  }

  // MARK: - Timers and bounds

  func checkTimers(_ found: inout [String], _ setup: Setup) {
    let settings = setup.settings
    let transport = brain.player.transport
    demand((timers[.cueLimit] != nil) == (brain.cues.speech.current != nil), "D5 the cue's limit", &found)
    var isRunning = false
    if case .running = brain.recording.phase { isRunning = true }
    demand(
      (timers[.recordingLimit] != nil) == (isRunning && settings.recordingLimit > .zero), "the recording's limit",
      &found)
    let isHeld =
      transport.intent == .playing
      && (transport.interruptions.contains { $0.source != .mute } || transport.outputLoss != nil)
    demand(
      (timers[.interruptionLimit] != nil) == (isHeld && settings.interruptionLimit > .zero), "I9 the limit", &found)
    for client in brain.sessions.standing
    where brain.sessions.client(client).options.contains(.duckOthers) && engine.duck != 0 {
      let isDue =
        brain.sessions.interrupters(of: brain.sessions.client(client)).isEmpty
        && !brain.ducking.overlong.contains(client)
      demand((timers[.duckLimit(client: client)] != nil) == isDue, "D5 the limit of \(client)", &found)
    }
    demand((timers[.save] != nil) == (brain.saving.due != nil), "the save timer", &found)
    demand((timers[.doublePress] != nil) == (brain.lines.secondPress != nil), "the timer of a second press", &found)
    for line in brain.lines.indices {
      let isSettled = brain.lines[line].debouncer.isSettled
      demand((timers[.settle(LineID(line))] == nil) == isSettled, "the timer of line \(line)", &found)
    }
    let isBusy =
      observed.isCommanded || brain.cues.speech.current != nil || brain.recording.phase != .idle
      || brain.player.transport.isPromptShown || isOccupied
      || transport.intent == .playing && !transport.interruptions.isEmpty
    let isArmed = timers[.idleReset] != nil
    demand(!isArmed || !isBusy, "K8 the idle timer runs while something goes on", &found)
    demand(
      isArmed || isBusy || transport.intent == .stopped || settings.idleReset == .zero,
      "K8 nobody looks for idleness while \(transport.intent)", &found)
  }

  func checkBounds(_ found: inout [String], _ setup: Setup) {
    demand(brain.cues.speech.waiting.count <= Speech.mostWaiting, "D3 too many cues wait", &found)
    demand(brain.sessions.active.count <= SessionArbiter.mostClients, "too many clients", &found)
    demand(brain.player.stream.ahead.count <= 8, "too many tracks ahead", &found)
    demand(brain.sessions.refused.count <= setup.contacts.count, "too many refused contacts", &found)
    demand(Set(brain.sessions.active.map(\.name)).count == brain.sessions.active.count, "active twice", &found)
  }

  // MARK: - Changes

  /// The rules on single inputs.
  func checkChange(
    _ input: Input, _ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup
  ) {
    let wasRecording = before.brain.recording.since != nil
    let isRecording = brain.recording.since != nil
    if before.brain.routes.connected != brain.routes.connected {
      demand(!wasRecording || !isRecording, "C3 the recording survives a plug", &found)
    }
    // Where a card takes another's place, the lift has ended the music, and the duck with it (L5).
    let isOther = [EventName.tokenLifted, .tokenRead].allSatisfy { name in logged.contains { $0.name == name } }
    let isBounce = before.engine.duck != 0 && brain.player.transport.isHeldByDoubtOnly && isDuckWanted && !isOther
    demand(!isBounce || engine.duck != 0, "K5 the duck moves though the plug may only bounce", &found)
    let doubted = before.brain.player.transport.doubt?.from
    let isLost = doubted.map { !brain.routes.connected.contains($0) } ?? false
    let isSameCue = before.brain.cues.speech.current != nil && before.brain.cues.speech.id == brain.cues.speech.id
    demand(
      !isLost || !isSameCue || brain.cues.speech.current == nil, "D7 a cue of the lost port is still spoken", &found)
    let isOver = endsForGood(input, logged)
    demand(!isOver || brain.player.transport.intent != .playing, "I3 it goes on though nobody said so", &found)
    switch input {
    case .category:
      demand(wasRecording == isRecording, "C4 a category ends a recording", &found)
    case .console("play"):
      let sources = before.brain.player.transport.interruptions.map(\.source)
      let isHeld = brain.player.transport.interruptions.contains { sources.contains($0.source) }
      let isAnswered = logged.contains { $0.name == .sessionRefused }
      demand(!isHeld || isAnswered || brain.player.queue.isEmpty, "I6 Play is neither obeyed nor refused", &found)
    case .timer(.interruptionLimit):
      demand(brain.player.transport.intent != .playing, "I9 no limit at all", &found)
    case .timer(.cueLimit):
      demand(
        before.brain.cues.speech.id != brain.cues.speech.id || brain.cues.speech.current == nil,
        "D5 the cue goes on", &found)
    case .powerOn, .edge, .typed, .card, .knob, .timer, .console, .audio, .recorder, .storage, .ledger, .ranking, .coin,
      .health, .library, .scheduled, .missed, .timetable, .hours, .quiet, .woke, .headsetVolume, .shutdown, .headset:
      break
    }
  }
}
