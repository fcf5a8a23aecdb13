import AudioSession
import Jukebox

/// The volume of Bluetooth headsets, which a board knows while it can play to them.
extension Simulation {
  /// Somebody turns the volume at the headset; nil: it takes none.
  func turn(_ port: Port, to level: Int?) {
    headsetVolumes[port] = level
    reportHeadset(port)
  }

  func answerHeadsetVolumes() {
    while let port = headsetVolumes.obey(at: clock.now) {
      reportHeadset(port)
      settle()
    }
  }

  func reportHeadset(_ port: Port) {
    guard !isAsleep, let line = headsetLine(of: port), contacts.asserted.contains(line) else { return }
    driver?.feed(.headsetVolume(port, level: headsetVolumes[port]), at: clock.now)
  }

  /// The board is on, or awake: what has gone meanwhile has no volume, even if it is back.
  func reportHeadsets() {
    for setup in configuration.ports where setup.isWireless {
      if withdrawnInSleep.remove(setup.port) != nil {
        driver?.feed(.headsetVolume(setup.port, level: nil), at: clock.now)
      }
      reportHeadset(setup.port)
    }
  }

  /// bluez-alsa offers the headset, or does so no longer.
  func offer(_ port: Port, _ isOffered: Bool) {
    devices.offer(port, isOffered)
    if isOffered { return }
    headsetVolumes.leave(port)
    if isAsleep { withdrawnInSleep.insert(port) }
  }

  /// A headset that comes has a volume before it can be played to, and one that goes has none.
  func reportHeadset(behind line: LineID, isThere: Bool) {
    for setup in configuration.ports where headsetLine(of: setup.port) == line && headsetVolumes[setup.port] != nil {
      driver?.feed(.headsetVolume(setup.port, level: isThere ? headsetVolumes[setup.port] : nil), at: clock.now)
    }
  }

  private func headsetLine(of port: Port) -> LineID? {
    guard let setup = configuration.ports.first(where: { $0.port == port }), setup.isWireless,
      case .line(let name) = setup.sense
    else { return nil }
    return configuration.lines.firstIndex { $0.name == name }.map(LineID.init)
  }
}
