import AudioSession

@testable import Jukebox

/// What must be true of every state and every change, whatever led there.
extension World {
  mutating func check(_ input: Input, _ before: World, hasLogged: Bool, _ setup: Setup) {
    var found: [String] = []
    checkSound(&found)
    checkHolds(&found, setup)
    checkPrompt(&found, setup)
    defer { complaints += found }
    if case .powerOn = input { return }
    checkIntent(input, before, &found, setup)
    checkLoss(input, before, &found, setup)
    checkLog(input, before, hasLogged, &found)
  }

  private func checkSound(_ found: inout [String]) {
    let transport = brain.transport
    let wanted = transport.intent == .playing && transport.holds.isEmpty && !brain.queue.isEmpty
    demand(isCommanded == wanted, "(a) sound commanded: \(isCommanded), wanted and free: \(wanted)", &found)
    demand(engine.port == brain.routes.route.port, "the engine is on another port", &found)
    demand(transport.intent != .stopped || !brain.stream.isLoaded, "stopped with a stream", &found)
    demand(transport.intent != .stopped || brain.playhead.frame == 0, "stopped within a track", &found)
    guard engine.reports.isEmpty else { return }
    demand((engine.phase != .silent) == wanted, "(a) heard: \(engine.phase), wanted and free: \(wanted)", &found)
    guard brain.stream.isLoaded, engine.stream == brain.stream.id, engine.phase == .silent,
      engine.hasBegun, let position = engine.position(at: Self.now)
    else { return }
    demand(position.track == brain.queue.track, "the brain is in another track", &found)
    demand(position.frame == brain.playhead.frame, "the brain is at another frame", &found)
  }

  private func checkHolds(_ found: inout [String], _ setup: Setup) {
    let transport = brain.transport
    let route = brain.routes.route.port
    demand((transport.unsuited != nil) == (route == nil), "(g) unsuited, and the route is \(route as Any)", &found)
    demand((transport.outputLoss != nil) == isOutputLost, "(g) output hold, and the output is not so", &found)
    let isAwaited = engine.reports.contains { $0.stream == nil } || timers.contains(.outputRetry) || route == nil
    demand(transport.outputLoss == nil || isAwaited, "(g) nobody tries the lost output again", &found)
    let loss = transport.routeLoss
    let isLeaving = !brain.routes.isPrivate && isMoving(loss?.from, setup)
    let isDoubted = brain.routes.isPrivate && isMoving(route, setup) || isLeaving
    let isConfirmed = loss.map { !$0.isSuspected } ?? false
    demand(
      (loss?.isSuspected ?? false) == (isDoubted && !isConfirmed),
      "(g) suspected: \(transport.routeLoss?.stage as Any), the plug moves: \(isDoubted)", &found)
  }

  private func isMoving(_ moved: Port?, _ setup: Setup) -> Bool {
    let line = setup.senseLines.first { port(of: LineID($0), setup)?.port == moved }
    let debouncer = line.map { brain.lines[$0].debouncer }
    return moved != nil && debouncer.map { $0.level && !$0.isSettled } ?? false
  }

  private func checkPrompt(_ found: inout [String], _ setup: Setup) {
    let loss = brain.transport.routeLoss
    let isConfirmed = loss.map { !$0.isSuspected } ?? false
    let isShown = brain.isPromptShown
    demand(isShown == isConfirmed, "(f) prompt \(isShown), loss \(loss?.stage as Any)", &found)
    demand(!isShown || brain.transport.intent == .playing, "(f) prompt while nothing is wanted", &found)
    let lamp: LampPattern = isShown ? .blink : brain.transport.isAudible ? .on : .off
    demand(brain.commanded.lamp == lamp, "(f) lamp \(brain.commanded.lamp), expected \(lamp)", &found)
    let settings = setup.settings
    demand(
      timers.contains(.promptTimeout) == (isShown && settings.promptTimeout > .zero), "prompt timer without prompt",
      &found)
    demand(
      timers.contains(.resumeWindow) == (loss?.stage == .resumable && settings.resumeWindow > .zero),
      "resume window timer without a hold", &found)
    demand(!timers.contains(.idleReset) || !isCommanded, "idle timer while sounding", &found)
  }

