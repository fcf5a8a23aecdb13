import AudioEngine
import AudioSession
import Board
import Driver
import Glibc
import Jukebox
import Storage
import Threads

/// The running firmware: engine, decoder, recorder and storage on threads of their own, and the control loop on the
/// caller's, which sleeps until a line, a timer, a report, a key or a signal comes.
public final class Firmware {
  /// How long the shutdown waits for the fade-out of a device that does not respond.
  private static let patience = Duration.milliseconds(500)

  /// Without the music, of which only `firstLibrary` is needed.
  private let parts: Parts
  private let configuration: Configuration
  private let signals: ProcessSignals
  private let outputGroup: OutputGroup
  /// The audio thread's.
  private let heartbeat = Heartbeat()
  private let mixers: MixerThread?
  private let portVolumes: PortVolumes
  private let store: StateStore?
  private let countsStore: CountsStore?
  private let ledgers: LedgerWriter?
  private let storage: StorageThread?
  /// Empty once the brain has it: another may take its place, and large ones take memory.
  private var firstLibrary: LibraryReport
  private let library: LibraryThread?
  private var health: HealthWatch
  private let daily: DailyTimer
  private var sleepDetector = SleepDetector()
  private let recorder: RecorderThread
  private var driver: Driver?
  private var lamp = LampBlinker()
  private let signalOutputs: SignalOutputs
  private let wiring: Wiring
  private var endReason: String?
  /// When the end no longer waits for threads that use a storage.
  private var end = Instant.powerOn

  /// Create it on the main thread before any other thread, because it blocks the signals that it reads.
  public init(_ given: Parts) {
    var parts = given
    firstLibrary = LibraryReport(
      Library(parts.library), missing: parts.missing, isKept: parts.isMusicKept && parts.music != nil)
    parts.library = TrackList()
    self.parts = parts
    health = HealthWatch(parts.thermometer, parts.quarantine, cueFaults: parts.cueFaults)
    self.signals = ProcessSignals()
    configuration = parts.board.configuration(settings: parts.settings, clients: parts.clients, cues: parts.cues)
    let signals = EngineSignals()
    mixers = parts.mixerThread(reportSignal: signals.report)
    portVolumes = PortVolumes(controls: mixers, ports: mixers?.ports ?? [])
    outputGroup = parts.outputGroup(
      library: firstLibrary.library, cues: configuration.cues.map(\.path), signals: signals, portVolumes: portVolumes)
    store = parts.statePath.map { StateStore(path: $0) }
    countsStore = parts.database.map { CountsStore($0) }
    ledgers = store == nil ? nil : parts.ledger.map { LedgerWriter($0) }
    storage = store.map { [countsStore, ledgers] in StorageThread($0, countsStore, ledgers) }
    library = parts.music.map { [firstLibrary] in LibraryThread($0, known: firstLibrary) }
    daily = DailyTimer(parts.settings, clock: parts.wallClock, boardClock: parts.clock)
    let recording = RecorderParts(
      settings: parts.recordings, input: parts.board.input, opener: parts.inputs, rate: parts.board.rate,
      wallClock: parts.wallClock)
    recorder = RecorderThread(Recorder(recording), clock: parts.clock)
    wiring = Wiring(parts.lines, of: parts.board)
    signalOutputs = SignalOutputs(parts.board, wiring, leds: parts.leds)
  }

