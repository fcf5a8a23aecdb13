import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// Feeds the brain, carries out its effects, and checks the rules on effects and their order.
extension World {
  mutating func feed(_ input: Input, _ setup: Setup) {
    let before = self
    notice(input, before, setup)
    if case .timer(let timer) = input { timers[timer] = nil }
    var logged: [Event] = []
    var commands: [AudioCommand] = []
    for effect in brain.handle(input, at: now) {
      switch effect {
      case .audio(let command):
        run(command)
        commands.append(command)
      case .record(let command): run(command)
      case .muteAmplifier(let isMuted): observed.isAmplifierMuted = isMuted
      case .setTimer(let timer, let at): timers[timer] = at
      case .cancelTimer(let timer): timers[timer] = nil
      case .log(let event):
        logged.append(event)
        follow(event)
      case .save(let state): saved = state
      case .keep(let ledger, let number):
        (self.ledger, keptLedgers) = (ledger, keptLedgers + [number])
      case .lamp, .signal, .reply, .count, .replyStatistics, .rank, .listMusic, .setHeadsetVolume, .headset: break
      }
    }
    if case .woke = input { checkWake() }
    if case .edge = input { checkEdge(before, commands) }
    checkDaily(input, before)
    guard brain.isOn else { return }
    observed.lastRoute = brain.routes.route.port ?? requestedPort(input) ?? observed.lastRoute
    if brain.player.transport.intent != .playing { observed.released = nil }
    if brain.player.transport.routeLoss == nil { observed.isPluggedAgain = false }
    noteTyped(input, before)
    notePlaylist(before)
    noteVisit(input, before, logged, setup)
    check(input, before, logged, setup)
  }

  /// R3: the engine is given the edge of a plug that may be leaving while it has not reported that it is silent, once.
  private mutating func checkEdge(_ before: World, _ commands: [AudioCommand]) {
    let silences = commands.filter { if case .silence(.some) = $0 { true } else { false } }.count
    let cuePauses = commands.filter { if case .pauseCue(.some) = $0 { true } else { false } }.count
    let isFading = before.engine.reports.contains { if case .playback(.silenced) = $0 { true } else { false } }
    let isFirst = before.brain.player.transport.doubt == nil && brain.player.transport.doubt != nil
    demand(!isFading || !isFirst || silences + cuePauses > 0, "R3 a fade is not cut at the edge", &violations)
    demand(silences <= 1 && cuePauses <= 1, "R3 one edge, and the engine gets it twice", &violations)
  }

  /// R11: what is awaited of a line or a gesture is awaited for its whole time from the wake on, or not at all.
  private mutating func checkWake() {
    for (timer, due) in timers {
      var time: Duration?
      switch timer {
      case .settle(let line): time = brain.configuration.lines[line.index].debounce
      case .stuck: time = brain.configuration.settings.stuckAfter
      case .held(let line):
        let isPlay = brain.configuration.lines[line.index].role == .button(.play)
        time = (isPlay ? Button.play : .volumeUp).traits.holdTime ?? .zero
      case .lift: time = brain.configuration.readerLifts["card"]
      case .doublePress, .typing, .contact, .knob: break
      case .resumeWindow, .promptTimeout, .trial, .idleReset, .visitGap, .outputRetry, .storageRetry, .portRetry,
        .interruptionLimit, .folderLimit, .cueLimit, .duckLimit, .recordingLimit, .recorderAnswer, .closing, .silence,
        .quiet, .notice, .headsetVolume, .save, .ledger, .coin, .coinBoot, .pairingWindow, .refusals, .headsetCall,
        .sleep, .signal, .ranking, .attract:
        continue
      }
      demand(time.map { now + $0 } == due, "R11 \(timer) counts the time asleep", &violations)
    }
  }

  /// K5: each log line about the music is consistent with the one before.
  private mutating func follow(_ event: Event) {
    switch event.name {
    case .playbackStarted:
      demand(observed.logged != .playing, "K5 started, though it is logged as playing", &violations)
      observed.logged = .playing
    case .playbackResumed:
      demand(observed.logged == .paused, "K5 resumed, and \(observed.logged) was logged", &violations)
      observed.logged = .playing
    case .playbackPaused:
      // Music that is held already may lose its port, too (I7), and the operator may pause music that was never heard.
      let isWord = ["user", "sleep", "lifted"].contains(event["cause"]) || event["reason"] == "limit"
      let isLoss = event["cause"] == "route-lost" && observed.logged == .paused
      demand(
        observed.logged == .playing || isWord || isLoss,
        "K5 paused for \(event["cause"] as Any), logged \(observed.logged)",
        &violations)
      if observed.logged == .playing { observed.logged = .paused }
    case .playbackStopped: observed.logged = .stopped
    case .stateRestored: observed.logged = event["intent"] == "stopped" ? .stopped : .paused
    default: break
    }
  }

