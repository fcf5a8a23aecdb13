import AudioSession
import Board
import Jukebox

@testable import Simulator

/// Watches a kiosk from outside and says when it does what it must not: a model of the behaviour, beside the brain and
/// made of other parts. It knows the contacts, the log, and every sample that comes out.
public final class Judge: Witness {
  let kiosk: Kiosk
  /// See `Ledger`.
  private let order: [Int]
  var contacts: Contacts
  var routes: Routes
  var wishes: Wishes
  var ears: [Port: Ear] = [:]
  var ledger: Ledger
  var memory: Memory
  var tapes: Tapes
  var console = ConsoleLines()
  /// Of the scenario: the step that happens, and those whose commands were refused.
  private var line = 0
  private var refused: Set<Int> = []
  public internal(set) var violation: Violation?
  public private(set) var coverage = Coverage()

  var now = Instant.powerOn
  var isOn = false
  /// nil: it is awake.
  private var asleepSince: Instant?
  private var isAsleep: Bool { asleepSince != nil }
  /// What has just changed is not yet due everywhere.
  var wokeAt: Instant?
  var bootedAt: Instant?
  /// What was playing goes on, though something may hold it.
  var goesOnAtBoot = false
  /// What the log has last named as the route.
  var loggedRoute: Port?
  /// Who interrupts because the console said so; some may have been refused.
  var typedInterrupters: Set<String> = []
  /// Contacts that are closed, and whose client the console has sent away.
  var dismissed: Set<String> = []
  var isFailing = false
  var restoredAt: Instant?
  /// Since when it is as it is now.
  var playingSince: Instant?
  var levelSince = Instant.powerOn
  /// Since when a cue is heard.
  var cueSince: Instant?
  /// The plug of the port at which a cue is heard is out, and the cue has not ended yet.
  var isCueCut = false
  /// Since when it is ducked without a cue.
  var duckedSince = Instant.powerOn
  var fingers = Fingers()
  /// When the route was another for the last time.
  var switchedAt = Instant.powerOn
  /// When the console gave a command.
  var commandedAt: Instant?
  /// Buttons that are down, and those that were told to be stuck.
  var downSince: [String: Instant] = [:]
  var stuck: Set<String> = []
  /// When somebody or something was here last (K8).
  var touchedAt = Instant.powerOn
  var quietSince: Instant?
  var last: Scene?

  /// - Parameter recordings: folder in which the simulation keeps them.
  public init(_ kiosk: Kiosk, recordings: String) {
    self.kiosk = kiosk
    let settings = kiosk.settings.settings
    let order = kiosk.library.indices.filter { TestMusic.frames(of: kiosk.library[$0].name) != nil }.map { $0 + 1 }
    self.order = settings.shuffle ? [] : order
    ledger = Ledger(order: self.order)
    contacts = Contacts(kiosk.board)
    let category = kiosk.settings.clients.first { $0.name == SessionClient.music.name }?.category ?? .playback
    routes = Routes(ports: kiosk.board.ports.map(\.output), forced: settings.route, category: category)
    wishes = Wishes(settings: settings)
    memory = Memory(ports: kiosk.board.ports.map(\.output), settings: settings, playable: order)
    tapes = Tapes(folder: recordings, rate: kiosk.board.rate)
    for setup in kiosk.board.ports { ears[setup.output.port] = Ear(rate: kiosk.board.rate) }
  }

  public var hasSeenEnough: Bool { violation != nil }

  func demand(_ holds: Bool, _ row: String, _ message: @autoclosure () -> String) {
    if !holds && violation == nil { violation = Violation(row: row, at: now, message: message()) }
  }

  var route: Port? { routes.best(contacts) }

  // MARK: - What happens to it

  public func willDo(_ step: Scenario.Step, at now: Instant) {
    self.now = now
    line = step.line
    coverage.count(step.action)
    switch step.action {
    case .output(let fault):
      cutSound()
      isFailing = fault == .fail || isFailing && fault == .underrun
      if fault == .restore { restoredAt = now }
    case .outputRate(let rate):
      cutSound()
      restoredAt = now
      for port in ears.keys { ears[port]?.isForeign = rate != kiosk.board.rate }
    case .power(let power): willChange(power)
    case .storage(let state): memory.storage(state)
    case .consoleBlocked(let isBlocked): if isBlocked { console.block() } else { console.willFree(isAsleep: isAsleep) }
    case .microphone: tapes.isDisturbed = true
    case .plug, .unplug, .press, .line, .route, .console, .interruptBegin, .interruptEnd, .cue, .clock, .expect, .end:
      break
    }
  }

  private func willChange(_ power: PowerChange) {
    switch power {
    case .cut:
      cutSound()
      if isOn { memory.powerCut() }
      tapes.powerCut(at: now)
      isOn = false
      asleepSince = nil
      console.powerCut()
    case .on: break
    case .sleep:
      guard isOn && !isAsleep else { return }
      let steadySince = levelSince
      cutSound()
      levelSince = steadySince
      asleepSince = now
      tapes.isDisturbed = true
    case .wake:
      guard let since = asleepSince else { return }
      asleepSince = nil
      wokeAt = now
      console.willWake()
      // A fade that the sleep came into goes on behind it.
      levelSince = levelSince + (now - max(levelSince, since))
      // What was due in sleep happens now.
      let idleReset = kiosk.settings.settings.idleReset
      if idleReset > .zero && touchedAt + idleReset <= now { memory.reset() }
      wishes.restartLimit(at: now)
      if cueSince != nil { cueSince = now }
      quietSince = nil
      contacts.wake(at: now)
      fingers.wake()
      weigh()
    }
  }