  /// Runs until a signal or the operator ends it. Throws the error of the lines if they fail for good.
  public func run() throws(LineError) {
    let clock = parts.clock
    let signals = outputGroup.signals
    let unlocked = RealTime.lockMemory()
    let audio = WorkerThread(name: "audio", signal: signals.audio, priority: RealTime.priority) {
      [engines = outputGroup.engines, heartbeat] stopping in
      AudioThread.run(engines, signal: signals.audio, heartbeat: heartbeat, clock: clock, until: stopping)
    }
    let decoding = startDecoding(signals)
    storage?.start()
    library?.start()
    recorder.start()
    mixers?.start()
    for device in outputGroup.deviceThreads { device.start() }
    let jukebox = Jukebox(configuration: configuration, library: firstLibrary.library)
    let driver = Driver(
      jukebox: jukebox, outputGroup: outputGroup, board: parts.board, peripherals: self, counts: startCounting(),
      wallClock: parts.wallClock)
    self.driver = driver
    // Raised last, because a thread inherits the priority of its creator.
    let refusals = [unlocked, audio.refusal, RealTime.raiseControl()]
    defer { RealTime.lowerControl() }
    powerOn(driver, SystemGrant(refusals: refusals.compactMap { $0 }))
    while endReason == nil && wiring.failure == nil {
      wait(driver)
      react(driver)
    }
    finish(driver)
    audio.stop(within: patienceLeft)
    for device in outputGroup.deviceThreads { device.stop() }
    for thread in decoding { thread.stop(within: patienceLeft) }
    mixers?.stop()
    library?.stop()
    stopStorage()
    if parts.quarantine?.stop(within: patienceLeft) == false {
      parts.boardOperator.note("jackdaw: the quarantine is not saved: the storage does not answer")
    }
    for notice in parts.notices.takeAll() { parts.boardOperator.note("jackdaw: \(notice)") }
    wiring.close()
    if let failure = wiring.failure { throw failure }
  }

  private func startCounting() -> ListeningCounts {
    let moment = CountingMoment(parts.clock.now, parts.wallClock)
    return ListeningCounts(after: parts.counted, seed: UInt64.random(in: 0...UInt64.max), at: moment)
  }

  /// Starts the threads that decode the music and the cues, so that neither waits for the other.
  private func startDecoding(_ signals: EngineSignals) -> [WorkerThread] {
    let music = WorkerThread(name: "decode", signal: signals.decode) {
      [decoders = outputGroup.musicDecoders, opener = parts.tracks] stopping in
      DecodeThread.run(decoders, opener, signal: signals.decode, until: stopping)
    }
    let cues = WorkerThread(name: "cues", signal: signals.decodeCues) {
      [decoders = outputGroup.cueDecoders, opener = parts.cueFiles] stopping in
      DecodeThread.run(decoders, opener, signal: signals.decodeCues, until: stopping)
    }
    return [music, cues]
  }

  private func powerOn(_ driver: Driver, _ realTime: SystemGrant) {
    _ = sleepDetector.detectSleep(boot: parts.clock.boot, monotonic: parts.clock.now)
    let read = parts.clock.now
    let asserted = wiring.asserted()
    signalOutputs.reset(at: parts.clock.now)
    noteLines()
    let saved = store?.read() ?? .nothing
    let seed = UInt64.random(in: 0...UInt64.max)
    let day = daily.begin()
    let input = PowerOn(
      asserted: asserted, saved: saved, seed: seed, realTime: realTime, jail: parts.jail, hours: day.hours,
      timetable: day.timetable, quiet: day.quiet, ledger: parts.ledger?.takeSaved() ?? .nothing,
      isMusicKept: firstLibrary.isKept, isMusicComplete: firstLibrary.missing.isEmpty, origin: parts.origin)
    driver.feed(.powerOn(input), at: parts.clock.now)
    for position in wiring.knobPositions(at: read) { driver.feed(position, at: parts.clock.now) }
    driver.feed(.library(firstLibrary), at: parts.clock.now)
    firstLibrary = LibraryReport(Library())
    feedDue(driver)
    show(driver)
    parts.supervisor?.ready(at: parts.clock.now)
  }

  // MARK: - The loop

  private func wait(_ driver: Driver) {
    let raised: [Signal?] = [
      outputGroup.signals.report, storage?.reports.signal, ledgers?.reports.signal, recorder.reports.signal,
      library?.reports.signal, parts.notices.signal,
    ]
    let descriptors =
      [signals.fileDescriptor, daily.fileDescriptor].map { PollDescriptor(fileDescriptor: $0, events: CShort(POLLIN)) }
      + raised.compactMap { $0?.pollDescriptor } + wiring.pollDescriptors + parts.boardOperator.pollDescriptors
      + (parts.headsets?.pollDescriptors ?? [])
    let deadlines = [
      driver.nextTimer, lamp.next, signalOutputs.next, parts.boardOperator.nextDraw, parts.supervisor?.next,
      wiring.nextLook, parts.headsets?.next, storage?.overdue,
    ]
    Poll.wait(for: descriptors, until: deadlines.compactMap { $0 }.min(), parts.clock)
  }

