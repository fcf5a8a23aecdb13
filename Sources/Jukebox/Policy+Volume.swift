import AudioSession

/// The volumes of the ports, by whoever changes them.
extension Jukebox {
  /// Puts volumes and channels back to their start, whether or not their ports are there.
  mutating func reset(_ ports: [OutputPort], because cause: ResetCause, _ turn: inout Turn) {
    for port in ports.map(\.port) {
      let (old, new) = volumes.reset(port)
      if old != new { logVolume(of: port, from: old, cause: .reset(cause), &turn) }
      resetChannels(of: port, because: cause, &turn)
    }
  }

  /// Returns false when the volume is at the end of its range.
  mutating func changeVolume(by step: Int, _ turn: inout Turn) -> Bool {
    guard let moved = moveVolume(by: step) else { return false }
    logVolume(of: moved.port, from: moved.former, cause: nil, &turn)
    return true
  }

  /// As somebody at the board does it, without a line in the log. Nil where nothing changes.
  mutating func moveVolume(by step: Int) -> (port: Port, former: Int)? {
    guard let port = routes.route.port else { return nil }
    var volume = volumes.stepped(by: step, of: port)
    // Louder than what invites may be is not heard, and would be the volume of what is chosen then (J6.1).
    if step > 0, let ceiling = attractCeiling { volume = min(volume, max(ceiling, volumes.volume(of: port))) }
    let (old, new) = volumes.set(volume, for: port)
    return old == new ? nil : (port, old)
  }

  /// Sets a port's volume, whether or not it is there. Returns the new volume, or nil when nothing changed.
  mutating func setVolume(_ volume: Int, of port: Port, _ turn: inout Turn) -> Int? {
    let (old, new) = volumes.set(volume, for: port)
    guard old != new else { return nil }
    logVolume(of: port, from: old, cause: nil, &turn)
    return new
  }

  func logVolume(of port: Port, from old: Int, cause: VolumeCause?, _ turn: inout Turn) {
    turn.log(
      .volumeChanged, .info,
      [
        "port": port.rawValue, "volume": String(volumes.volume(of: port)), "from": String(old),
        "cause": cause?.logged,
      ])
  }
}
