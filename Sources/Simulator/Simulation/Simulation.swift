import AudioSession
import Board
import BoardFiles
import Driver
import Files
import Jukebox
import Storage

/// Plays a scenario on a simulated board in virtual time: the brain and the audio engine of the firmware, one thread,
/// no clock but its own. The same input gives the same log and the same sound, byte for byte.
public final class Simulation {
  public struct Outcome: Hashable, Sendable {
    /// One line for every expectation that did not hold, and for every step that did nothing, though it was not expected
    /// to: `FILE:LINE: expected …, found …`.
    public var failures: [String]
    /// Steps that did nothing where they stood: `FILE:LINE: note: …`.
    public var notes: [String]
    /// Those that `expect` and `refused` state, and those that failed without being stated.
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
  let configuration: Configuration
  let library: [Track]
  let opener: any TrackOpener
  let clock = VirtualClock()
  let wallClock: VirtualWallClock
  let microphone: VirtualMicrophone
  /// What the scenario feeds the microphone with, by path.
  let sounds: [String: WAVSound]
  var schedule: DailySchedule
  let taps: [PortTap]
  let devices: VirtualDevices
  let recording: Recorder.Parts
  let recordingStorage: SimulatedStorage
  let stateStorage = SimulatedStorage(on: MemoryStorage(keeping: .max))
  let onLine: (String) -> Void
  let onReply: (String) -> Void
  let observer: (any SimulationObserver)?

  var driver: Driver?
  /// When an engine wants to be serviced.
  var engineMoment: Instant?
  var recorder: Recorder?
  var recorderWait = Recorder.Wait.command
  var levels: [LineID: Bool] = [:]
  /// Edges that lines are still to make, oldest first.
  var edges: [PlannedEdges.Edge] = []
  var store: StateStore
  var console = SimulatedConsole()
  /// The system sleeps: its lines move, and nobody sees it. Nil: it is awake.
  var asleepSince: Instant?
  var isAsleep: Bool { asleepSince != nil }
  /// Events since the last `expect`.
  var recent: [Event] = []
  /// The reply to the last command, where that was not obeyed.
  var refusal: String?
  var isAmplifierMuted = true
  var shownLamp = LampPattern.off
  var failures: [String] = []
  var expectations = 0
  /// Steps that did nothing where they stood.
  var notes: [String] = []
  /// Commands that were refused since the last `expect`, as they are told if it does not speak of them.
  var refusals: [String] = []

  /// - Parameters:
  ///   - clients: those that the settings name.
  ///   - cues: what can be spoken.
  ///   - audio: folder for a WAV a port, which must exist; nil: none are written.
  ///   - recordings: where they go; with no folder, they are counted only.
  ///   - onLine: gets every line of the event log, whether the serial console does or not.
  ///   - onReply: gets the answers to console commands, once the console is not blocked.
  ///   - observer: sees it all.
  public init(
    scenario: Scenario, board: BoardDescription, settings: Settings, clients: [SessionClient] = [], cues: [Cue] = [],
    library: [Track], opener: any TrackOpener, audio: String?,
    recordings: RecordingSettings = RecordingSettings(), onLine: @escaping (String) -> Void,
    onReply: @escaping (String) -> Void = { _ in }, observer: (any SimulationObserver)? = nil
  ) throws(FileError) {
    self.scenario = scenario
    self.board = board
    configuration = board.configuration(settings: settings, clients: clients, cues: cues)
    schedule = DailySchedule(cues: cues, zone: .utc)
    self.library = library
    self.opener = opener
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
    recording = Recorder.Parts(
      settings: recordings, input: board.input, opener: microphone, rate: board.rate, wallClock: wallClock)
    recordingStorage = SimulatedStorage(on: recordings.folder == nil ? MemoryStorage() : DiskStorage())
    store = Self.store(on: stateStorage)
    devices = VirtualDevices(
      clock: clock, taps: Dictionary(taps.map { ($0.port, $0) }) { first, _ in first })
  }

  public func run() throws(FileError) -> Outcome {
    var steps = scenario.steps[...]
    // What happens at 0 s to the board's surroundings is their state at power on.
    while let step = steps.first, step.at == .powerOn, step.action.isOfSurroundings {
      observer?.willDo(step, at: clock.now)
      perform(step)
      steps = steps.dropFirst()
    }
    powerOn()
    show()
    while let step = steps.first {
      pass(until: step.at)
      if isSeenEnough { break }
      observer?.willDo(step, at: clock.now)
      perform(step)
      settle()
      show()
      steps = steps.dropFirst()
      if step.action == .end { break }
    }
    failRefusals()
    devices.catchUp()
    recorder?.stop(at: clock.now)
    for tap in taps { try tap.finish(at: clock.now.frame(rate: board.rate)) }
    let heard = taps.map { Heard(port: $0.port, time: .covering(frames: $0.soundingFrames, rate: board.rate)) }
    return Outcome(failures: failures, notes: notes, expectations: expectations, end: clock.now, heard: heard)
  }

  // MARK: - Time

  /// Lets everything happen that is due until `end`, at its own moment.
  private func pass(until end: Instant) {
    while true {
      let next = moments.min() ?? end
      clock.advance(to: min(next, end))
      happen()
      show()
      if isSeenEnough { return }
      if next > end || (next == end && clock.now == end && !isDue(by: end)) { return }
    }
  }

  private func isDue(by end: Instant) -> Bool { moments.contains { $0 <= end } }

  /// When something is due by itself. In sleep, contacts still move.
  private var moments: [Instant] {
    let waking = isAsleep ? [] : [driver?.nextTimer, engineMoment, recorderMoment, scheduleMoment]
    return ([edges.first?.at] + waking).compactMap { $0 }
  }

  private var recorderMoment: Instant? {
    switch recorderWait {
    case .command: nil
    case .until(let instant), .device(let instant): instant
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
    if !isAsleep {
      feedSchedule()
      driver?.fireTimers(at: clock.now)
    }
    settle()
  }

  /// Lets brain, engine and decoder answer each other until all wait.
  func settle() {
    guard let driver, !isAsleep else { return }
    var isBusy = true
    while isBusy {
      isBusy = false
      engineMoment = nil
      for engine in driver.outputGroup.engines {
        switch engine.service(at: clock.now) {
        case .signal: break
        case .until(let instant), .device(let instant): engineMoment = min(engineMoment ?? instant, instant)
        }
      }
      for decoder in driver.outputGroup.decoders {
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
}