  /// Handles everything that may have happened, edges first: no timer may fire before an edge that came earlier.
  private func react(_ driver: Driver) {
    if sleepDetector.detectSleep(boot: parts.clock.boot, monotonic: parts.clock.now) {
      // What moves after this instant makes an edge.
      let read = parts.clock.now
      driver.feed(.woke(asserted: wiring.asserted(), slept: .zero), at: read)
      for position in wiring.knobPositions(at: read) { driver.feed(position, at: parts.clock.now) }
    }
    readSignals()
    for edge in wiring.takeEdges() { driver.feed(edge, at: parts.clock.now) }
    noteLines()
    parts.boardOperator.serve()
    while let command = parts.boardOperator.takeCommand() {
      takeHealth(driver)
      driver.feed(.console(command), at: parts.clock.now)
    }
    _ = driver.pumpReports(at: parts.clock.now)
    let deviceNotices = outputGroup.deviceThreads.compactMap { $0.takeNotice() }
    for notice in parts.notices.takeAll() + portVolumes.takeNotices() + deviceNotices {
      parts.boardOperator.note("jackdaw: \(notice)")
    }
    for report in storage?.takeReports(at: parts.clock.now) ?? [] {
      driver.forget(storage?.keptPeriods ?? [])
      takeHealth(driver)
      driver.feed(.storage(report), at: parts.clock.now)
    }
    for report in ledgers?.reports.takeAll() ?? [] { driver.feed(.ledger(report), at: parts.clock.now) }
    for report in storage?.rankings.takeReports() ?? [] { driver.feed(.ranking(report), at: parts.clock.now) }
    for report in library?.reports.takeAll() ?? [] { driver.feed(.library(report), at: parts.clock.now) }
    feedDue(driver)
    takeRecorderReports(driver)
    takeHeadsetReports(driver)
    driver.fireTimers(at: parts.clock.now)
    if lamp.tick(at: parts.clock.now) { wiring.light(lamp.isLit) }
    signalOutputs.tick(at: parts.clock.now)
    wiring.noteSounding(driver.isSounding)
    show(driver)
    watchAudio()
    wiring.noteHandled(at: parts.clock.now)
    if parts.boardOperator.wantsToEnd { endReason = "quit" }
  }

  private func show(_ driver: Driver) {
    let (now, status) = (parts.clock.now, driver.jukebox.status(at: parts.clock.now))
    parts.boardOperator.draw(status, at: now)
    parts.supervisor?.show(status, at: now)
  }

  /// Sends the supervisor signs of life while the audio thread makes its rounds.
  private func watchAudio() {
    guard let request = parts.supervisor?.tick(heartbeat, at: parts.clock.now) else { return }
    switch request {
    case .nothing: return
    case .wake: break
    case .wakeAndReport:
      parts.boardOperator.note("jackdaw: the audio thread does not answer: no sign of life to the supervisor")
    }
    outputGroup.signals.audio.raise()
  }

  private func takeRecorderReports(_ driver: Driver) {
    for report in recorder.reports.takeAll() { driver.feed(.recorder(report), at: parts.clock.now) }
  }

  private func takeHeadsetReports(_ driver: Driver) {
    for report in parts.headsets?.takeReports(at: parts.clock.now) ?? [] {
      driver.feed(.headset(report), at: parts.clock.now)
    }
  }

  /// Called just before the brain may show or log the figures.
  private func takeHealth(_ driver: Driver) {
    let now = parts.clock.now
    for report in health.reports(wiring, parts.boardOperator, at: now) { driver.feed(.health(report), at: now) }
  }

