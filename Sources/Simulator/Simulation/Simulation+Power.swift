import AudioEngine
import AudioSession
import Driver
import Jukebox
import Storage

/// Power on and power cuts.
extension Simulation {
  func powerOn() {
    let first = music.listFirst()
    let outputs = board.ports.map { AudioEngine.Output(port: $0.output.port, device: $0.output.port.rawValue) }
    let outputGroup = OutputGroup(
      outputs: outputs, devices: devices, tracks: music, clips: music, rate: board.rate, buffer: board.buffer,
      library: first.library.tracks.map(\.path), cues: configuration.cues.map(\.path))
    let jukebox = Jukebox(configuration: configuration, library: first.library)
    let driver = Driver(jukebox: jukebox, outputGroup: outputGroup, board: board, peripherals: self)
    self.driver = driver
    schedule = DailySchedule(cues: configuration.cues, zone: .utc)
    recorder = Recorder(recording, storage: recordingStorage)
    recorder?.recover(at: clock.now)
    store = Self.store(on: stateStorage)
    observer?.poweredOn(asserted: Set(contacts.asserted.map { configuration.lines[$0.index].name }), at: clock.now)
    driver.feed(.powerOn(PowerOn(asserted: contacts.asserted, saved: store.read(), seed: 1)), at: clock.now)
    driver.feed(.library(first), at: clock.now)
    settle()
  }

  /// A store without memory of the last power cycle, as the firmware has at every start.
  static func store(on storage: SimulatedStorage) -> StateStore { StateStore(path: "state.toml", storage: storage) }

  func cutPower() {
    devices.cutPower()
    console.cutPower()
    recordingStorage.cutPower()
    stateStorage.cutPower()
    recorder = nil
    recorderWait = .command
    asleepSince = nil
    driver = nil
    isAmplifierMuted = true
    shownLamp = .off
    engineDue = nil
  }
}