  /// From this instant on the device plays nothing of what it has: that cannot fade, and takes time to come back.
  private func cutSound() {
    let frame = now.frame(rate: kiosk.board.rate)
    for port in ears.keys { ears[port]?.cut = frame }
    playingSince = nil
    levelSince = now
    for port in ears.keys { ears[port]?.musicDue = nil }
  }

  func weigh() { wishes.weigh(routes, contacts, at: now) }

  public func moved(_ line: String, asserted: Bool, at now: Instant) {
    self.now = now
    contacts.move(line, to: asserted, isSeen: isOn && !isAsleep, at: now)
    guard isOn && !isAsleep else { return }
    touchedAt = now
    weigh()
  }

  public func poweredOn(asserted: Set<String>, at now: Instant) {
    self.now = now
    isOn = true
    bootedAt = now
    goesOnAtBoot = false
    contacts.powerOn()
    let settings = kiosk.settings.settings
    routes.forced = settings.route
    routes.category = kiosk.settings.clients.first { $0.name == SessionClient.music.name }?.category ?? .playback
    wishes = Wishes(settings: settings)
    typedInterrupters = []
    dismissed = []
    ledger = Ledger(order: order)
    downSince = [:]
    duckedSince = now
    fingers = Fingers()
    for line in kiosk.board.lines where contacts[line.name].level {
      if case .button = line.role { downSince[line.name] = now }
    }
    stuck = []
    memory.willBoot()
    restoredAt = now
    cueSince = nil
    isCueCut = false
    weigh()
  }

  // MARK: - What it does

  public func replied(_ text: String) {
    for line in text.split(separator: "\n") { console.passed(line) }
    if text.hasPrefix("error: ") { refused.insert(line) }
  }

  /// K7: what is refused is told by its line, and nothing else is.
  func objection(to outcome: Simulation.Outcome) -> Violation? {
    let told = outcome.failures.filter { $0.contains(" to be obeyed, found error: ") }.compactMap {
      $0.split(separator: ":").dropFirst().first.flatMap { Int($0) }
    }
    if told == refused.sorted() { return nil }
    return Violation(row: "K7", at: now, message: "refused in the lines \(refused.sorted()), told of \(told)")
  }

  public func heard(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int, on port: Port) {
    ears[port]?.hear(samples, frames: frames, at: start)
  }

  public func logged(_ event: Event, at now: Instant) {
    self.now = now
    coverage.count(event.name)
    if isVisit(event) { touchedAt = now }
    if let objection = ledger.objection(to: event, at: now) { demand(false, objection.row, objection.message) }
    if let objection = console.objection(to: event, line: event.line(at: now)) { demand(false, "K6", objection) }
    follow(event)
    if let objection = tapes.objection(to: event, at: now) { demand(false, objection.row, objection.message) }
    if let objection = memory.objection(to: event, at: now) { demand(false, objection.row, objection.message) }
  }

  public func settled(_ scene: Scene) {
    now = scene.at
    coverage.settled(scene)
    defer { last = scene }
    guard let status = scene.status, !scene.isAsleep else { return rest(scene) }
    wishes.settleSkip()
    if wokeAt == scene.at {
      weigh()
      return checkSound(status)
    }
    checkContacts()
    weigh()
    if bootedAt == scene.at { acceptBoot(status) }
    checkTransport(status, scene)
    checkRoute(status)
    checkSound(status)
    checkPatience(status, scene)
    checkButtons()
    checkIdle(status)
    if let objection = memory.objection(to: status, at: now, isPlaying: wishes.wanted == .playing) {
      demand(false, objection.row, objection.message)
    }
    collectComplaints()
  }

  /// Without power and in sleep all is silent.
  private func rest(_ scene: Scene) {
    let frame = now.frame(rate: kiosk.board.rate)
    for port in ears.keys {
      if ears[port]?.musicEnd == nil { ears[port]?.musicEnd = frame }
      if ears[port]?.cueEnd == nil { ears[port]?.cueEnd = frame }
      ears[port]?.musicDue = nil
      ears[port]?.pass(until: frame)
    }
    demand(scene.status != nil || scene.isAmplifierMuted, "amplifier", "it is open without power")
    collectComplaints()
  }

  private func collectComplaints() {
    for (port, ear) in ears {
      guard let complaint = ear.complaint else { continue }
      let at = Instant.of(frame: complaint.frame, rate: kiosk.board.rate)
      if violation == nil || at < (violation?.at ?? at) {
        violation = Violation(row: complaint.row, at: at, message: "\(port.rawValue): \(complaint.message)")
      }
    }
  }
}

/// What is wrong, and with which row.
struct Objection {
  var row: String
  var message: String

  init(_ row: String, _ message: String) {
    self.row = row
    self.message = message
  }
}
