import AudioSession
import Board
import BoardFiles
import Glibc
import Jukebox
import PacedCards

@testable import AudioEngine
@testable import Driver
@testable import KioskTestSupport
@testable import Simulator

/// Brain, players and the real ALSA adapter on paced cards, in virtual time: woken only by what would wake the threads
/// of the firmware.
final class PacedKiosk: Peripherals {
  static let rate = ScenarioSetup.rate

  let clock = VirtualClock()
  let headphones: PacedCard
  let speaker: PacedCard
  private(set) var events: [(at: Instant, event: Event)] = []
  /// When the amplifier was muted, or opened.
  private(set) var amplifierMuted: [(at: Instant, isMuted: Bool)] = []
  /// Wake-ups of the audio thread.
  private(set) var wakeUps = 0
  /// How late the clock wakes the audio thread.
  var lateness = Duration.zero
  /// Whether the audio thread looks at the card before something is done to it. See `pass`.
  var looksAround = true
  private let board: BoardDescription
  private var driver: Driver?
  private var waits: [EngineWait] = []
  private var levels: Set<LineID> = []

  /// Headphones plugged in, speaker always there.
  /// - Parameters:
  ///   - tracks: paths that `opener` knows.
  ///   - policy: of interruptions.
  ///   - known: what the board file says of both cards.
  ///   - traits: what they can do.
  init?(
    _ tracks: [String], opener: any TrackOpener, cues: [Cue] = [], buffer: Duration = .milliseconds(200),
    policy: Settings.InterruptionPolicy = .hold, known: KnownCard = KnownCard(),
    traits: (PacedCard) -> Void = { _ in }
  ) {
    guard let headphones = PacedCard(), let speaker = PacedCard() else { return nil }
    self.headphones = headphones
    self.speaker = speaker
    traits(headphones)
    traits(speaker)
    var board = ScenarioSetup.board()
    board.buffer = buffer
    self.board = board
    var settings = Settings()
    settings.startVolume = 100
    settings.interruptionPolicy = policy
    let outputs = PacedOutputs([.headphones: headphones, .speaker: speaker], clock: clock, known: known)
    let ports: [Port] = [.headphones, .speaker]
    let outputGroup = OutputGroup(
      outputs: ports.map { AudioEngine.Output(port: $0, device: $0.rawValue) }, devices: outputs, tracks: opener,
      cueFiles: opener,
      rate: board.rate, buffer: buffer, library: Library(paths: tracks), cues: cues.map(\.path))
    let jukebox = Jukebox(
      configuration: board.configuration(settings: settings, cues: cues),
      library: TrackList(tracks.map { Track(path: $0, name: $0) }))
    let wallClock = StillWallClock()
    driver = Driver(
      jukebox: jukebox, outputGroup: outputGroup, board: board, peripherals: self,
      counts: ListeningCounts(after: nil, seed: 1, at: CountingMoment(clock.now, wallClock)), wallClock: wallClock)
    levels = [jack]
    driver?.feed(.powerOn(PowerOn(asserted: levels, saved: .nothing, seed: 1)), at: clock.now)
    settle()
  }

  deinit {
    // The cards outlive what is open on them.
    for engine in driver?.outputGroup.engines ?? [] { engine.shutDown() }
  }

  /// One track that counts: every frame names itself.
  static func counting(
    _ policy: Settings.InterruptionPolicy = .hold, traits: (PacedCard) -> Void = { _ in }
  ) -> PacedKiosk? {
    PacedKiosk(["0"], opener: CountingTracks(["0": 600 * rate], loud: true), policy: policy, traits: traits)
  }

  // MARK: - What an operator does

  private var jack: LineID { LineID(board.lines.firstIndex { $0.name == "JACK_SENSE" } ?? 0) }

  /// - Parameter time: passes after it.
  func type(_ command: String, then time: Duration? = nil) {
    driver?.feed(.console(command), at: clock.now)
    settle()
    if let time { pass(time) }
  }

  /// - Parameters:
  ///   - late: how long after it happened it is noticed.
  ///   - time: passes after it.
  func plug(_ isIn: Bool, late: Duration = .zero, then time: Duration? = nil) {
    driver?.feed(.edge(jack, asserted: isIn, at: clock.now - late), at: clock.now)
    settle()
    if let time { pass(time) }
  }

  // MARK: - Time

  /// At its end the audio thread looks at the card some times in short succession, as it does in every wake-up of its own
  /// where time passes meanwhile: that shows how fine the card's position is.
  func pass(_ time: Duration) {
    let end = clock.now + time
    for back in [200, 100, 0] {
      pass(until: max(clock.now, end - .microseconds(back)))
      guard isPlaying, looksAround else { continue }
      driver?.outputGroup.signals.audio.raise()
      settle()
    }
  }

