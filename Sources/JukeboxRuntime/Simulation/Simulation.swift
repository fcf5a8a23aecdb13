import AudioSession
import Board
import Jukebox
import SimulatedBoard

/// Plays a scenario on a simulated board in virtual time: the brain and the audio engine of the firmware, one thread,
/// no clock but its own. The same input gives the same log and the same sound, byte for byte.
public final class Simulation {
  public struct Outcome: Hashable, Sendable {
    /// One line for every expectation that did not hold: `FILE:LINE: expected …, found …`.
    public var failures: [String]
    public var expectations: Int
    /// Simulated time.
    public var end: Instant
    /// How much of the time each port sounded, in the board's order.
    public var heard: [Heard]
  }

  public struct Heard: Hashable, Sendable {
    public var port: Port
    public var time: Duration
  }

  let scenario: Scenario
  let board: BoardDescription
  private let configuration: Configuration
  private let library: [Track]
  private let opener: any TrackOpener
  let clock = VirtualClock()
  let ears: [PortEar]
  let devices: VirtualDevices
  private let onLine: (String) -> Void
  private let onReply: (String) -> Void

  var driver: Driver?
  private var wait = AudioEngine.Wait.signal
  private var levels: [LineID: Bool] = [:]
  private var edges: [PlannedEdge] = []
  private var saved = PowerOn.Saved.nothing
  /// Events since the last `expect`.
  var recent: [Event] = []
  var failures: [String] = []
  var expectations = 0

  private struct PlannedEdge {
    var line: LineID
    var asserted: Bool
    var at: Instant
  }

  /// - Parameters:
  ///   - audio: folder for a WAV a port, which must exist; nil: none are written.
  ///   - onLine: gets every line of the event log.
  ///   - onReply: gets the answers to console commands.
  public init(
    scenario: Scenario, board: BoardDescription, settings: Settings, library: [Track], opener: any TrackOpener,
    audio: String?, onLine: @escaping (String) -> Void, onReply: @escaping (String) -> Void = { _ in }
  ) throws(FileError) {
    self.scenario = scenario
    self.board = board
    configuration = board.configuration(settings: settings)
    self.library = library
    self.opener = opener
    self.onLine = onLine
    self.onReply = onReply
    var ears: [PortEar] = []
    for setup in board.ports {
      let port = setup.output.port
      var wav: WAVWriter?
      if let audio { wav = try WAVWriter(path: FileAccess.join(audio, "\(port.rawValue).wav"), rate: board.rate) }
      ears.append(PortEar(port: port, rate: board.rate, wav: wav))
    }
    self.ears = ears
    devices = VirtualDevices(
      clock: clock, ears: Dictionary(ears.map { ($0.port, $0) }) { first, _ in first })
  }

  public func run() throws(FileError) -> Outcome {
    var steps = scenario.steps[...]
    // What happens to the lines at 0 s is their state at power on.
    while let step = steps.first, step.at == .powerOn, setsLevels(step.action) {
      perform(step)
      steps = steps.dropFirst()
    }
    powerOn()
    while let step = steps.first {
      pass(until: step.at)
      perform(step)
      settle()
      steps = steps.dropFirst()
      if step.action == .end { break }
    }
    devices.catchUp()
    for ear in ears { try ear.finish(at: clock.now.frame(rate: board.rate)) }
    let heard = ears.map { Heard(port: $0.port, time: .covering(frames: $0.soundingFrames, rate: board.rate)) }
    return Outcome(failures: failures, expectations: expectations, end: clock.now, heard: heard)
  }

  private func setsLevels(_ action: Scenario.Action) -> Bool {
    switch action {
    case .plug, .unplug, .line: true
    case .press, .route, .console, .output, .powerCut, .powerOn, .expect, .end: false
    }
  }

  // MARK: - Time

  /// Lets everything happen that is due until `end`, at its own moment.
  private func pass(until end: Instant) {
    while true {
      let next = [edges.first?.at, driver?.nextTimer, engineMoment].compactMap { $0 }.min() ?? end
      clock.advance(to: min(next, end))
      happen()
      if next > end || (next == end && clock.now == end && !isDue(by: end)) { return }
    }
  }

  private func isDue(by end: Instant) -> Bool {
    [edges.first?.at, driver?.nextTimer, engineMoment].contains { $0.map { $0 <= end } ?? false }
  }

