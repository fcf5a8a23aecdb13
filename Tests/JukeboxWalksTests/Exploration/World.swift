import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// The brain with models of everything around it. With the clock frozen, any timer that is set may fire at any moment,
/// which covers every order that real time allows and some that it does not.
struct World {
  /// The frame that every fade-out ends at while the clock is frozen: late enough for Previous to mean the start of the
  /// track.
  static let heardFrame = 200_000

  var now = Instant.powerOn
  var brain: Jukebox
  var engine = EngineModel()
  var recorder = RecorderModel()
  var timers: [TimerID: Instant] = [:]
  var saved: SavedState?
  /// As it was written last.
  var ledger: Ledger?
  /// Numbers of the writes that are not answered yet.
  var keptLedgers: [Int] = []
  var observed = Observations()
  /// By the number of the cue: what its time of day has asked for and is not done with yet, and the day that is done.
  var dailyAsked: Set<Speech.Request> = []
  var dailyDone: [Int: CalendarDay] = [:]
  /// Whether clients other than the music can have the session; without them its rules need no check.
  let hasSessions: Bool
  /// The violations of rules so far.
  var violations: [String] = []

  /// What the rules have observed, from inputs and effects alone.
  struct Observations {
    /// Whether the last command to the engine was to play.
    var isCommanded = false
    /// The private port whose release began, until something allows the music to resume.
    var released: Port?
    /// The last port that was the route.
    var lastRoute: Port?
    /// Whether the engine has reported the loss of the output, and not yet its return.
    var isOutputLost = false
    /// The port that the cue is heard on, or would be.
    var cuePort: Port?
    var isAmplifierMuted = true
    /// Whether the last command to the recorder was to start.
    var isCapturing = false
    /// Interrupters that the console has begun, and closed contacts whose interruption it has ended.
    var consoleInterrupters: Set<ClientName> = []
    var silencedContacts: Set<ClientName> = []
    /// Where the engine fell silent, as long as nothing moved the position.
    var silencedAt: Position?
    /// Buttons that were down or moving when the private port was lost, and whether a second press of Play was awaited then.
    var overtaken: Set<LineID> = []
    var isSecondOvertaken = false
    /// Whether a private plug, or the one that the prompt is about, came back while the prompt was shown.
    var isPluggedAgain = false
    /// The intent by the last log line about the music.
    var logged = Intent.stopped
    /// What is typed at the keypad, and whether the private port was lost meanwhile.
    var typed = ""
    var isTypedOvertaken = false
    /// The token that was read last, and when.
    var read: [String: Instant] = [:]
    /// Whether a visit is under way, by the log.
    var isVisited = false
    /// In a visit: the last private port is out, the gap has passed since, and nobody has done anything meanwhile.
    var isGapOver = false
    /// The console has set a volume while no visit was under way.
    var isVolumeSet = false
    /// Where each playlist was left.
    var left: [String: Position] = [:]
  }

  init(_ setup: Setup, plugged: Set<LineID>) {
    hasSessions = setup.hasSessions
    var configuration = Configuration(
      rate: 48_000, lines: setup.lines, readers: setup.readers, ports: setup.ports,
      input: setup.input, clients: setup.clients,
      cues: setup.cues, settings: setup.settings)
    if !setup.cards.isEmpty { configuration.readerLifts["card"] = .milliseconds(700) }
    let names = setup.names.isEmpty ? (0..<setup.tracks).map { "\($0)" } : setup.names
    let library = names.map { Track(path: $0, name: $0) }
    brain = Jukebox(configuration: configuration, library: library)
    if !setup.hasClock { engine.frozenFrame = Self.heardFrame }
    engine.faultyPort = setup.ports.first(where: \.isWireless)?.port
    engine.opensSlowly = setup.opensSlowly
    feed(.powerOn(PowerOn(asserted: plugged, saved: setup.saved)), setup)
  }

  // MARK: - What may happen

  func steps(_ setup: Setup) -> [Step] {
    var steps = worldSteps(setup)
    guard engine.reports.count <= setup.backlog ?? 0 else { return steps }
    steps += setup.senseLines.map(Step.edge)
    steps += setup.contactAndSenseLines.dropFirst(setup.senseLines.count)
      .map(setup.hasBouncingContacts ? Step.edge : Step.move)
    if setup.hasButtonEdges { steps += setup.buttonLines.map(Step.edge) }
    steps += [setup.selectorLine].compactMap { $0.map(Step.move) }
    if setup.hasSleep { steps += [.slept(moved: 0)] + brain.lines.indices.map { .slept(moved: 1 << UInt32($0)) } }
    steps += timers.keys.filter { isExplored($0, setup) }.map(Step.timer)
    let isFull = brain.cues.speech.waiting.count >= setup.mostWaiting
    steps += setup.commands.indices.filter { !isFull || !setup.commands[$0].hasPrefix("cue") }.map(Step.command)
    if setup.hasReader {
      steps.append(.key(.enter))
      if observed.typed.count < 2 { steps.append(.key(.character(UInt8(ascii: "2")))) }
    }
    if !setup.cards.isEmpty { steps += [.card(nil)] + setup.cards.map(Step.card) }
    if setup.hasGestures { steps += [.playHeld, .playTwice] }
    steps += setup.categories.filter { $0 != brain.routes.category }.map(Step.category)
    return steps
  }

