import AudioSession

@testable import Jukebox

/// Feeding the brain, carrying out its effects, and the rules on effects and their order.
extension World {
  mutating func feed(_ input: Input, _ setup: Setup) {
    let before = self
    notice(input, before, setup)
    if case .timer(let timer) = input { timers.remove(timer) }
    var logged = 0
    for effect in brain.handle(input, at: Self.now) {
      switch effect {
      case .audio(let command): run(command)
      case .setTimer(let timer, _): timers.insert(timer)
      case .cancelTimer(let timer): timers.remove(timer)
      case .log: logged += 1
      case .record, .lamp, .muteAmplifier, .reply, .save: break
      }
    }
    home = brain.routes.route.port ?? wishedPort(input) ?? home
    if brain.transport.intent != .playing { released = nil }
    check(input, before, hasLogged: logged > 0, setup)
  }

  func demand(_ holds: Bool, _ rule: @autoclosure () -> String, _ found: inout [String]) {
    if !holds { found.append(rule()) }
  }

  /// A port that a person asked for while the category suits none.
  private func wishedPort(_ input: Input) -> Port? {
    guard case .console(let command) = input, command.hasPrefix("route") else { return nil }
    return brain.routes.forced.flatMap { brain.routes.connected.contains($0) ? $0 : nil }
  }

  // MARK: - What the rules remember

  /// Keeps book of releases, wishes and the output, from inputs alone.
  private mutating func notice(_ input: Input, _ before: World, _ setup: Setup) {
    switch input {
    case .edge(let line, _, _):
      guard line != setup.button else { return }
      let debouncer = before.brain.lines[line.index].debouncer
      guard debouncer.isSettled && debouncer.level, let port = port(of: line, setup), port.port == home else { return }
      // A better private port that came while the category had no route will have the music: nobody is surprised.
      let isReplaced = setup.ports.contains {
        $0.isPrivate && $0.priority > port.priority && before.brain.routes.connected.contains($0.port)
      }
      if port.isPrivate && !isReplaced && before.brain.transport.intent == .playing { released = port.port }
    case .timer(.settle(let line)): noticeSettled(line, before, setup)
    case .timer(.held(setup.button)): released = nil
    case .console(let command): if command == "play" || command.hasPrefix("route") { released = nil }
    case .audio(.outputLost): isOutputLost = true
    case .audio(.outputRestored): isOutputLost = false
    case .audio(.ended): if endsStream(input, before) { isCommanded = false }
    case .powerOn, .timer, .audio, .recorder, .storage, .category, .scheduled, .woke, .shutdown: break
    }
  }

  private func endsStream(_ input: Input, _ before: World) -> Bool {
    if case .audio(let report) = input { return report.stream == before.brain.stream.id }
    return false
  }

  private mutating func noticeSettled(_ line: LineID, _ before: World, _ setup: Setup) {
    if line == setup.button {
      released = nil
      return
    }
    let debouncer = before.brain.lines[line.index].debouncer
    guard !debouncer.isSettled, let port = port(of: line, setup) else { return }
    let isBounce = debouncer.raw == debouncer.level && released == port.port
    let isPlug = debouncer.raw && !debouncer.level && (port.isPrivate || setup.settings.onConnect == .play)
    if isBounce || isPlug { released = nil }
  }

  func port(of line: LineID, _ setup: Setup) -> OutputPort? {
    setup.ports.first { $0.sense == .line(setup.lines[line.index].name) }
  }

  // MARK: - Rules on commands

  private mutating func run(_ command: AudioCommand) {
    let port = brain.routes.route.port
    switch command {
    case .load(let id, _):
      demand(!isCommanded, "load while sounding", &complaints)
      demand(id == brain.stream.id && brain.stream.isLoaded, "load of a stream that is not the brain's", &complaints)
    case .play:
      demand(released == nil, "(c) play after the first edge of a release", &complaints)
      demand(port != nil && engine.port == port, "(d) play on a port that is not the route", &complaints)
      demand(port.map { brain.volumes.volume(of: $0) } == engine.volume, "R13 play at another volume", &complaints)
      demand(brain.stream.isLoaded && engine.stream == brain.stream.id, "(i) play without a stream", &complaints)
      isCommanded = true
    case .silence:
      demand(isCommanded, "silence twice", &complaints)
      isCommanded = false
    case .route(let new, let volume):
      demand(new.map(brain.routes.connected.contains) ?? true, "(d) route to a port that is not there", &complaints)
      demand(new == port, "(d) route to a port that is not the route", &complaints)
      demand(volume == (new.map { brain.volumes.volume(of: $0) } ?? 0), "R13 route at another volume", &complaints)
      demand(!isCommanded || new != nil, "route to nowhere while sounding", &complaints)
      demand(released == nil || !isCommanded, "(c) sound moved after the first edge of a release", &complaints)
    case .volume(let volume):
      demand(volume == port.map { brain.volumes.volume(of: $0) }, "volume that nobody set", &complaints)
    case .follow, .reopen, .release, .others, .duck, .speak, .hush, .speakOn: break
    }
    engine.obey(command, at: Self.now)
    if let complaint = engine.complaint { complaints.append("(i) \(complaint)") }
    engine.complaint = nil
  }
}
