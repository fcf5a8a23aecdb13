import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// Updates the observations on releases, the operator's intent, interrupters and the output, from inputs alone.
extension World {
  mutating func notice(_ input: Input, _ before: World, _ setup: Setup) {
    if hasSessions { noticeMoves(input, before, setup) }
    noticeKey(input)
    switch input {
    case .edge(let line, _, _): noticeEdge(line, before, setup)
    case .woke(let asserted, _):
      for line in setup.senseLines.map(LineID.init)
      where before.brain.lines[line.index].debouncer.raw != asserted.contains(line) {
        noticeEdge(line, before, setup)
      }
    case .timer(.settle(let line)): noticeSettled(line, before, setup)
    case .timer(.held(let line)):
      if setup.button(line) == .play && !observed.overtaken.contains(line) { observed.released = nil }
    case .timer(.doublePress): observed.isSecondOvertaken = false
    case .console(let command): if command == "play" || command.hasPrefix("route") { observed.released = nil }
    case .card(_, let token?, _): if begins(token, before) { observed.released = nil }
    case .audio(.outputLost): noticeOutputLost(before)
    case .timer(.portRetry(let port)): noticeRetry(of: port, before, setup)
    case .audio(.playback(.outputRestored)): observed.isOutputLost = false
    case .audio(.playback(.ended(let id))): if id == before.brain.player.stream.id { observed.isCommanded = false }
    case .recorder(.stopped), .recorder(.failed): observed.isCapturing = false
    case .powerOn, .timer, .audio, .recorder, .storage, .ledger, .ranking, .coin, .health, .category, .library,
      .scheduled, .missed, .timetable, .hours, .quiet, .headsetVolume, .headset, .shutdown, .typed, .card, .knob:
      break
    }
  }

  /// What is typed until Enter, or until nobody goes on.
  private mutating func noticeKey(_ input: Input) {
    if case .typed(_, .enter) = input, !observed.typed.isEmpty, !observed.typed.contains("?") {
      observed.read = [observed.typed: now]
    }
    switch input {
    case .typed(_, .character(let character)): observed.typed.unicodeScalars.append(Unicode.Scalar(character))
    // Names nothing, whatever comes after it.
    case .typed(_, .lost): observed.typed += "?"
    case .typed, .timer(.typing), .woke: observed.typed = ""
    case .powerOn, .edge, .card, .knob, .timer, .console, .audio, .recorder, .storage, .ledger, .ranking, .coin,
      .health, .category, .library, .scheduled, .missed, .timetable, .hours, .quiet, .headsetVolume, .shutdown,
      .headset:
      break
    }
    if observed.typed.isEmpty { observed.isTypedOvertaken = false }
  }

  /// B2: the device of a wireless port that fails is a plug that is out.
  private mutating func noticeOutputLost(_ before: World) {
    guard let port = before.brain.routes.setup(of: before.brain.routes.route.port), port.isWireless else {
      return observed.isOutputLost = true
    }
    if port.isPrivate && before.brain.player.transport.intent == .playing { observed.released = port.port }
  }

  private mutating func noticeRetry(of port: Port, _ before: World, _ setup: Setup) {
    if before.isMoving(port, setup) { return }
    observed.released = nil
  }

  private mutating func noticeEdge(_ line: LineID, _ before: World, _ setup: Setup) {
    guard setup.senseLines.contains(line.index) else { return }
    let debouncer = before.brain.lines[line.index].debouncer
    guard debouncer.isSettled && debouncer.level, let port = port(of: line, setup), port.port == observed.lastRoute
    else { return }
    // A better private port that came while the category had no route takes over, which nobody can hear.
    let isReplaced = setup.ports.contains {
      $0.isPrivate && $0.priority > port.priority && before.brain.routes.connected.contains($0.port)
    }
    if port.isPrivate && !isReplaced && before.brain.player.transport.intent == .playing {
      observed.released = port.port
    }
  }

  private mutating func noticeSettled(_ line: LineID, _ before: World, _ setup: Setup) {
    let debouncer = before.brain.lines[line.index].debouncer
    guard !debouncer.isSettled else { return }
    if setup.buttonLines.contains(line.index) { noticeButton(line, debouncer, setup) }
    if setup.contactLines.contains(line.index) {
      let name = setup.contacts[line.index - setup.contactLines.lowerBound]
      if debouncer.raw != debouncer.level { observed.silencedContacts.remove(name) }
      if !debouncer.raw && debouncer.level { observed.consoleInterrupters.remove(name) }
    }
    guard let port = port(of: line, setup) else { return }
    noticePlug(port, debouncer, before, setup)
    let isBounce = debouncer.raw == debouncer.level && observed.released == port.port
    let isPlug = debouncer.raw && !debouncer.level && (port.isPrivate || setup.settings.onConnect == .play)
    if isBounce || isPlug { observed.released = nil }
  }