  func demand(_ holds: Bool, _ rule: @autoclosure () -> String, _ found: inout [String]) {
    if !holds { found.append(rule()) }
  }

  /// Whether the operator has asked for this port while no port suits the category.
  private func requestedPort(_ input: Input) -> Port? {
    // A command that was refused asks for nothing.
    guard let port = brain.routes.forced, input == .console("route \(port.rawValue)") else { return nil }
    return brain.routes.connected.contains(port) ? port : nil
  }

  // MARK: - Rules on commands

  private mutating func run(_ command: AudioCommand) {
    let port = brain.routes.route.port
    switch command {
    case .load(let id, let position):
      demand(!observed.isCommanded, "load while sounding", &violations)
      demand(
        id == brain.player.stream.id && brain.player.stream.isLoaded, "load of a stream that is not the brain's",
        &violations)
      let stood = observed.silencedAt
      demand(stood == nil || stood == position, "I2 load at \(position), silent at \(stood as Any)", &violations)
    case .play:
      demand(observed.released == nil, "(c) play after the first edge of a release", &violations)
      demand(port != nil && engine.destination == port, "(d) play on a port that is not the route", &violations)
      demand(port.map { brain.volumes.volume(of: $0) } == engine.nextVolume, "R13 play at another volume", &violations)
      demand(
        brain.player.stream.isLoaded && engine.stream == brain.player.stream.id, "(i) play without a stream",
        &violations)
      demand(!observed.isAmplifierMuted, "play behind a muted amplifier", &violations)
      observed.isCommanded = true
    case .silence(let edge):
      // What was silenced before an edge may still fade.
      demand(observed.isCommanded || edge != nil, "silence twice", &violations)
      observed.isCommanded = false
    case .route(let new, let volume):
      demand(new.map(brain.routes.connected.contains) ?? true, "(d) route to a port that is not there", &violations)
      demand(new == port, "(d) route to a port that is not the route", &violations)
      demand(volume == (new.map { brain.volumes.volume(of: $0) } ?? 0), "R13 route at another volume", &violations)
      demand(!observed.isCommanded || new != nil, "route to nowhere while sounding", &violations)
      demand(
        observed.released == nil || !observed.isCommanded, "(c) sound moved after the edge of a release", &violations)
      if isCueOn { moveCue() }
    case .volume(let volume):
      demand(volume == port.map { brain.volumes.volume(of: $0) }, "volume that nobody set", &violations)
    case .release:
      demand(!observed.isCommanded && brain.player.engine.silenced == nil, "I11 release before silence", &violations)
      demand(!brain.player.transport.interruptions.isEmpty, "I11 release without an interruption", &violations)
    case .speak: checkSpeak()
    case .resumeCue: moveCue()
    case .vacate(let gone): demand(gone != port, "B1 the route's own port is vacated", &violations)
    case .channels(let port, let channels):
      demand(channels == brain.channelControl.channels(of: port), "M4 other channels than were set", &violations)
    case .library, .follow, .reopen, .others, .duck, .pauseCue: break
    }
    engine.obey(command, at: now)
    if let violation = engine.violation { violations.append("(i) \(violation)") }
    engine.violation = nil
  }

  /// A cue may move only from a port that is still there, to a better one or one that the operator asked for.
  private mutating func moveCue() {
    let new = brain.routes.route.port
    guard observed.cuePort != new else { return }
    let isThere = observed.cuePort.map { brain.routes.connected.contains($0) } ?? false
    demand(isThere, "D7 the cue of \(observed.cuePort as Any) goes on on \(new as Any)", &violations)
    observed.cuePort = new
  }

  private mutating func checkSpeak() {
    observed.cuePort = brain.routes.route.port
    demand(
      observed.cuePort != nil && engine.destination == observed.cuePort, "a cue to no port, or another", &violations)
    demand(!observed.isAmplifierMuted, "a cue behind a muted amplifier", &violations)
    let ducks = brain.cues.speaker.map(brain.sessions.client)?.options.contains(.duckOthers) ?? false
    demand(!ducks || !observed.isCommanded || engine.duck < 0, "D1 the cue comes before the duck", &violations)
    demand(
      !ducks || !observed.isCommanded || !brain.sessions.music.isSpeech, "D6 the cue comes over spoken word",
      &violations)
  }

  private mutating func run(_ command: RecorderCommand) {
    switch command {
    case .start:
      demand(!observed.isCapturing, "C1 start twice", &violations)
      observed.isCapturing = true
    case .stop:
      demand(observed.isCapturing, "C2 stop of nothing", &violations)
      observed.isCapturing = false
    }
    recorder.obey(command)
    if let violation = recorder.violation { violations.append("recorder: \(violation)") }
    recorder.violation = nil
  }
}
