import AudioSession
import Board
import RealtimeAudio

/// Where the volume of each port is made: in its sound card where that has a control with decibels, else in the samples.
/// Control thread.
///
/// Never in both. The samples are lowered to the whole of a volume until the card says that it makes it, and from then
/// on only by what the card's coarser steps leave over: what is heard is softer for a moment at worst, never louder. A
/// port that becomes the route has the volume that its card was left at, so it is right from the first frame (R13). Fade
/// and duck are always made in the samples: they are over before a card would have answered.
package final class PortVolumes {
  private let controls: (any VolumeControls)?
  private let ports: Set<Port>
  private var wanted: [Port: Int] = [:]
  /// What the card makes, and the decibels that are left to the samples.
  private var made: [Port: (volume: Int, rest: Double)] = [:]
  private var notices: [String] = []

  /// - Parameters:
  ///   - controls: of the sound cards that `ports` have; nil: every volume is made in the samples.
  package init(controls: (any VolumeControls)? = nil, ports: Set<Port> = []) {
    self.controls = controls
    self.ports = ports
  }

  /// The gain of the samples, Q15, for a port that becomes the route.
  func enter(_ port: Port?, at volume: Int) -> Int32 {
    // Whatever its card makes now, it is not to be heard louder than this.
    if let port, made[port]?.volume != volume { made[port] = nil }
    return turn(port, to: volume)
  }

  /// The same for one that is it already: its card is still about there, and on its way.
  func turn(_ port: Port?, to volume: Int) -> Int32 {
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
