import AudioSession
import Files
import Jukebox

/// Performs the steps of a scenario.
extension Simulation {
  func perform(_ step: Scenario.Step) {
    switch step.action {
    case .plug(let port, let bounce): move(port, to: true, bounce)
    case .unplug(let port, let bounce): move(port, to: false, bounce)
    case .press(let button, let hold): press(button, hold)
    case .turn(let knob, let detents, let time, let bounce): turn(knob, by: detents, in: time, bouncing: bounce)
    case .coin(let line, let pulses): dropCoin(line, pulses: pulses)
    case .type(let text, let reader, let isEnded): type(text, on: reader, isEnded: isEnded)
    case .card(let token, let reader):
      laidCards[reader] = token
      tellCards()
    case .line(let name, let asserted):
      if let line = line(named: name) {
        contacts.cancel(line)
        set(line, asserted)
      }
    case .console(let text): typeCommand(text, step)
    case .consoleBlocked(let isBlocked):
      console.isBlocked = isBlocked
      freeConsole()
    case .headset(let address, let change): headsets.change(address, change, at: clock.now)
    case .microphone(.file(let path)): if let sound = sounds[path] { microphone.feed(sound) }
    case .microphone(.fail): microphone.unplug()
    case .microphone(.restore): microphone.plugIn()
    case .output(let fault):
      if !devices.apply(fault) { notes.append("\(scenario.file):\(step.line): note: no device plays, nothing happens") }
    case .outputRate(let rate): devices.setRate(rate)
    case .outputCard(let port, let card): devices.setCard(card, of: port)
    case .outputVolume(let port, let level): turn(port, to: level)
    case .outputOpening(let port, let time): devices.setOpening(time, of: port)
    case .outputLink(let port, let isSilent): devices.setLink(of: port, isSilent: isSilent)
    case .storage(let state): storage = state
    case .music(let change):
      if let reason = music.apply(change, at: clock.now) {
        notes.append("\(scenario.file):\(step.line): note: \(reason)")
      }
    case .power(let power): change(to: power)
    case .clock(let time?, let second, let day):
      wallClock.set(time, second: second, day: day)
      // The kernel wakes whoever waits for a time of day.
      if !isAsleep { feedSchedule() }
    case .clock(nil, _, _): if driver == nil { wallClock.forget() }
    case .expect(let expected): check(expected, line: step.line)
    case .end: break
    }
  }

  /// Reads the sounds for the microphone, by path, before the first step, so that a file that cannot be read fails early.
  static func sounds(of scenario: Scenario) throws(FileError) -> [String: WAVSound] {
    var sounds: [String: WAVSound] = [:]
    for step in scenario.steps {
      guard case .microphone(.file(let path)) = step.action, sounds[path] == nil else { continue }
      do throws(FileError) {
        sounds[path] = try WAVSound.read(path)
      } catch {
        throw FileError(file: scenario.file, line: step.line, field: "microphone", message: error.description)
      }
    }
    return sounds
  }

  /// Types at a reader. A system that sleeps or has no power does not get it.
  private func type(_ text: String, on reader: String, isEnded: Bool) {
    guard let driver, !isAsleep, let index = configuration.readers.firstIndex(of: reader) else { return }
    for key in (TypedKey.keys(of: text) ?? []) + (isEnded ? [.enter] : []) {
      driver.feed(.typed(ReaderID(index), key), at: clock.now)
    }
  }

  /// Tells of what lies on the readers that say so, as they do whenever they are asked.
  func tellCards() {
    guard let driver, !isAsleep else { return }
    for (index, reader) in board.readers.enumerated() where reader.lift != nil {
      driver.feed(.card(ReaderID(index), token: laidCards[reader.name], at: clock.now), at: clock.now)
    }
  }

  /// Types a command on the serial console. A sleeping system does not get it.
  private func typeCommand(_ command: String, _ step: Scenario.Step) {
    guard let driver, !isAsleep else { return }
    refusal = nil
    driver.feed(.console(command), at: clock.now)
    let command = Wording.quoted(command)
    let place = "\(scenario.file):\(step.line): expected \(command)"
    switch (step.isRefused, refusal) {
    case (false, nil): break
    // A failure, unless the next `expect` names the refusal.
    case (false, .some(let reply)): refusals.append("\(place) to be obeyed, found \(Wording.oneLine(reply))")
    case (true, nil):
      expectations += 1
      failures.append("\(place) to be refused, found it obeyed")
    case (true, .some): expectations += 1
    }
  }

  /// Counts refused commands as failures, unless this `expect` names an event of a refusal.
  func failRefusals(named expected: [Expectation] = []) {
    let isExpected = expected.contains { expectation in
      guard case .event(let name, _) = expectation else { return false }
      return name == .consoleCommand || name == .cueFailed || name == .sessionRefused
    }
    if !isExpected {
      expectations += refusals.count
      failures += refusals
    }
    refusals = []
  }

  private func change(to power: PowerChange) {
    switch power {
    case .cut: cutPower()
    case .on: if driver == nil { powerOn() }
    case .sleep:
      guard driver != nil, !isAsleep else { return }
      asleepSince = clock.now
      devices.suspend()
    case .wake:
      guard let since = asleepSince else { return }
      asleepSince = nil
      freeConsole()
      // This comes before the engine is serviced: a port that was unplugged in sleep must not sound even briefly.
      driver?.feed(.woke(asserted: contacts.asserted, slept: clock.now - since), at: clock.now)
      readKnobs()
      reportHeadsets()
      tellCards()
      feedSchedule()
    }
  }

  // MARK: - Contacts

  private func line(named name: String) -> LineID? {
    configuration.lines.firstIndex { $0.name == name }.map(LineID.init)
  }

  func set(_ line: LineID, _ asserted: Bool) {
    guard contacts.set(line, asserted: asserted), !moveKnob(line, asserted) else { return }
    let name = configuration.lines[line.index].name
    for port in configuration.ports where port.isWireless && port.sense == .line(name) {
      offer(port.port, asserted)
    }
    observer?.moved(name, asserted: asserted, at: clock.now)
    guard !isAsleep else { return }
    reportHeadset(behind: line, isThere: asserted)
    driver?.feed(.edge(line, asserted: asserted, at: clock.now), at: clock.now)
  }

  private func move(_ port: Port, to level: Bool, _ bounce: Duration) {
    guard let setup = configuration.ports.first(where: { $0.port == port }), case .line(let name) = setup.sense,
      let line = line(named: name)
    else { return }
    contacts.cancel(line)
    let planned = ContactBounce.edges(
      of: line, to: level, bouncing: bounce, seed: UInt64(clock.now.nanoseconds))
    for edge in planned where edge.after == .zero { set(line, edge.asserted) }
    contacts.plan(planned.filter { $0.after > .zero }, at: clock.now)
  }

  private func press(_ button: Button, _ hold: Duration) {
    guard let index = configuration.lines.firstIndex(where: { $0.role == .button(button) }) else { return }
    contacts.cancel(LineID(index))
    set(LineID(index), true)
    contacts.plan([KeyEdge(line: LineID(index), asserted: false, after: hold)], at: clock.now)
  }
}