  private mutating func noticeButton(_ line: LineID, _ debouncer: Debouncer, _ setup: Setup) {
    if debouncer.raw && !debouncer.level {
      let isSecond = setup.button(line) == .play && timers[.doublePress] != nil
      if isSecond && observed.isSecondOvertaken { observed.overtaken.insert(line) }
      // When the start of a gesture is overtaken, its rest is, too.
      observed.isSecondOvertaken = setup.button(line) == .play && observed.overtaken.contains(line)
      if setup.button(line) == .play && !observed.overtaken.contains(line) { observed.released = nil }
    } else if !debouncer.raw {
      observed.overtaken.remove(line)
    }
  }

  /// Notes the buttons that were in use when the private route was lost, and a plug that makes the prompt obsolete.
  private mutating func noticePlug(_ port: OutputPort, _ debouncer: Debouncer, _ before: World, _ setup: Setup) {
    if debouncer.level && !debouncer.raw && port.isPrivate && before.brain.routes.route.port == port.port {
      for line in setup.buttonLines where brain.lines[line].debouncer.level || !brain.lines[line].debouncer.isSettled {
        observed.overtaken.insert(LineID(line))
      }
      observed.isSecondOvertaken = timers[.doublePress] != nil
    }
    // Also where the music was meant to go on, or was held.
    let old = before.brain.player.transport
    let homes = [before.brain.routes.route.port, old.routeLoss?.from, old.doubt?.from, old.unsuited?.from]
    if debouncer.level && !debouncer.raw && port.isPrivate && homes.contains(port.port) {
      observed.isTypedOvertaken = !observed.typed.isEmpty
    }
    guard debouncer.raw && !debouncer.level, let loss = before.brain.player.transport.routeLoss else {
      return
    }
    var routes = before.brain.routes
    _ = routes.connect(port.port)
    if loss.from == port.port || port.isPrivate && routes.isPrivate { observed.isPluggedAgain = true }
  }

  /// Notes the interruptions that the console has begun and ended. Called after the brain, which may refuse the command.
  mutating func noteTyped(_ input: Input, _ before: World) {
    guard case .console(let command) = input, let (verb, name) = interruption(command) else { return }
    let wasActive = before.brain.sessions.isActive(name)
    if verb == "begin" && !wasActive && brain.sessions.isActive(name) { observed.consoleInterrupters.insert(name) }
    if verb == "end" && wasActive {
      observed.consoleInterrupters.remove(name)
      observed.silencedContacts.insert(name)
    }
  }

  func interruption(_ command: String) -> (verb: String, name: ClientName)? {
    let words = command.split(separator: " ").map(String.init)
    guard words.count > 2, words[0] == "interrupt", let name = ClientName(words[2]) else { return nil }
    return (words[1], name)
  }

  func port(of line: LineID, _ setup: Setup) -> OutputPort? {
    guard setup.senseLines.contains(line.index) else { return nil }
    return setup.sensedPorts[line.index]
  }

  /// Notes where sound stopped: it must resume there, unless the operator went elsewhere meanwhile (I2, P3).
  private mutating func noticeMoves(_ input: Input, _ before: World, _ setup: Setup) {
    switch input {
    case .audio(.playback(.silenced(let id, let position))):
      let isOurs =
        id == brain.player.stream.id && position?.track == brain.player.queue.track
        && !brain.player.engine.isSounding
      if isOurs { observed.silencedAt = position }
    case .console(let command):
      let stays = ["interrupt", "cue", "record", "category", "route", "volume", "status", "help", "pause"]
      if !stays.contains(where: command.hasPrefix) { observed.silencedAt = nil }
    case .timer(.settle(let line)):
      if setup.button(line) != nil || line.index == setup.selectorLine { observed.silencedAt = nil }
    case .timer(.held), .timer(.promptTimeout), .timer(.idleReset), .timer(.visitGap), .powerOn, .shutdown:
      observed.silencedAt = nil
    case .audio(.playback(.cueStarted)), .audio(.playback(.cueEnded)), .audio(.cueFailed),
      .audio(.playback(.outputRestored)), .audio(.playback(.underrun)),
      .audio(.otherOutputLost), .audio(.otherOutputRestored):
      break
    case .audio, .typed(_, .enter): observed.silencedAt = nil
    case .card(_, let token, _): if token != before.token { observed.silencedAt = nil }
    case .timer, .edge, .typed, .knob, .recorder, .storage, .ledger, .ranking, .coin, .health, .category, .library,
      .scheduled, .missed, .timetable, .hours, .quiet, .woke, .headsetVolume, .headset:
      break
    }
  }
}