  private var engineMoment: Instant? {
    guard driver != nil else { return nil }
    switch wait {
    case .signal: return nil
    case .until(let instant), .device(let instant): return instant
    }
  }

  /// All that is due now: the engine first, as sound is ahead of every decision about it.
  private func happen() {
    settle()
    while let edge = edges.first, edge.at <= clock.now {
      edges.removeFirst()
      set(edge.line, edge.asserted)
      settle()
    }
    driver?.fireTimers(at: clock.now)
    settle()
  }

  /// Lets brain, engine and decoder answer each other until all wait.
  private func settle() {
    guard let driver else { return }
    var isBusy = true
    while isBusy {
      isBusy = false
      wait = driver.engine.service(at: clock.now)
      while driver.decoder.step() == .worked { isBusy = true }
      if driver.pumpReports(at: clock.now) { isBusy = true }
    }
  }

  // MARK: - What happens

  private func perform(_ step: Scenario.Step) {
    switch step.action {
    case .plug(let port, let bounce): move(port, to: true, bounce)
    case .unplug(let port, let bounce): move(port, to: false, bounce)
    case .press(let button, let hold): press(button, hold)
    case .line(let name, let asserted):
      if let line = line(named: name) {
        still(line)
        set(line, asserted)
      }
    case .route(let port): driver?.feed(.console("route \(port?.rawValue ?? "auto")"), at: clock.now)
    case .console(let text): driver?.feed(.console(text), at: clock.now)
    case .output(let fault): devices.apply(fault)
    case .powerCut: cutPower()
    case .powerOn: if driver == nil { powerOn() }
    case .expect(let claims): check(claims, line: step.line)
    case .end: break
    }
  }

  private func line(named name: String) -> LineID? {
    configuration.lines.firstIndex { $0.name == name }.map(LineID.init)
  }

  /// Something new moves the contact: what it was still to do is over.
  private func still(_ line: LineID) { edges.removeAll { $0.line == line } }

  private func set(_ line: LineID, _ asserted: Bool) {
    guard levels[line, default: false] != asserted else { return }
    levels[line] = asserted
    driver?.feed(.edge(line, asserted: asserted, at: clock.now), at: clock.now)
  }

  private func plan(_ line: LineID, _ asserted: Bool, after delay: Duration) {
    let edge = PlannedEdge(line: line, asserted: asserted, at: clock.now + delay)
    edges.insert(edge, at: edges.firstIndex { $0.at > edge.at } ?? edges.count)
  }

  private func move(_ port: Port, to level: Bool, _ bounce: Duration) {
    guard let setup = configuration.ports.first(where: { $0.port == port }), case .line(let name) = setup.sense,
      let line = line(named: name)
    else { return }
    still(line)
    let chatter = ContactBounce.edges(to: level, chattering: bounce, seed: UInt64(clock.now.nanoseconds))
    for edge in chatter {
      if edge.after == .zero { set(line, edge.asserted) } else { plan(line, edge.asserted, after: edge.after) }
    }
  }

  private func press(_ button: Button, _ hold: Duration) {
    guard let index = configuration.lines.firstIndex(where: { $0.role == .button(button) }) else { return }
    still(LineID(index))
    set(LineID(index), true)
    plan(LineID(index), false, after: hold)
  }

  // MARK: - Power

  private func powerOn() {
    let outputs = board.ports.map { AudioEngine.Output(port: $0.output.port, device: $0.output.port.rawValue) }
    let engine = AudioEngine(outputs: outputs, opener: devices, rate: board.rate, buffer: board.buffer)
    let decoder = Decoder(engine: engine, opener: opener, paths: library.map(\.path))
    let jukebox = Jukebox(configuration: configuration, library: library)
    let driver = Driver(jukebox: jukebox, engine: engine, decoder: decoder, world: self)
    self.driver = driver
    let asserted = Set(levels.filter(\.value).keys)
    driver.feed(.powerOn(PowerOn(asserted: asserted, saved: saved, seed: 1)), at: clock.now)
    settle()
  }

  private func cutPower() {
    devices.cutPower()
    driver = nil
    wait = .signal
  }
}

extension Simulation: World {
  func log(_ event: Event, at now: Instant) {
    recent.append(event)
    onLine(event.line(at: now))
  }

  func lamp(_ pattern: LampPattern) {}

  func reply(_ text: String) { onReply(text) }

  func save(_ state: SavedState) -> StorageReport? {
    saved = .state(state)
    return .saved
  }
}
