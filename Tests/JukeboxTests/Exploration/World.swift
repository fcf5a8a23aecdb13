import AudioSession

@testable import Jukebox

/// What is explored: a board, the owner's settings, and what may happen.
struct Setup {
  var ports: [OutputPort]
  var tracks = 2
  var settings = Settings()
  /// Console commands a person may give.
  var commands = ["play", "stop"]
  /// Play held and Play twice.
  var hasGestures = false
  var hasCategories = false
  /// The device may go and come back.
  var hasFaults = false
  /// Files may turn out bad.
  var hasBadFiles = false
  var hasIdleReset = false
  /// How many reports may wait before the engine does more by itself; nil: all are delivered at once.
  var backlog: Int?
  /// Whether reports of an older stream are delivered too, to be ignored.
  var keepsStaleReports = false
  /// Start with something saved, to be gone on with.
  var saved = PowerOn.Saved.nothing

  var lines: [Line] {
    ports.compactMap { port in
      guard case .line(let name) = port.sense else { return nil }
      return Line(name: name, role: .sense)
    } + [Line(name: "PLAY", role: .button(.play))]
  }

  var senseLines: Range<Int> { 0..<(lines.count - 1) }
  var button: LineID { LineID(lines.count - 1) }
}

/// One thing that happens.
enum Step: Hashable {
  case edge(Int)
  case timer(TimerID)
  case command(Int)
  case playHeld
  case playTwice
  case category(SessionCategory)
  /// The oldest report reaches the brain.
  case report
  case decoded
  case undecodable
  case heardOut
  case deviceBreaks
  case deviceRepaired
}

/// The brain and all around it, with the clock frozen: what is armed may fire at any moment, which covers every order
/// that real time could bring and some that it could not.
struct World {
  /// The frame that every fade-out ends at: late enough for Previous to mean the start of the track.
  static let heardFrame = 200_000
  static let now = Instant.powerOn

  var brain: Jukebox
  var engine = EngineModel()
  var timers: Set<TimerID> = []
  /// The last that the engine was told of play and silence.
  var isCommanded = false
  /// The private port whose release began, until somebody or something lets the music go on.
  var released: Port?
  /// The last port that was the route.
  var home: Port?
  /// The brain was told that the output is lost, and not yet that it is back.
  var isOutputLost = false
  /// What a rule forbids and the brain did.
  var complaints: [String] = []

  init(_ setup: Setup, plugged: Set<LineID>) {
    let configuration = Configuration(
      rate: 48_000, lines: setup.lines, ports: setup.ports, settings: setup.settings)
    let library = (0..<setup.tracks).map { Track(path: "\($0)", name: "\($0)") }
    brain = Jukebox(configuration: configuration, library: library)
    engine.frozenFrame = Self.heardFrame
    feed(.powerOn(PowerOn(asserted: plugged, saved: setup.saved)), setup)
  }

  // MARK: - What may happen

  func steps(_ setup: Setup) -> [Step] {
    var steps = engineSteps(setup)
    guard engine.reports.count <= setup.backlog ?? 0 else { return steps }
    steps += setup.senseLines.map(Step.edge)
    steps += timers.filter { $0 != .save && ($0 != .idleReset || setup.hasIdleReset) }.map(Step.timer)
    steps += setup.commands.indices.map(Step.command)
    if setup.hasGestures { steps += [.playHeld, .playTwice] }
    if setup.hasCategories { steps += [.category(brain.routes.category == .record ? .playback : .record)] }
    return steps
  }

  private func engineSteps(_ setup: Setup) -> [Step] {
    var steps: [Step] = []
    if !engine.reports.isEmpty { steps.append(.report) }
    guard engine.reports.count < setup.backlog ?? 1 else { return steps }
    if case .opening = engine.decoder, engine.marks.count < 2 {
      steps.append(.decoded)
      if setup.hasBadFiles { steps.append(.undecodable) }
    }
    if engine.phase == .running && (engine.marks.count > 1 || engine.isClosed) { steps.append(.heardOut) }
    if setup.hasFaults { steps.append(engine.deviceWorks ? .deviceBreaks : .deviceRepaired) }
    return steps
  }

  mutating func take(_ step: Step, _ setup: Setup) {
    let inputs = inputs(of: step, setup)
    switch step {
    case .edge, .timer, .command, .playHeld, .playTwice, .category, .report: break
    case .decoded: engine.decoded(at: Self.now)
    case .undecodable: engine.failed("bad")
    case .heardOut: engine.heardOut(at: Self.now)
    case .deviceRepaired: engine.deviceWorks = true
    case .deviceBreaks:
      engine.deviceWorks = false
      if engine.isOpen && engine.phase == .running { engine.lose(at: Self.now) }
    }
    for input in inputs { feed(input, setup) }
    dropStaleReports(setup)
    guard setup.backlog == nil else { return }
    drain(setup)
  }

  private mutating func inputs(of step: Step, _ setup: Setup) -> [Input] {
    let button = setup.button
    func move(_ asserted: Bool) -> [Input] {
      [.edge(button, asserted: asserted, at: Self.now), .timer(.settle(button))]
    }
    switch step {
    case .edge(let line):
      return [.edge(LineID(line), asserted: !brain.lines[line].debouncer.raw, at: Self.now)]
    case .timer(let timer): return [.timer(timer)]
    case .command(let index): return [.console(setup.commands[index])]
    case .playHeld: return move(true) + [.timer(.doublePress), .timer(.held(button))] + move(false)
    case .playTwice: return move(true) + move(false) + move(true) + move(false)
    case .category(let category): return [.category(category)]
    case .report: return [.audio(engine.reports.removeFirst())]
    case .decoded, .undecodable, .heardOut, .deviceBreaks, .deviceRepaired: return []
    }
  }

  /// Lets the engine and the decoder say all they have to say.
  mutating func drain(_ setup: Setup) {
    for _ in 0..<100 {
      if !engine.reports.isEmpty {
        feed(.audio(engine.reports.removeFirst()), setup)
      } else if case .opening = engine.decoder, engine.marks.count < 2 {
        engine.decoded(at: Self.now)
      } else {
        return
      }
      dropStaleReports(setup)
    }
    complaints.append("brain and engine never come to rest")
  }

  private mutating func dropStaleReports(_ setup: Setup) {
    if !setup.keepsStaleReports { engine.reports.removeAll { $0.stream.map { $0 != brain.stream.id } ?? false } }
  }
}

extension AudioReport {
  /// The stream it speaks of, if any.
  var stream: UInt8? {
    switch self {
    case .started(let id, _, _), .silenced(let id, _), .opened(let id, _, _), .began(let id, _, _),
      .failed(let id, _, _), .brokeOff(let id, _, _), .ended(let id):
      id
    case .underrun, .outputLost, .outputRestored, .outputChanged, .otherOutputLost, .otherOutputRestored, .clipStarted,
      .clipEnded, .clipFailed:
      nil
    }
  }
}
