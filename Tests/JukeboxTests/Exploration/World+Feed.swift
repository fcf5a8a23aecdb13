import AudioSession

@testable import Jukebox

/// Feeding the brain, carrying out its effects, and the rules on effects and their order.
extension World {
  mutating func feed(_ input: Input, _ setup: Setup) {
    let before = self
    notice(input, before, setup)
    if case .timer(let timer) = input { timers[timer] = nil }
    var logged: [Event] = []
    var touched: Set<TimerID> = []
    for effect in brain.handle(input, at: now) {
      if case .setTimer(let timer, _) = effect { touched.insert(timer) }
      if case .cancelTimer(let timer) = effect { touched.insert(timer) }
      switch effect {
      case .audio(let command): run(command)
      case .record(let command): run(command)
      case .muteAmplifier(let isMuted): book.isAmplifierMuted = isMuted
      case .setTimer(let timer, let at): timers[timer] = at
      case .cancelTimer(let timer): timers[timer] = nil
      case .log(let event):
        logged.append(event)
        follow(event)
      case .save(let state): saved = state
      case .lamp, .reply: break
      }
    }
    if case .woke = input { checkWake(before, touched) }
    guard brain.isOn else { return }
    book.home = brain.routes.route.port ?? wishedPort(input) ?? book.home
    if brain.transport.intent != .playing { book.released = nil }
    if brain.transport.routeLoss.map(\.isSuspected) ?? true { book.isPluggedAgain = false }
    noteTyped(input, before)
    check(input, before, logged, setup)
  }

  /// R11: a timer that a line or a gesture has set before the sleep counts from the wake on, or not at all.
  private mutating func checkWake(_ before: World, _ touched: Set<TimerID>) {
    for timer in before.timers.keys where !touched.contains(timer) {
      switch timer {
      case .settle, .held, .stuck, .doublePress: complaints.append("R11 \(timer) counts the time asleep")
      case .resumeWindow, .promptTimeout, .idleReset, .outputRetry, .interruptionLimit, .cueLimit, .duckLimit,
        .recordingLimit, .save:
        break
      }
    }
  }

  /// K5: what the log says of the music follows from what it said before.
  private mutating func follow(_ event: Event) {
    switch event.name {
    case .playbackStarted:
      demand(book.told != .playing, "K5 started, though it is told to play", &complaints)
      book.told = .playing
    case .playbackResumed:
      demand(book.told == .paused, "K5 resumed, and \(book.told) was told", &complaints)
      book.told = .playing
    case .playbackPaused:
      // What is held already may lose its port, too (I7); and the operator may pause what was never heard.
      let isWord = event["cause"] == "user" || event["reason"] == "limit"
      let isLoss = event["cause"] == "route-lost" && book.told == .paused
      demand(
        book.told == .playing || isWord || isLoss, "K5 paused for \(event["cause"] as Any), told \(book.told)",
        &complaints)
      if book.told == .playing { book.told = .paused }
    case .playbackStopped: book.told = .stopped
    case .stateRestored: book.told = event["intent"] == "stopped" ? .stopped : .paused
    default: break
    }
  }

  func demand(_ holds: Bool, _ rule: @autoclosure () -> String, _ found: inout [String]) {
    if !holds { found.append(rule()) }
  }

  /// A port that the operator asked for while the category suits none.
  private func wishedPort(_ input: Input) -> Port? {
    guard case .console(let command) = input, command.hasPrefix("route") else { return nil }
    return brain.routes.forced.flatMap { brain.routes.connected.contains($0) ? $0 : nil }
  }

  // MARK: - Rules on commands

  private mutating func run(_ command: AudioCommand) {
    let port = brain.routes.route.port
    switch command {
    case .load(let id, let position):
      demand(!book.isCommanded, "load while sounding", &complaints)
      demand(id == brain.stream.id && brain.stream.isLoaded, "load of a stream that is not the brain's", &complaints)
      let stood = book.stood
      demand(stood == nil || stood == position, "I2 load at \(position), silent at \(stood as Any)", &complaints)
    case .play:
      demand(book.released == nil, "(c) play after the first edge of a release", &complaints)
      demand(port != nil && engine.port == port, "(d) play on a port that is not the route", &complaints)
      demand(port.map { brain.volumes.volume(of: $0) } == engine.volume, "R13 play at another volume", &complaints)
      demand(brain.stream.isLoaded && engine.stream == brain.stream.id, "(i) play without a stream", &complaints)
      demand(!book.isAmplifierMuted, "play behind a muted amplifier", &complaints)
      book.isCommanded = true
    case .silence:
      demand(book.isCommanded, "silence twice", &complaints)
      book.isCommanded = false
    case .route(let new, let volume):
      demand(new.map(brain.routes.connected.contains) ?? true, "(d) route to a port that is not there", &complaints)
      demand(new == port, "(d) route to a port that is not the route", &complaints)
      demand(volume == (new.map { brain.volumes.volume(of: $0) } ?? 0), "R13 route at another volume", &complaints)
      demand(!book.isCommanded || new != nil, "route to nowhere while sounding", &complaints)
      demand(book.released == nil || !book.isCommanded, "(c) sound moved after the edge of a release", &complaints)
      if isClipOn { moveClip() }
    case .volume(let volume):
      demand(volume == port.map { brain.volumes.volume(of: $0) }, "volume that nobody set", &complaints)
    case .release:
      demand(!book.isCommanded && brain.commanded.silenced == nil, "I11 release before silence", &complaints)
      demand(!brain.transport.interruptions.isEmpty, "I11 release without an interruption", &complaints)
    case .speak: checkSpeak()
    case .resumeClip: moveClip()
    case .follow, .reopen, .others, .duck, .pauseClip: break
    }
    engine.obey(command, at: now)
    if let complaint = engine.complaint { complaints.append("(i) \(complaint)") }
    engine.complaint = nil
  }

  /// What was heard of the clip was heard on a port that is still there: it goes to a better one, or a wanted one.
  private mutating func moveClip() {
    let new = brain.routes.route.port
    guard book.clipPort != new else { return }
    let isThere = book.clipPort.map { brain.routes.connected.contains($0) } ?? false
    demand(isThere, "D7 the cue of \(book.clipPort as Any) goes on on \(new as Any)", &complaints)
    book.clipPort = new
  }

  private mutating func checkSpeak() {
    book.clipPort = brain.routes.route.port
    demand(book.clipPort != nil && engine.port == book.clipPort, "a cue to no port, or another", &complaints)
    demand(!book.isAmplifierMuted, "a cue behind a muted amplifier", &complaints)
    let ducks = brain.speaker?.options.contains(.duckOthers) ?? false
    demand(!ducks || !book.isCommanded || engine.duck < 0, "D1 the cue comes before the duck", &complaints)
    demand(!ducks || !book.isCommanded || !brain.music.isSpeech, "D6 the cue comes over spoken word", &complaints)
  }

  private mutating func run(_ command: RecorderCommand) {
    switch command {
    case .start:
      demand(!book.isCapturing, "C1 start twice", &complaints)
      book.isCapturing = true
    case .stop:
      demand(book.isCapturing, "C2 stop of nothing", &complaints)
      book.isCapturing = false
    }
    recorder.obey(command)
    if let complaint = recorder.complaint { complaints.append("recorder: \(complaint)") }
    recorder.complaint = nil
  }
}