  private func isExplored(_ timer: TimerID, _ setup: Setup) -> Bool {
    switch timer {
    case .save, .ledger, .recorderAnswer: false
    case .idleReset: setup.hasIdleReset
    case .visitGap: true
    case .stuck: !setup.hasButtonEdges
    case .settle, .held, .doublePress, .typing, .lift, .contact, .coin, .coinBoot, .knob, .resumeWindow, .promptTimeout,
      .trial, .outputRetry, .storageRetry, .portRetry, .interruptionLimit, .folderLimit, .cueLimit, .duckLimit,
      .recordingLimit, .closing, .silence, .quiet, .notice, .headsetVolume, .pairingWindow, .refusals, .headsetCall,
      .sleep, .signal, .ranking, .attract:
      true
    }
  }

  /// The steps that engine, decoder and recorder may take.
  func worldSteps(_ setup: Setup) -> [Step] {
    var steps: [Step] = []
    if !engine.reports.isEmpty { steps.append(.report) }
    if engine.reports.count < setup.backlog ?? 1 { steps += engineSteps(setup) }
    if !recorder.reports.isEmpty { steps.append(.recorderReport) }
    switch recorder.phase {
    case .idle: break
    case .starting: steps += setup.hasRecorderFaults ? [.recorderBegins, .recorderCannot] : [.recorderBegins]
    case .capturing: steps += setup.hasRecorderFaults ? [.recorderBreaks] : []
    case .stopping: steps += setup.hasRecorderFaults ? [.recorderEnds, .recorderBreaks] : [.recorderEnds]
    }
    return steps
  }

  private func engineSteps(_ setup: Setup) -> [Step] {
    var steps: [Step] = []
    if case .opening = engine.decoder, engine.tracks.count < 2 {
      steps.append(.decoded)
      if setup.hasBadFiles { steps.append(.undecodable) }
    }
    if setup.settings.requests != nil && engine.isClosed && !engine.isEndDecoded && engine.decoder == .idle {
      steps.append(.endDecoded)
    }
    if engine.phase == .running && (engine.tracks.count > 1 || engine.isClosed) { steps.append(.heardOut) }
    if setup.hasFaults { steps.append(engine.deviceWorks ? .deviceBreaks : .deviceRepaired) }
    if setup.hasFaults && !engine.others.isEmpty { steps.append(.otherBreaks) }
    if engine.ahead != nil { steps.append(.deviceOpens) }
    if setup.hasRateChanges && engine.isOpen && engine.deviceWorks && engine.ahead == nil {
      steps.append(.deviceReshaped)
    }
    if engine.isCueDue && engine.isOpen { steps.append(.cueBegins) }
    if engine.speaking != nil { steps.append(.cueEnds) }
    if setup.hasBadCues && engine.cue != nil { steps.append(.cueFails) }
    return steps
  }

  // MARK: - What happens

  mutating func take(_ step: Step, _ setup: Setup) {
    if case .wait(let time) = step { now = now + .nanoseconds(time) }
    if case .reboot = step { return reboot(setup) }
    let inputs = inputs(of: step, setup)
    happen(step)
    for input in inputs { feed(input, setup) }
    dropStaleReports(setup)
    guard setup.backlog == nil else { return }
    drain(setup, onlyReports: true)
  }

  /// Applies the step to engine and recorder.
  private mutating func happen(_ step: Step) {
    switch step {
    case .edge, .move, .timer, .command, .key, .card, .playHeld, .playTwice, .category, .scheduled, .slept, .wait,
      .reboot, .saveFails, .report, .recorderReport:
      break
    case .decoded: engine.decoded(at: now)
    case .undecodable: engine.failed("bad")
    case .endDecoded: engine.isEndDecoded = true
    case .brokeOff: engine.breaksOff(at: now)
    case .heardOut: engine.heardOut(at: now)
    case .underrun: engine.runsEmpty(at: now)
    case .deviceRepaired: engine.deviceWorks = true
    case .deviceBreaks:
      engine.breaks(at: now)
    case .deviceReshaped: engine.reshape(at: now)
    case .deviceOpens: engine.arrive(at: now)
    case .otherBreaks:
      if let port = engine.others.keys.min(by: { $0.rawValue < $1.rawValue }) {
        engine.reports.append(.otherOutputLost(port, reason: "gone"))
      }
    case .cueBegins: engine.cueBegins(at: now)
    case .cueEnds: engine.cueHeardOut(at: now)
    case .cueFails: engine.failCue("bad")
    case .recorderBegins: recorder.begins()
    case .recorderCannot: recorder.cannotBegin()
    case .recorderEnds: recorder.ends()
    case .recorderBreaks: recorder.breaks(.diskFull)
    }
  }

