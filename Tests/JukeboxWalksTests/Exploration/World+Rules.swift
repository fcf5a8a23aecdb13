import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// The rules on every state and every change.
extension World {
  mutating func check(_ input: Input, _ before: World, _ logged: [Event], _ setup: Setup) {
    var found: [String] = []
    let input = before.overdue(input) ?? input
    checkSound(&found)
    checkLeaving(&found, setup)
    checkHolds(&found, setup)
    checkPrompt(&found, setup)
    if hasSessions {
      checkSessions(&found, setup)
      checkCue(&found, setup)
      checkRecorder(&found)
    }
    checkTimers(&found, setup)
    checkBounds(&found, setup)
    defer { violations += found }
    if case .powerOn = input { return }
    checkIntent(input, before, logged, &found, setup)
    checkLoss(input, before, logged, &found, setup)
    if hasSessions { checkChange(input, before, logged, &found, setup) }
    if setup.hasButtonEdges { checkFingers(input, before, &found) }
    checkChoice(input, before, &found, setup)
    if !setup.names.isEmpty { checkPlaylist(input, before, logged, &found, setup) }
    checkSeek(input, before, &found)
    checkKey(input, before, logged, &found, setup)
    checkCard(input, before, logged, &found, setup)
    checkVisit(input, before, logged, &found, setup)
    checkTold(input, logged, &found)
    if setup.hasSignals { checkSignals(input, before, &found) }
    checkLog(input, before, hasLogged: !logged.isEmpty, &found)
  }

  /// An edge that is read so late that its line has come to rest before it: that decides.
  private func overdue(_ input: Input) -> Input? {
    guard case .edge(let line, _, let instant) = input, case .button = brain.configuration.lines[line.index].role,
      let due = brain.lines[line.index].debouncer.due, due < instant
    else { return nil }
    return .timer(.settle(line))
  }

  private func checkSound(_ found: inout [String]) {
    let transport = brain.player.transport
    let isCommanded = observed.isCommanded
    let wanted = transport.intent == .playing && transport.holds.isEmpty && !brain.player.queue.isEmpty
    demand(isCommanded == wanted, "(a) sound commanded: \(isCommanded), wanted and free: \(wanted)", &found)
    demand(engine.destination == brain.routes.route.port, "the engine is on another port", &found)
    demand(transport.intent != .stopped || !brain.player.stream.isLoaded, "stopped with a stream", &found)
    demand(transport.intent != .stopped || brain.player.playhead.frame == 0, "stopped within a track", &found)
    guard engine.reports.isEmpty else { return }
    demand((engine.phase != .silent) == wanted, "(a) heard: \(engine.phase), wanted and free: \(wanted)", &found)
    guard brain.player.stream.isLoaded, engine.stream == brain.player.stream.id, engine.phase == .silent,
      engine.hasBegun, let position = engine.position(at: now)
    else { return }
    demand(position.track == brain.player.queue.track, "the brain is in another track", &found)
    demand(position.frame == brain.player.playhead.frame, "the brain is at another frame", &found)
  }

  /// B1: until the device of the route is open, the port before may sound, but not while its plug moves or is out.
  private func checkLeaving(_ found: inout [String], _ setup: Setup) {
    guard engine.isHeard, let port = engine.port, port != brain.routes.route.port else { return }
    demand(!isMoving(port, setup), "B1 \(port) sounds, and its plug moves", &found)
    demand(brain.routes.connected.contains(port), "B1 \(port) sounds, and its plug is out", &found)
  }

  /// P1, Q2, K3: a gesture that was overtaken by the loss of the private port starts nothing and does not answer the
  /// prompt.
  private func checkFingers(_ input: Input, _ before: World, _ found: inout [String]) {
    let line: LineID
    switch input {
    case .timer(.settle(let settled)): line = settled
    case .timer(.held(let held)): line = held
    default: return
    }
    guard observed.overtaken.contains(line) else { return }
    demand(before.observed.isCommanded || !observed.isCommanded, "P1 a press of before the unplug starts sound", &found)
    let wasShown = before.brain.player.transport.isPromptShown
    demand(wasShown == brain.player.transport.isPromptShown, "Q2 a press of before the unplug is an answer", &found)
  }

