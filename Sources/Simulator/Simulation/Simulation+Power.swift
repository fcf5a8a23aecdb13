import AudioEngine
import Driver
import Jukebox
import Storage

/// Power on and power cuts.
extension Simulation {
  func powerOn() {
    let first = music.first(at: clock.now)
    let outputs = board.ports.map {
      AudioEngine.Output(
        port: $0.output.port, device: $0.output.port.rawValue, stall: configuration.settings.stallLimit(of: $0.output),
        channels: $0.output.channels)
    }
    let outputGroup = OutputGroup(
      outputs: outputs, devices: devices, tracks: music, cueFiles: music, rate: board.rate, buffer: board.buffer,
      library: first.library, cues: configuration.cues.map(\.path))
    let jukebox = Jukebox(configuration: configuration, library: first.library)
    observer?.counted(countedSum, isRestored: true, at: clock.now)
    store = Self.store(on: stateStorage)
    countsStore = CountsStore(database)
    ledgerStore = LedgerStore(database)
    let counts = ListeningCounts(
      after: (try? countsStore.read()) ?? nil, seed: 1, at: CountingMoment(clock.now, wallClock))
    let driver = Driver(
      jukebox: jukebox, outputGroup: outputGroup, board: board, peripherals: self, counts: counts, wallClock: wallClock)
    self.driver = driver
    shownSignals = restingSignals
    schedule = ClockSchedule(configuration.settings, zone: .utc)
    recorder = Recorder(recording, storage: recordingStorage)
    recorder?.recover(at: clock.now)
    let lines = contacts.asserted.filter { configuration.lines.indices.contains($0.index) }
    observer?.poweredOn(asserted: Set(lines.map { configuration.lines[$0.index].name }), at: clock.now)
    let day = schedule.begin(at: wallClock.now, isKnown: wallClock.trust > .unknown)
    let input = PowerOn(
      asserted: lines, saved: store.read(), seed: 1,
      hours: day.hours, timetable: day.timetable, quiet: day.quiet, ledger: readLedger(),
      isMusicKept: first.isKept, isMusicComplete: first.missing.isEmpty)
    driver.feed(.powerOn(input), at: clock.now)
    readKnobs()
    driver.feed(.library(first), at: clock.now)
    reportHeadsets()
    tellCards()
    settle()
  }

  /// A store without memory of the last power cycle, as the firmware has at every start.
  static func store(on storage: SimulatedStorage) -> StateStore { StateStore(path: "state.toml", storage: storage) }

  /// Nothing is read where there are no requests.
  private func readLedger() -> SavedLedger {
    guard configuration.settings.requests != nil else { return .nothing }
    try? ledgerStore.read()
    return ledgerStore.takeSaved()
  }

  /// What a report would show after a save. What was heard since the brain handed it on last is missing.
  var countedSum: TrackCounts {
    if observer == nil { return TrackCounts() }
    let unsaved = (driver?.counts.finished ?? []) + [driver?.counts.current].compactMap { $0 }
    let known = Set(unsaved.map(\.id))
    let saved = ((try? CountsStore(database).all()) ?? []).filter { !known.contains($0.id) }
    return (saved + unsaved).reduce(into: TrackCounts()) { $0.add($1.sum) }
  }

  /// A thread and what it serves hold each other until it is stopped.
  func stopDevices() {
    for thread in driver?.outputGroup.deviceThreads ?? [] { thread.stop() }
  }

  func cutPower() {
    if driver != nil { observer?.counted(countedSum, isRestored: false, at: clock.now) }
    devices.cutPower()
    console.cutPower()
    headsets.cutPower()
    headsetVolumes.cutPower()
    withdrawnInSleep = []
    recordingStorage.cutPower()
    database.close()
    stateStorage.cutPower()
    stopDevices()
    recorder = nil
    recorderWait = .command
    asleepSince = nil
    driver = nil
    isAmplifierMuted = true
    shownLamp = .off
    shownSignals = restingSignals
    engineDue = nil
    openings = [:]
  }
}