  /// The inputs that the step gives the brain.
  private mutating func inputs(of step: Step, _ setup: Setup) -> [Input] {
    let button = setup.button
    let now = now
    func move(_ asserted: Bool) -> [Input] {
      [.edge(button, asserted: asserted, at: now), .timer(.settle(button))]
    }
    switch step {
    case .edge(let line): return [.edge(LineID(line), asserted: !brain.lines[line].debouncer.raw, at: now)]
    case .move(let line):
      return [
        .edge(LineID(line), asserted: !brain.lines[line].debouncer.raw, at: now), .timer(.settle(LineID(line))),
      ]
    case .timer(let timer):
      guard let due = timers[timer], due <= now || !setup.hasClock else { return [] }
      return [.timer(timer)]
    case .command(let index): return [.console(setup.commands[index])]
    case .key(let key): return [.typed(ReaderID(0), key)]
    case .card(let token): return [.card(ReaderID(setup.readers.count - 1), token: token, at: now)]
    case .playHeld: return move(true) + [.timer(.doublePress), .timer(.held(button))] + move(false)
    case .playTwice: return move(true) + move(false) + move(true) + move(false)
    case .category(let category): return [.category(category)]
    case .scheduled(let cue, let day): return [.scheduled(cue: cue, on: CalendarDay(year: 2026, month: 1, day: day))]
    case .slept(let moved):
      let lines = brain.lines.indices.filter { brain.lines[$0].debouncer.raw != (moved & (1 << UInt32($0)) != 0) }
      return [.woke(asserted: Set(lines.map(LineID.init)), slept: .zero)]
    case .saveFails: return [.storage(.failed(reason: "full"))]
    case .report: return engine.reports.isEmpty ? [] : [.audio(engine.reports.removeFirst())]
    case .recorderReport: return recorder.reports.isEmpty ? [] : [.recorder(recorder.reports.removeFirst())]
    case .wait, .reboot, .decoded, .undecodable, .endDecoded, .brokeOff, .heardOut, .underrun, .deviceBreaks,
      .deviceRepaired, .deviceReshaped, .deviceOpens, .otherBreaks, .cueBegins, .cueEnds, .cueFails, .recorderBegins,
      .recorderCannot, .recorderEnds, .recorderBreaks:
      return []
    }
  }

  private mutating func reboot(_ setup: Setup) {
    feed(.shutdown(reason: "reboot"), setup)
    if observed.isCommanded || isCueOn { violations.append("shutdown while sounding") }
    let asserted = brain.lines.indices.filter { brain.lines[$0].debouncer.raw }.map(LineID.init)
    let (frozenFrame, faultyPort) = (engine.frozenFrame, engine.faultyPort)
    engine = EngineModel()
    (engine.frozenFrame, engine.faultyPort, engine.opensSlowly) = (frozenFrame, faultyPort, setup.opensSlowly)
    recorder = RecorderModel()
    timers = [:]
    observed = Observations()
    feed(.powerOn(PowerOn(asserted: Set(asserted), saved: saved.map { .state($0) } ?? .nothing)), setup)
  }

  /// Delivers the reports of engine, decoder and recorder until there are none.
  ///
  /// - Parameter onlyReports: leaves out steps that take time: the recorder's start and end.
  mutating func drain(_ setup: Setup, onlyReports: Bool = false) {
    for _ in 0..<200 {
      if !engine.reports.isEmpty {
        feed(.audio(engine.reports.removeFirst()), setup)
      } else if !recorder.reports.isEmpty {
        feed(.recorder(recorder.reports.removeFirst()), setup)
      } else if case .opening = engine.decoder, engine.tracks.count < 2, !setup.hasBadFiles || !onlyReports {
        engine.decoded(at: now)
      } else if !onlyReports && recorder.phase == .starting {
        recorder.begins()
      } else if !onlyReports && recorder.phase == .stopping {
        recorder.ends()
      } else {
        return
      }
      dropStaleReports(setup)
    }
    violations.append("brain and engine never come to rest")
  }

  private mutating func dropStaleReports(_ setup: Setup) {
    guard !setup.keepsStaleReports else { return }
    engine.reports.removeAll { report in
      if case .playback(.silenced(let id, _)) = report, id == brain.player.engine.silenced { return false }
      return report.stream.map { $0 != brain.player.stream.id } ?? false
    }
  }
}
