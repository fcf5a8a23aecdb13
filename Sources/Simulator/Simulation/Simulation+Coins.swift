import AudioSession
import Jukebox

/// Coins in virtual time.
extension Simulation {
  /// A coin acceptor at this line makes this many pulses, behind those of another coin that it still makes.
  func dropCoin(_ name: String, pulses: Int) {
    guard let index = configuration.lines.firstIndex(where: { $0.name == name }) else { return }
    let (line, now) = (LineID(index), clock.now)
    let begin = contacts.last(of: [line]).at.map { $0 - now + CoinDrop.pulse } ?? .zero
    contacts.append(CoinDrop.edges(of: line, pulses: pulses, after: begin), at: now)
    // The first edge comes at once.
    while let edge = contacts.takeDue(at: clock.now) { set(edge.line, edge.asserted) }
  }

  /// What the outputs show while no firmware drives them.
  var restingSignals: [LineID: LampPattern] {
    var resting: [LineID: LampPattern] = [:]
    for (index, line) in configuration.lines.enumerated() where line.role == .coinInhibit {
      resting[LineID(index)] = .on
    }
    return resting
  }
}