  /// Only a person, the end of the queue or a rule that says so changes what is wanted.
  private func checkIntent(_ input: Input, _ before: World, _ found: inout [String], _ setup: Setup) {
    let old = before.brain.transport.intent
    let new = brain.transport.intent
    guard old != new else { return }
    let mayChange: Bool =
      switch input {
      case .console(let command): command == "play" || new != .playing
      case .timer(.settle(let line)):
        line == setup.button || new == .playing && startsOnPlug(before, setup)
          || new == .paused && before.brain.transport.routeLoss?.stage == .overruled
      case .timer(.held(let line)): line == setup.button
      case .timer(.promptTimeout), .timer(.idleReset): new == .stopped
      case .audio(.ended): new == .stopped
      case .powerOn, .edge, .timer, .audio, .recorder, .storage, .category, .scheduled, .woke, .shutdown: false
      }
    demand(mayChange, "(b, e) \(input) made \(old) \(new)", &found)
  }

  /// P1, P3, P4: what an unplug does while music is wanted, and who may end that.
  private func checkLoss(_ input: Input, _ before: World, _ found: inout [String], _ setup: Setup) {
    let old = before.brain.transport
    let isGone = before.home.map { before.brain.routes.connected.contains($0) && !brain.routes.connected.contains($0) }
    let wasPrivate = setup.ports.first { $0.port == before.home }?.isPrivate ?? false
    if isGone == true && wasPrivate && old.intent == .playing && old.routeLoss?.stage != .overruled {
      demand(brain.isPromptShown && brain.transport.routeLoss != nil, "P1 the port is lost and nothing asks", &found)
    }
    guard let loss = old.routeLoss, !loss.isSuspected, brain.transport.routeLoss?.stage != loss.stage else {
      return
    }
    let mayEnd: Bool =
      switch input {
      case .console(let command): !command.hasPrefix("volume") && !command.hasPrefix("route")
      case .timer(.settle(let line)): line == setup.button || resumes(loss, on: line, before, setup)
      case .timer(.held), .timer(.promptTimeout), .timer(.idleReset), .timer(.resumeWindow), .audio(.ended): true
      case .powerOn, .edge, .timer, .audio, .recorder, .storage, .category, .scheduled, .woke, .shutdown: false
      }
    demand(mayEnd, "P3 to P5 \(input) ended a hold by an unplug", &found)
  }

  private func startsOnPlug(_ before: World, _ setup: Setup) -> Bool {
    setup.settings.onConnect == .play && brain.routes.connected.count > before.brain.routes.connected.count
  }

  private func resumes(_ loss: RouteLoss, on line: LineID, _ before: World, _ setup: Setup) -> Bool {
    guard let port = port(of: line, setup), !before.brain.routes.connected.contains(port.port),
      brain.routes.connected.contains(port.port)
    else { return false }
    switch setup.settings.onConnect {
    case .play: return brain.routes.route.port == port.port || loss.stage == .resumable
    case .resume: return loss.stage == .resumable && port.isPrivate && brain.routes.isPrivate
    case .nothing: return false
    }
  }

  private func checkLog(_ input: Input, _ before: World, _ hasLogged: Bool, _ found: inout [String]) {
    let old = before.brain.status(at: Self.now)
    let new = brain.status(at: Self.now)
    let hasChanged =
      old.state != new.state || old.holds != new.holds || old.route != new.route
      || old.isPromptShown != new.isPromptShown || old.connected != new.connected
    // The first edge of a release is told when it is known what it was: a bounce or a loss.
    if case .edge = input { return }
    demand(hasLogged || !hasChanged, "(j) \(input) changed something and nothing was logged", &found)
  }
}