  /// K5: the last log line about the music is true, and a start has the frame that is heard first.
  private func checkTold(_ input: Input, _ logged: [Event], _ found: inout [String]) {
    if let start = logged.first(where: { [.playbackStarted, .playbackResumed].contains($0.name) }) {
      let frame = input.firstFrame.map(String.init)
      demand(start["frame"] == frame, "K5.1 a start is logged with another frame than \(frame ?? "none")", &found)
    }
    // A start may trigger a page, which pauses at once; a change of category may not.
    if case .category = input, let begun = logged.firstIndex(where: { $0.name == .playbackResumed }) {
      let isHeard = !logged[begun...].contains { $0.name == .playbackPaused }
      demand(isHeard, "K5 it is logged to resume and to pause at once", &found)
    }
    let transport = brain.player.transport
    guard !brain.player.queue.isEmpty else { return }
    let isHeard = transport.isAudible && brain.player.playhead.runningSince != nil
    demand(!isHeard || observed.logged == .playing, "K5 it plays, and \(observed.logged) is logged", &found)
    demand(
      observed.logged != .playing || transport.isAudible || transport.isHeldByDoubtOnly,
      "K5 playing is logged, and it is held by \(transport.holds)", &found)
  }

  private func checkHolds(_ found: inout [String], _ setup: Setup) {
    let transport = brain.player.transport
    let route = brain.routes.route.port
    demand((transport.unsuited != nil) == (route == nil), "(g) unsuited, and the route is \(route as Any)", &found)
    demand((transport.outputLoss != nil) == observed.isOutputLost, "(g) output hold, and the output is not so", &found)
    let isAwaited = engine.reports.contains { $0.isOfOutput } || timers[.outputRetry] != nil || route == nil
    demand(transport.outputLoss == nil || isAwaited, "(g) nobody tries the lost output again", &found)
    let isLeaving = !brain.routes.isPrivate && isMoving(transport.doubt?.from, setup)
    let isDoubted = brain.routes.isPrivate && isMoving(route, setup) || isLeaving
    demand(
      (transport.doubt != nil) == (isDoubted && transport.routeLoss == nil),
      "(g) doubt: \(transport.doubt as Any), the plug moves: \(isDoubted)", &found)
  }

  func isMoving(_ moved: Port?, _ setup: Setup) -> Bool {
    let line = setup.senseLines.first { port(of: LineID($0), setup)?.port == moved }
    let debouncer = line.map { brain.lines[$0].debouncer }
    return moved != nil && debouncer.map { $0.level && !$0.isSettled } ?? false
  }

  private func checkPrompt(_ found: inout [String], _ setup: Setup) {
    let loss = brain.player.transport.routeLoss
    let isShown = brain.player.transport.isPromptShown
    demand(
      isShown == (loss != nil && !observed.isPluggedAgain),
      "(f, Q4) prompt \(isShown), loss \(loss as Any), plugged again: \(observed.isPluggedAgain)", &found)
    demand(!isShown || brain.player.transport.intent == .playing, "(f) prompt while nothing is wanted", &found)
    let isOn = brain.player.transport.isAudible || brain.recording.since != nil
    let dark: LampPattern = brain.library.isEmpty ? .flash : .off
    let lamp: LampPattern = isShown && brain.recording.since == nil ? .blink : isOn ? .on : dark
    demand(brain.commanded.lamp == lamp, "(f) lamp \(brain.commanded.lamp), expected \(lamp)", &found)
    let settings = setup.settings
    // A prompt that was set aside while a port is tried goes on by its own times (B2).
    let counted = brain.player.transport.trial?.loss ?? loss
    let isWaiting = counted?.prompt == .shown
    demand(
      (timers[.promptTimeout] != nil) == (isWaiting && settings.promptTimeout > .zero), "prompt timer without prompt",
      &found)
    demand(
      brain.player.transport.trial != nil || timers[.trial] == nil, "B2 nothing is tried, and there is a timer", &found)
    demand(loss?.prompt != .overdue || isOccupied, "V4 nothing keeps a prompt whose time has passed", &found)
    demand(
      (timers[.resumeWindow] != nil) == (counted?.isResumable == true && settings.resumeWindow > .zero),
      "resume window timer without a hold", &found)
  }