  private func readSignals() {
    while let request = signals.next() {
      switch request {
      case .end(let name): endReason = name
      case .resize: parts.boardOperator.resize()
      case .reload:
        parts.boardOperator.note("jackdaw: SIGHUP: \(Jukebox.reloadReply)")
        listMusic()
      }
    }
  }

  private func feedDue(_ driver: Driver) {
    for input in daily.takeDue() { driver.feed(input, at: parts.clock.now) }
  }

  private func noteLines() {
    for notice in wiring.takeNotices() + signalOutputs.takeNotices() { parts.boardOperator.note("jackdaw: \(notice)") }
  }

  /// Fades out, saves, lets the device play its last frame, ends a recording, and leaves the amplifier silent.
  private func finish(_ driver: Driver) {
    end = parts.clock.now + parts.patience
    parts.supervisor?.stopping(at: parts.clock.now)
    takeHealth(driver)
    driver.feed(.shutdown(reason: endReason ?? "line failure"), at: parts.clock.now)
    let deadline = parts.clock.now + Self.patience
    while driver.isSounding && parts.clock.now < deadline {
      Poll.wait(for: [outputGroup.signals.report.pollDescriptor], until: deadline, parts.clock)
      _ = driver.pumpReports(at: parts.clock.now)
    }
    muteAmplifier(true)
    signalOutputs.end(at: parts.clock.now)
    noteLines()
    if !recorder.stop(within: patienceLeft) {
      parts.boardOperator.note("jackdaw: the storage of the recordings does not answer")
    }
    takeRecorderReports(driver)
  }

  /// A thread whose storage is well needs a moment to end, also where another one has used up the time.
  private var patienceLeft: Duration { max(.milliseconds(100), end - parts.clock.now) }

  /// Nobody looks at the state again: what became of the last save is reported here.
  private func stopStorage() {
    guard let storage else { return }
    // A card needs longer than a moment for its last sync.
    let isAnswered = storage.stop(within: max(.seconds(1), patienceLeft))
    if case .failed(let reason)? = storage.takeReports(at: parts.clock.now).last {
      parts.boardOperator.note("jackdaw: the last state is not saved: \(reason)")
    } else if !isAnswered {
      parts.boardOperator.note("jackdaw: the last state is not saved: the storage does not answer")
    }
    if case .failed(_, let reason)? = ledgers?.reports.takeAll().last {
      parts.boardOperator.note("jackdaw: the last credits and requests are not kept: \(reason)")
    }
  }
}

extension Firmware: Peripherals {
  package func log(_ event: Event, at now: Instant) { parts.boardOperator.log(event, at: now) }

  package func lamp(_ pattern: LampPattern) {
    lamp.show(pattern, at: parts.clock.now)
    wiring.light(lamp.isLit)
  }

  package func signal(_ line: LineID, _ pattern: LampPattern) {
    signalOutputs.show(line, pattern, at: parts.clock.now)
  }

  package func muteAmplifier(_ isMuted: Bool) { wiring.muteAmplifier(isMuted) }

  package func listMusic() { library?.reload() }

  package func setHeadsetVolume(_ port: Port, to level: Int) { wiring.setVolume(of: port, to: level) }
  package func obey(_ command: HeadsetCommand, at now: Instant) { parts.headsets?.obey(command, at: now) }

  package func record(_ command: RecorderCommand) { recorder.post(command) }

  package func reply(_ text: String) { parts.boardOperator.reply(text) }

  package func save(_ state: SavedState, _ counts: ListeningCounts) -> StorageReport? {
    storage?.save(state, counts, at: parts.clock.now)
    return nil
  }

  package func rank(_ counts: ListeningCounts, among tracks: TrackList) -> RankingReport? {
    guard let storage else { return counts.ranking(among: tracks) }
    storage.rankings.ask(counts, among: tracks)
    storage.wake()
    return nil
  }

  package func keep(_ ledger: Ledger, number: Int) -> LedgerReport? {
    // Without a state folder it lasts as long as the power.
    guard ledgers != nil, let storage else { return .kept(number) }
    storage.keep(ledger, number: number)
    return nil
  }
}
