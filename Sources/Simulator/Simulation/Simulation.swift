import AudioEngine
import AudioSession
import Board
import BoardFiles
import Driver
import Files
import Jukebox
import Storage

/// Plays a scenario on a simulated board in virtual time, with the brain and the audio engine of the firmware, on one
/// thread. The same input gives the same log and the same sound, byte for byte.
public final class Simulation {
  public struct Outcome: Hashable, Sendable {
    /// One line for every expectation that did not hold, and for every command that was unexpectedly refused or obeyed:
    /// `FILE:LINE: expected …, found …`.
    public var failures: [String]
    /// Steps that did nothing where they stood: `FILE:LINE: note: …`.
    public var notes: [String]
    /// The number of expectations: those of `expect` and `refused`, and the commands that were unexpectedly refused.
    public var expectations: Int
    /// The simulated time at the end.
    public var end: Instant
    /// How long each port sounded, in the board's order.
    public var heard: [Heard]
  }

  public struct Heard: Hashable, Sendable {
    public var port: Port
    public var time: Duration
  }

  let scenario: Scenario
  let board: BoardDescription
  let configuration: Configuration
  let music: SimulatedMusic
  let clock = VirtualClock()
  let wallClock: VirtualWallClock
  let microphone: VirtualMicrophone
  /// The sounds for the microphone, by path.
  let sounds: [String: WAVSound]
  var schedule: ClockSchedule
  let taps: [PortTap]
  let devices: VirtualDevices
  let recording: RecorderParts
  let recordingStorage: SimulatedStorage
  let stateStorage: SimulatedStorage
  let database: KeptDatabase
  let onLine: (String) -> Void
  let onReply: (String) -> Void
  let observer: (any SimulationObserver)?

  var driver: Driver?
  /// When an engine wants to be serviced.
  var engineDue: Instant?
  /// When devices that are being opened are open, by name.
  var openings: [String: Instant] = [:]
  var recorder: Recorder?
  var recorderWait = RecorderWait.command
  var contacts = PlannedEdges()
  /// What lies on each reader that says so, whoever looks.
  var laidCards: [String: String] = [:]
  var headsetVolumes = VirtualHeadsetVolumes()
  /// Headsets that went while the system slept.
  var withdrawnInSleep: Set<Port> = []
  let headsets = SimulatedHeadsets()
  var store: StateStore
  var countsStore: CountsStore
  var ledgerStore: LedgerStore
  var console = SimulatedConsole()
  /// Since when the system sleeps and does not notice its lines; nil while it is awake.
  var asleepSince: Instant?
  var isAsleep: Bool { asleepSince != nil }
  /// Events since the last `expect`.
  var recent: [Event] = []
  /// Lines of the console's replies since the last `expect`.
  var replies: [String] = []
  /// The reply to the last command, if it was refused.
  var refusal: String?
  var isAmplifierMuted = true
  var shownLamp = LampPattern.off
  /// The outputs of role `signal` that are asserted.
  var shownSignals: [LineID: LampPattern] = [:]
  var failures: [String] = []
  var expectations = 0
  /// Steps that did nothing where they stood.
  var notes: [String] = []
  /// The commands refused since the last `expect`, as failures, in case the next one does not name them.
  var refusals: [String] = []

  /// - Parameters:
  ///   - clients: the session clients of the settings.
  ///   - cues: the cues that can be played.
  ///   - audio: an existing folder for one WAV per port; nil: none is written.
  ///   - recordings: the folder of recordings; without one, their frames are only counted.
  ///   - onLine: called with every line of the event log, also while the serial console is blocked.
  ///   - onReply: called with the replies to console commands, once the console is not blocked.
  ///   - observer: called with everything that happens.
  public init(
    scenario: Scenario, board: BoardDescription, settings: Settings, clients: [SessionClient] = [], cues: [Cue] = [],
    library: some Sequence<Track>, opener: any TrackOpener, audio: String?,
    recordings: RecordingSettings = RecordingSettings(), onLine: @escaping (String) -> Void,
    onReply: @escaping (String) -> Void = { _ in }, observer: (any SimulationObserver)? = nil
  ) throws(FileError) {
    self.scenario = scenario
    self.board = board
    configuration = board.configuration(settings: settings, clients: clients, cues: cues)
    schedule = ClockSchedule(settings, zone: .utc)
    music = SimulatedMusic(TrackList(library), over: opener)
    self.onLine = onLine
    self.onReply = onReply
    self.observer = observer
    notes = ScenarioValidator.faults(in: scenario, board: board).map { fault in
      "\(scenario.file):\(scenario.steps[fault.step].line): note: \(fault.message)"
    }
    wallClock = VirtualWallClock(clock: clock)
    microphone = VirtualMicrophone(clock: clock)
    sounds = try Simulation.sounds(of: scenario)
    var taps: [PortTap] = []
    for setup in board.ports {
      let port = setup.output.port
      var wav: WAVWriter?
      if let audio { wav = try WAVWriter(path: FileAccess.join(audio, "\(port.rawValue).wav"), rate: board.rate) }
      let tap = PortTap(port: port, rate: board.rate, wav: wav)
      if let observer { tap.onSound = { observer.heard($0, frames: $1, at: $2, on: port) } }
      taps.append(tap)
    }
    self.taps = taps
    recording = RecorderParts(
      settings: recordings, input: board.input, opener: microphone, rate: board.rate, wallClock: wallClock)
    recordingStorage = SimulatedStorage(on: recordings.folder == nil ? MemoryStorage() : DiskStorage())
    stateStorage = SimulatedStorage(on: MemoryStorage(keeping: .max))
    store = Self.store(on: stateStorage)
    database = KeptDatabase(folder: "", storage: stateStorage, system: StorageVFS(stateStorage), pause: {})
    countsStore = CountsStore(database)
    ledgerStore = LedgerStore(database)
    devices = VirtualDevices(
      clock: clock, taps: Dictionary(taps.map { ($0.port, $0) }) { first, _ in first }, answersAtOnce: false)
    for setup in configuration.ports where setup.isWireless { devices.offer(setup.port, false) }
  }

