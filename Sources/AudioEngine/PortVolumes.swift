import AudioSession

/// Decides where the volume of each port is made: in its sound card where that has a control with decibels, else in the
/// samples. Control thread.
///
/// Never in both. The whole volume is applied to the samples until the card reports that it has it, and from then on
/// only what the card's coarser steps leave over. The sound may be too soft for a moment, but never too loud. A port
/// that becomes the route has the volume that its card was left at, so it is right from the first frame (R13). Fade and
/// duck are always made in the samples: they are over before a card would have responded.
package final class PortVolumes {
  private let controls: (any VolumeControls)?
  private let ports: Set<Port>
  private var wanted: [Port: Int] = [:]
  /// The volume that each card makes, and the decibels that are left to the samples.
  private var made: [Port: (volume: Int, rest: Double)] = [:]
  private var notices: [String] = []

  /// - Parameters:
  ///   - controls: of the sound cards that `ports` have; nil: every volume is made in the samples.
  package init(controls: (any VolumeControls)? = nil, ports: Set<Port> = []) {
    self.controls = controls
    self.ports = ports
  }

  /// Sets the volume of a port that becomes the route. Returns the gain of the samples, Q15.
  func setRoute(_ port: Port?, volume: Int) -> Int32 {
    // Whatever volume its card has now, the port must not be louder than this.
    if let port, made[port]?.volume != volume { made[port] = nil }
    return setVolume(of: port, to: volume)
  }

  /// Sets the volume of a port that is the route already, so that its card is close to it. Returns the gain of the
  /// samples, Q15.
  func setVolume(of port: Port?, to volume: Int) -> Int32 {
    guard let port, ports.contains(port) else { return VolumeCurve.gain(volume) }
    if wanted[port] != volume {
      wanted[port] = volume
      controls?.set(port, to: volume)
    }
    return gain(of: port)
  }

  /// Takes the reports of the cards; returns the gains of those ports that they may have changed.
  func takeChanges() -> [Port: Int32] {
    var changes: [Port: Int32] = [:]
    for report in controls?.takeReports() ?? [] {
      switch report {
      case .set(let port, let volume, let rest):
        guard made[port] != nil || volume == wanted[port] else { continue }
        made[port] = (volume, rest)
        changes[port] = gain(of: port)
      case .failed(let port, let reason):
        made[port] = nil
        notices.append("\(reason); the volume of \(port.rawValue) is made in software")
        changes[port] = gain(of: port)
      }
    }
    return changes
  }

  package func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  private func gain(of port: Port) -> Int32 {
    let volume = wanted[port] ?? 0
    guard let made = made[port], volume > 0 else { return VolumeCurve.gain(volume) }
    return VolumeCurve.gain(decibels: made.rest)
  }
}
