import AudioSession

/// The volume of headsets that make their own (B6).
/// Changes: `headsets`, `volumes`.
extension Jukebox {
  /// - Parameter level: nil: it takes no volume, or has gone.
  mutating func headset(of port: Port, reports level: Int?, _ turn: inout Turn) {
    guard let level else {
      headsets[port] = nil
      return
    }
    // The first is what another source, or its own memory, has left it at: the port's volume overrides it.
    guard headsets[port] != nil else {
      return headsets[port] = HeadsetVolume(level: level, newUntil: turn.now + HeadsetVolume.arrival)
    }
    guard let volume = headsets[port]?.report(level, at: turn.now) else { return }
    visited(by: .press, &turn)
    let (old, new) = volumes.set(volume, for: port)
    if old != new { logVolume(of: port, from: old, cause: .headset, &turn) }
    touch(at: turn.now)
  }

  mutating func settleHeadsetVolumes(_ turn: inout Turn) {
    for port in headsets.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let level = headsets[port]?.settle(volumes.volume(of: port), at: turn.now) {
        turn.append(.setHeadsetVolume(port, level: level))
      }
    }
  }

  /// What the samples make of the port's volume.
  func sampleVolume(of port: Port) -> Int {
    let volume = volumes.volume(of: port)
    return headsets[port]?.samples(of: volume) ?? volume
  }
}