  public func run() throws(FileError) -> Outcome {
    defer { stopDevices() }
    var steps = scenario.steps[...]
    // Steps at 0 s that change the surroundings set their state at power on.
    while let step = steps.first, step.at == .powerOn, step.action.changesSurroundings {
      observer?.willDo(step, at: clock.now)
      perform(step)
      steps = steps.dropFirst()
    }
    powerOn()
    notifyObserver()
    while let step = steps.first {
      advance(until: step.at)
      if hasObserverSeenEnough { break }
      observer?.willDo(step, at: clock.now)
      perform(step)
      settle()
      notifyObserver()
      steps = steps.dropFirst()
      if step.action == .end { break }
    }
    failRefusals()
    devices.catchUp()
    recorder?.stop(at: clock.now)
    if driver != nil { observer?.counted(countedSum, isRestored: false, at: clock.now) }
    for tap in taps { try tap.finish(at: clock.now.frame(rate: board.rate)) }
    let heard = taps.map { Heard(port: $0.port, time: .covering(frames: $0.soundingFrames, rate: board.rate)) }
    return Outcome(failures: failures, notes: notes, expectations: expectations, end: clock.now, heard: heard)
  }

  // MARK: - Time

  /// Advances the clock to `end` and processes everything that is due until then, each at its own instant.
  private func advance(until end: Instant) {
    while true {
      let next = dueInstants.min() ?? end
      clock.advance(to: min(next, end))
      processDue()
      notifyObserver()
      if hasObserverSeenEnough { return }
      if next > end || (next == end && clock.now == end && !isDue(by: end)) { return }
    }
  }

  private func isDue(by end: Instant) -> Bool { dueInstants.contains { $0 <= end } }

  /// The instants of timers, engines, recorder, daily cues and edges. In sleep, contacts still move.
  private var dueInstants: [Instant] {
    let waking =
      isAsleep
      ? []
      : [
        driver?.nextTimer, engineDue, openings.values.min(), recorderDue, scheduleDue, driver == nil ? nil : music.due,
        headsetVolumes.next, headsetsDue,
      ]
    return ([contacts.next] + waking).compactMap { $0 }
  }

  private var headsetsDue: Instant? { driver == nil ? nil : headsets.next.map { max($0, clock.now) } }

  private var recorderDue: Instant? {
    switch recorderWait {
    case .command: nil
    case .until(let instant), .device(let instant): instant
    }
  }

  /// Processes everything that is due now: the engine first, since sound up to now precedes any decision.
  private func processDue() {
    settle()
    while let edge = contacts.takeDue(at: clock.now) {
      set(edge.line, edge.asserted)
      settle()
    }
    if !isAsleep {
      answerHeadsetVolumes()
      feedSchedule()
      feedMusic()
      feedHeadsets()
      driver?.fireTimers(at: clock.now)
    }
    settle()
  }

  /// Lets brain, engine, decoder and recorder exchange messages until all wait.
  func settle() {
    guard let driver, !isAsleep else { return }
    var isBusy = true
    while isBusy {
      isBusy = false
      engineDue = nil
      for engine in driver.outputGroup.engines {
        switch engine.service(at: clock.now) {
        case .signal: break
        case .until(let instant), .device(let instant): engineDue = min(engineDue ?? instant, instant)
        }
      }
      for thread in driver.outputGroup.deviceThreads where serve(thread) { isBusy = true }
      for decoder in driver.outputGroup.musicDecoders + driver.outputGroup.cueDecoders {
        while decoder.step() == .worked { isBusy = true }
      }
      if driver.pumpReports(at: clock.now) { isBusy = true }
      recorderWait = recorder?.service(at: clock.now) ?? .command
      for report in recorder?.takeReports() ?? [] {
        driver.feed(.recorder(report), at: clock.now)
        isBusy = true
      }
    }
  }

  /// Does what is asked of a device, in place of its thread, as soon as the device would have done it. Returns whether
  /// anything was done.
  private func serve(_ thread: DeviceThread) -> Bool {
    guard let request = thread.request else {
      openings[thread.device] = nil
      return false
    }
    if request == .opening, let port = Port(rawValue: thread.device) {
      let due = openings[thread.device] ?? clock.now + devices.opening(of: port)
      openings[thread.device] = due
      if due > clock.now {
        thread.work { true }
        return false
      }
    }
    openings[thread.device] = nil
    thread.work()
    return true
  }
}
