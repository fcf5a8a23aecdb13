import AudioSession

@testable import Jukebox

/// Keeps book of releases, wishes, interrupters and the output, from inputs alone.
extension World {
  mutating func notice(_ input: Input, _ before: World, _ setup: Setup) {
    if hasSessions { noticeMoves(input, setup) }
    switch input {
    case .edge(let line, _, _): noticeEdge(line, before, setup)
    case .woke(let asserted, _):
      for line in setup.senseLines.map(LineID.init)
      where before.brain.lines[line.index].debouncer.raw != asserted.contains(line) {
        noticeEdge(line, before, setup)
      }
    case .timer(.settle(let line)): noticeSettled(line, before, setup)
    case .timer(.held(let line)):
      if setup.button(line) == .play && !book.overtaken.contains(line) { book.released = nil }
    case .timer(.doublePress): book.isSecondOvertaken = false
    case .console(let command): if command == "play" || command.hasPrefix("route") { book.released = nil }
    case .audio(.outputLost): book.isOutputLost = true
    case .audio(.outputRestored): book.isOutputLost = false
    case .audio(.ended(let id)): if id == before.brain.stream.id { book.isCommanded = false }
    case .recorder(.stopped), .recorder(.failed): book.isCapturing = false
    case .powerOn, .timer, .audio, .recorder, .storage, .health, .category, .scheduled, .shutdown: break
    }
  }

  private mutating func noticeEdge(_ line: LineID, _ before: World, _ setup: Setup) {
    guard setup.senseLines.contains(line.index) else { return }
    let debouncer = before.brain.lines[line.index].debouncer
    guard debouncer.isSettled && debouncer.level, let port = port(of: line, setup), port.port == book.home else {
      return
    }
    // A better private port that came while the category had no route will have the music: nobody is surprised.
    let isReplaced = setup.ports.contains {
      $0.isPrivate && $0.priority > port.priority && before.brain.routes.connected.contains($0.port)
    }
    if port.isPrivate && !isReplaced && before.brain.transport.intent == .playing { book.released = port.port }
  }

  private mutating func noticeSettled(_ line: LineID, _ before: World, _ setup: Setup) {
    let debouncer = before.brain.lines[line.index].debouncer
    guard !debouncer.isSettled else { return }
    if setup.buttonLines.contains(line.index) { noticeFinger(line, debouncer, setup) }
    if setup.contactLines.contains(line.index) {
      let name = setup.contacts[line.index - setup.contactLines.lowerBound]
      if debouncer.raw != debouncer.level { book.silencedContacts.remove(name) }
      if !debouncer.raw && debouncer.level { book.typed.remove(name) }
    }
    guard let port = port(of: line, setup) else { return }
    noticePlug(port, debouncer, before, setup)
    let isBounce = debouncer.raw == debouncer.level && book.released == port.port
    let isPlug = debouncer.raw && !debouncer.level && (port.isPrivate || setup.settings.onConnect == .play)
    if isBounce || isPlug { book.released = nil }
  }

  private mutating func noticeFinger(_ line: LineID, _ debouncer: Debouncer, _ setup: Setup) {
    if debouncer.raw && !debouncer.level {
      let isSecond = setup.button(line) == .play && timers[.doublePress] != nil
      if isSecond && book.isSecondOvertaken { book.overtaken.insert(line) }
      // The rest of a gesture is overtaken with its beginning.
      book.isSecondOvertaken = setup.button(line) == .play && book.overtaken.contains(line)
      if setup.button(line) == .play && !book.overtaken.contains(line) { book.released = nil }
    } else if !debouncer.raw {
      book.overtaken.remove(line)
    }
  }

  /// What buttons were doing when the private route went, and a plug that makes the prompt untrue.
  private mutating func noticePlug(_ port: OutputPort, _ debouncer: Debouncer, _ before: World, _ setup: Setup) {
    if debouncer.level && !debouncer.raw && port.isPrivate && before.brain.routes.route.port == port.port {
      for line in setup.buttonLines where brain.lines[line].debouncer.level || !brain.lines[line].debouncer.isSettled {
        book.overtaken.insert(LineID(line))
      }
      book.isSecondOvertaken = timers[.doublePress] != nil
    }
    guard debouncer.raw && !debouncer.level, let loss = before.brain.transport.routeLoss, !loss.isSuspected else {
      return
    }
    var routes = before.brain.routes
    _ = routes.connect(port.port)
    if loss.from == port.port || port.isPrivate && routes.isPrivate { book.isPluggedAgain = true }
  }

  /// What the console has begun and ended; after the brain has answered, which may refuse.
  mutating func noteTyped(_ input: Input, _ before: World) {
    guard case .console(let command) = input, let (verb, name) = interruption(command) else { return }
    let wasActive = before.brain.session.isActive(name)
    if verb == "begin" && !wasActive && brain.session.isActive(name) { book.typed.insert(name) }
    if verb == "end" && wasActive {
      book.typed.remove(name)
      book.silencedContacts.insert(name)
    }
  }

  func interruption(_ command: String) -> (verb: String, name: String)? {
    let words = command.split(separator: " ").map(String.init)
    return words.count > 2 && words[0] == "interrupt" ? (words[1], words[2]) : nil
  }

  func port(of line: LineID, _ setup: Setup) -> OutputPort? {
    guard setup.senseLines.contains(line.index) else { return nil }
    return setup.sensedPorts[line.index]
  }

  /// Where sound stopped is where it goes on, unless somebody went elsewhere meanwhile (I2, P3).
  private mutating func noticeMoves(_ input: Input, _ setup: Setup) {
    switch input {
    case .audio(.silenced(let id, let position)):
      let isOurs = id == brain.stream.id && position?.track == brain.queue.track && !brain.commanded.isSounding
      if isOurs { book.stood = position }
    case .console(let command):
      let stays = ["interrupt", "cue", "record", "category", "route", "volume", "status", "help", "pause"]
      if !stays.contains(where: command.hasPrefix) { book.stood = nil }
    case .timer(.settle(let line)): if setup.button(line) != nil { book.stood = nil }
    case .timer(.held), .timer(.promptTimeout), .timer(.idleReset), .powerOn, .shutdown: book.stood = nil
    case .audio(.clipStarted), .audio(.clipEnded), .audio(.clipFailed), .audio(.outputRestored), .audio(.underrun),
      .audio(.otherOutputLost), .audio(.otherOutputRestored):
      break
    case .audio: book.stood = nil
    case .timer, .edge, .recorder, .storage, .health, .category, .scheduled, .woke: break
    }
  }
}