  // MARK: - Changes

  /// Only the operator, the end of the queue or an explicit rule changes the intent.
  private func checkIntent(
    _ input: Input, _ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup
  ) {
    let old = before.brain.player.transport.intent
    let new = brain.player.transport.intent
    guard old != new else { return }
    let mayChange: Bool =
      switch input {
      case .console(let command): operatorMay(command, before)
      case .timer(.settle(let line)):
        setup.button(line).map { $0 == .play || operatorMay($0.word, before) } ?? false
          || new == .playing && startsOnPlug(before, setup) || line.index == setup.selectorLine && new == .paused
      case .timer(.held(let line)): setup.button(line) == .play
      case .timer(.promptTimeout), .timer(.idleReset), .audio(.playback(.ended)): new == .stopped
      case .typed(_, .enter), .card(_, .some, _): new != .stopped
      case .timer(.lift): old == .playing && new == .paused
      case .timer(.interruptionLimit), .timer(.sleep): old == .playing && new == .paused
      case .powerOn, .edge, .typed, .card, .knob, .timer, .audio, .recorder, .storage, .ledger, .ranking, .coin,
        .health, .category, .library, .scheduled, .missed, .timetable, .hours, .quiet, .woke, .headsetVolume, .headset,
        .shutdown:
        false
      }
    demand(
      mayChange || old == .playing && new == .paused && endsForGood(input, logged)
        || new != .paused && endsVisit(logged),
      "(b, e) \(input) made \(old) \(new)", &found)
  }

  private func operatorMay(_ command: String, _ before: World) -> Bool {
    let new = brain.player.transport.intent
    switch command {
    case "play": return true
    // A track that plays already may pause, as the settings say (T2), and a prompt is answered without a sound (T7).
    case _ where command.hasPrefix("track") || command.hasPrefix("playlist"): return new != .stopped
    // Music that was stopped, or held by an unplug, waits at the place (T6).
    case _ where command.hasPrefix("seek"): return new == .paused
    case "pause": return before.brain.player.transport.intent == .playing && new == .paused
    case "stop": return new == .stopped
    // A skip pauses music that an unplug held (P5); after the last track the queue ends.
    case "next", "previous": return new == .stopped || new == .paused && before.brain.player.transport.routeLoss != nil
    default: return false
    }
  }

  /// Whether an interruption ended without `resume` (I3).
  func endsForGood(_ input: Input, _ logged: [Event]) -> Bool {
    let ended = logged.filter { $0.name == .interruptionEnded }.compactMap { $0["reason"].flatMap(ClientName.init) }
    return ended.contains { source in
      guard source != "mute" && source != "no-input" else { return false }
      if case .console(let command) = input, let (verb, name) = interruption(command), verb == "end", name == source {
        return !command.hasSuffix("resume")
      }
      return !brain.sessions.client(source).options.contains(.notifyOthers)
    }
  }