  private func pass(until end: Instant) {
    while let next = [driver?.nextTimer, deadline, period].compactMap({ $0 }).min(), next <= end { come(to: next) }
    come(to: end)
  }

  private func come(to instant: Instant) {
    clock.advance(to: instant)
    for card in [headphones, speaker] { card.setTime(clock.now.nanoseconds) }
    settle()
  }

  private var deadline: Instant? {
    waits.compactMap { wait -> Instant? in
      switch wait {
      case .signal: nil
      case .until(let instant), .device(let instant): instant + lateness
      }
    }.min()
  }

  /// A device that is waited for is polled once a millisecond.
  private var period: Instant? {
    let isDevice = waits.contains { if case .device = $0 { true } else { false } }
    return isDevice ? clock.now + .milliseconds(1) : nil
  }

  /// Runs all threads that something wakes.
  private func settle() {
    guard let driver else { return }
    for _ in 0..<10_000 {
      driver.fireTimers(at: clock.now)
      var isBusy = false
      if isWoken(driver) {
        driver.outputGroup.signals.audio.clear()
        waits = driver.outputGroup.engines.map { $0.service(at: clock.now) }
        wakeUps += 1
        isBusy = true
      }
      for decoder in driver.outputGroup.musicDecoders + driver.outputGroup.cueDecoders {
        while decoder.step() == .worked { isBusy = true }
      }
      if driver.pumpReports(at: clock.now) { isBusy = true }
      if !isBusy { return }
    }
  }

  private func isWoken(_ driver: Driver) -> Bool {
    if let deadline, deadline <= clock.now { return true }
    var isWoken = Self.poll(driver.outputGroup.signals.audio.fileDescriptor, CShort(POLLIN)) != 0
    for (engine, wait) in zip(driver.outputGroup.engines, waits) {
      guard case .device = wait else { continue }
      let revents = engine.pollDescriptors.map { Self.poll($0.fileDescriptor, $0.events) }
      guard revents.contains(where: { $0 != 0 }) else { continue }
      revents.withUnsafeBufferPointer { engine.deviceWoke($0) }
      isWoken = true
    }
    return isWoken
  }

  private static func poll(_ descriptor: CInt, _ events: CShort) -> CShort {
    var polled = pollfd(fd: descriptor, events: events, revents: 0)
    Glibc.poll(&polled, 1, 0)
    return polled.revents
  }

  // MARK: - Peripherals

  func log(_ event: Event, at now: Instant) { events.append((now, event)) }
  func lamp(_ pattern: LampPattern) {}
  func signal(_ line: LineID, _ pattern: LampPattern) {}
  func muteAmplifier(_ isMuted: Bool) { amplifierMuted.append((clock.now, isMuted)) }
  func listMusic() {}
  func setHeadsetVolume(_ port: Port, to level: Int) {}
  func obey(_ command: HeadsetCommand, at now: Instant) {}
  func record(_ command: RecorderCommand) {}
  func reply(_ text: String) {}
  func save(_ state: SavedState, _ counts: ListeningCounts) -> StorageReport? { .saved }
  func keep(_ ledger: Ledger, number: Int) -> LedgerReport? { .kept(number) }
  func rank(_ counts: ListeningCounts, among tracks: TrackList) -> RankingReport? { counts.ranking(among: tracks) }

  // MARK: - What was logged and heard

  var isPlaying: Bool { driver?.outputGroup.isSounding == true }

  /// The logged events of that name, in order.
  func logged(_ name: EventName) -> [Event] { events.map(\.event).filter { $0.name == name } }

  /// What a card played, on the clock.
  func tap(_ card: PacedCard) -> FrameRecorder {
    let tap = FrameRecorder()
    let samples: [Int16] = card.heard()
    samples.withUnsafeBufferPointer { samples in
      for stretch in card.stretches {
        guard let base = samples.baseAddress else { continue }
        tap.record(
          base + 2 * stretch.frames.lowerBound, frames: stretch.frames.count,
          at: Instant(nanoseconds: stretch.start).frame(rate: stretch.rate))
      }
    }
    return tap
  }

  /// What was heard of a kiosk whose one track counts.
  func hearing() -> Hearing {
    Hearing(
      [tap(headphones), tap(speaker)], lengths: [600 * Self.rate], from: 0, now: clock.now.frame(rate: Self.rate))
  }
}

/// A linear congruential generator: it gives the same numbers everywhere.
struct StepGenerator {
  var state: UInt64

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
