import AudioSession

@testable import Jukebox

extension Kiosk {
  /// The edges of one detent of a knob that rests where neither contact is asserted, the last one now.
  func cycle(isUp: Bool, every time: Duration) -> [KnobEdge] {
    let contacts: [KnobContact] = isUp ? [.a, .b, .a, .b] : [.b, .a, .b, .a]
    return contacts.enumerated().map { index, contact in
      KnobEdge(contact, asserted: index < 2, at: now + time * (index - 3))
    }
  }

  /// Turns the only knob by detents, each after a time.
  func turn(_ detents: Int, every pause: Duration = .milliseconds(20), then time: Duration? = nil) {
    for _ in 0..<abs(detents) {
      wait(pause)
      for edge in cycle(isUp: detents > 0, every: .milliseconds(2)) {
        feed(.knob(KnobID(0), .edges([edge], isComplete: true)))
      }
    }
    if let time { wait(time) }
  }

  func edges(_ edges: [(KnobContact, Bool)]) {
    for (contact, asserted) in edges {
      wait(.milliseconds(2))
      feed(.knob(KnobID(0), .edges([KnobEdge(contact, asserted: asserted, at: now)], isComplete: true)))
    }
  }

  /// Counts of the axis of the only knob.
  func count(_ counts: Int) { feed(.knob(KnobID(0), .counts(counts, at: now))) }
}