  /// P1, P3, P4: the effects of an unplug while music is wanted, and what may end them.
  private func checkLoss(
    _ input: Input, _ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup
  ) {
    let old = before.brain.player.transport
    let home = before.observed.lastRoute
    let isGone = home.map { before.brain.routes.connected.contains($0) && !brain.routes.connected.contains($0) }
    let wasPrivate = setup.ports.first { $0.port == home }?.isPrivate ?? false
    if isGone == true && wasPrivate && old.intent == .playing && old.routeLoss == nil {
      let isOverdue = old.trial?.loss.prompt == .overdue
      demand(brain.player.transport.isPromptShown || isOverdue, "P1 the port is lost and nothing asks", &found)
    }
    guard let loss = old.routeLoss, brain.player.transport.routeLoss?.isResumable != loss.isResumable else {
      return
    }
    let mayEnd: Bool =
      switch input {
      case .console(let command):
        ["play", "pause", "stop", "next", "previous"].contains(command) || command.hasPrefix("track")
          || command.hasPrefix("playlist") || command.hasPrefix("seek")
      case .timer(.settle(let line)):
        setup.button(line) != nil || line.index == setup.selectorLine || resumes(loss, on: line, before, setup)
      case .timer(.held), .timer(.promptTimeout), .timer(.idleReset), .timer(.resumeWindow), .audio(.playback(.ended)),
        .timer(.interruptionLimit), .timer(.sleep), .timer(.lift), .typed(_, .enter), .card(_, .some, _):
        true
      case .timer(.portRetry(let port)):
        loss.isResumable && brain.routes.connected.contains(port) && !isMoving(port, setup)
      case .powerOn, .edge, .typed, .card, .knob, .timer, .audio, .recorder, .storage, .ledger, .ranking, .coin,
        .health, .category, .library, .scheduled, .missed, .timetable, .hours, .quiet, .woke, .headsetVolume, .headset,
        .shutdown:
        false
      }
    demand(
      mayEnd || endsForGood(input, logged) || endsVisit(logged), "P3 to P5 \(input) ended a hold by an unplug", &found)
  }

  private func startsOnPlug(_ before: World, _ setup: Setup) -> Bool {
    setup.settings.onConnect == .play && brain.routes.connected.count > before.brain.routes.connected.count
  }

  private func resumes(_ loss: RouteLoss, on line: LineID, _ before: World, _ setup: Setup) -> Bool {
    guard let port = port(of: line, setup), !before.brain.routes.connected.contains(port.port),
      brain.routes.connected.contains(port.port)
    else { return false }
    switch setup.settings.onConnect {
    case .play: return brain.routes.route.port == port.port || loss.isResumable
    case .resume: return loss.isResumable && port.isPrivate && brain.routes.isPrivate
    case .nothing: return false
    }
  }

  private func checkLog(_ input: Input, _ before: World, hasLogged: Bool, _ found: inout [String]) {
    let old = before.brain.status(at: now)
    let new = brain.status(at: now)
    // The end of a recording is logged as soon as the recorder has reported its length.
    if before.brain.recording.since != nil, case .stopping = brain.recording.phase { return }
    if case .recorder = input { demand(hasLogged, "(j) \(input) is not logged", &found) }
    let hasChanged =
      old.state != new.state || old.holds != new.holds || old.route != new.route
      || old.isPromptShown != new.isPromptShown || old.connected != new.connected
    let hasChangedMore =
      Set(old.sessions) != Set(new.sessions) || old.isDucked != new.isDucked || old.cue != nil && old.cue != new.cue
      || old.recordingSince != new.recordingSince || old.volume != new.volume
    // The first edge of a release is logged once it turns out to be a bounce or a loss.
    var isEdge = false
    if case .edge = input { isEdge = true }
    demand(hasLogged || !hasChanged || isEdge, "(j) \(input) changed something and nothing was logged", &found)
    demand(hasLogged || !hasChangedMore, "(j) \(input) changed more and nothing was logged", &found)
  }
}

extension Input {
  /// The frame from which on the engine says that the music sounds.
  fileprivate var firstFrame: Int? {
    switch self {
    case .audio(.playback(.started(_, let position, _))), .audio(.playback(.began(_, let position, _))): position.frame
    default: nil
    }
  }
}
