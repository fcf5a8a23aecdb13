import AudioEngine
import AudioSession
import Board
import BoardFiles
import Driver
import Jukebox

/// Measures how long after the edge of a plug that is pulled out an output falls silent, by a cable from it to an input.
///
/// The firmware's own brain, driver and engine play a tone on a board whose only port is private; its plug is moved here.
/// All of it runs on the caller's thread, which looks after the output once a millisecond. On a board, the time that the
/// kernel takes to report a real edge and the threads take to wake each other comes on top.
public final class UnplugMeasurement {
  /// The plug is pulled this often, each time at another phase of what the card does.
  private static let rounds = 10
  /// The shortest time from a plug that is put in to sound, and the longest from one that is pulled to silence.
  private static let patience = Duration.milliseconds(600)
  private static let mostTurns = 1_000
  private static let jack = LineID(0)

  private let listener: LoopListener
  private let clock: any BoardClock
  private let peripherals = NoPeripherals()
  private let driver: Driver

  /// - Parameters:
  ///   - device: what `devices` opens for `port`. Nobody else may have it open.
  ///   - wait: returns after that time.
  public init(
    _ port: Port, device: String, devices: any PCMOpener, rate: Int, buffer: Duration, input: any CapturePCM,
    clock: any BoardClock, wait: @escaping (Duration) -> Void
  ) {
    self.clock = clock
    listener = LoopListener(input, wait: wait)
    let line = LineDescription(name: "plug", role: .sense)
    let output = OutputPort(port: port, sense: .line(line.name), priority: 1, isPrivate: true)
    let board = BoardDescription(
      name: "loop", rate: rate, buffer: buffer, lines: [line], ports: [PortDescription(output: output, pcm: device)])
    var settings = Settings()
    settings.startVolume = 100
    let tone = Track(path: "tone", name: "tone")
    let outputGroup = OutputGroup(
      outputs: [AudioEngine.Output(port: port, device: device)], devices: OpenerInPlace(devices), tracks: LoopTone(),
      cueFiles: LoopTone(), rate: rate, buffer: buffer, library: Library([tone]), cues: [])
    let wallClock = SystemWallClock()
    driver = Driver(
      jukebox: Jukebox(configuration: board.configuration(settings: settings), library: TrackList([tone])),
      outputGroup: outputGroup, board: board, peripherals: peripherals,
      counts: ListeningCounts(after: nil, seed: 1, at: CountingMoment(clock.now, wallClock)), wallClock: wallClock)
  }

  /// The longest time from an edge to silence, with the input's own delay; nil: the tone did not come in, or came in only once.
  /// The output is closed afterwards.
  public func run() throws(PCMError) -> Duration? {
    defer { for engine in driver.outputGroup.engines { engine.shutDown() } }
    try listener.start()
    feed(.powerOn(PowerOn(asserted: [Self.jack])))
    feed(.console("play"))
    var longest = Duration.zero
    for round in 0..<Self.rounds {
      try listener.mark()
      try play(for: Self.patience + .microseconds(137 * round))
      guard listener.first != nil else { return nil }
      try listener.mark()
      feed(.edge(Self.jack, asserted: false, at: clock.now))
      try play(for: Self.patience)
      longest = max(longest, listener.end)
      feed(.edge(Self.jack, asserted: true, at: clock.now))
    }
    return longest
  }

  private func play(for time: Duration) throws(PCMError) {
    let end = clock.now + time
    while clock.now < end {
      try listener.pass(min(LoopListener.step, end - clock.now))
      service()
    }
  }

  private func feed(_ input: Input) {
    driver.feed(input, at: clock.now)
    service()
  }

  /// Does what the firmware's threads do, until there is nothing left to do.
  private func service() {
    let group = driver.outputGroup
    for _ in 0..<Self.mostTurns {
      driver.fireTimers(at: clock.now)
      group.signals.audio.clear()
      for engine in group.engines { _ = engine.service(at: clock.now) }
      var isBusy = driver.pumpReports(at: clock.now)
      for decoder in group.musicDecoders + group.cueDecoders where decoder.step() == .worked { isBusy = true }
      if !isBusy { return }
    }
  }
}

/// Opens a device where it is asked to, without a thread of its own.
private final class OpenerInPlace: PCMOpener {
  var answersAtOnce: Bool { true }
  private let devices: any PCMOpener

  init(_ devices: any PCMOpener) { self.devices = devices }

  func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    try devices.open(port: port, name: name, rate: rate, buffer: buffer)
  }
}

/// A board without any.
private final class NoPeripherals: Peripherals {
  func log(_ event: Event, at now: Instant) {}
  func lamp(_ pattern: LampPattern) {}
  func signal(_ line: LineID, _ pattern: LampPattern) {}
  func muteAmplifier(_ isMuted: Bool) {}
  func record(_ command: RecorderCommand) {}
  func reply(_ text: String) {}
  func save(_ state: SavedState, _ counts: ListeningCounts) -> StorageReport? { .saved }
  func rank(_ counts: ListeningCounts, among tracks: TrackList) -> RankingReport? { .ranked([]) }
  func keep(_ ledger: Ledger, number: Int) -> LedgerReport? { .kept(number) }
  func listMusic() {}
  func setHeadsetVolume(_ port: Port, to level: Int) {}
  func obey(_ command: HeadsetCommand, at now: Instant) {}
}
