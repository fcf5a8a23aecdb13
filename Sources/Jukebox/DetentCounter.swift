import AudioSession

/// Counts the detents of a knob as the kiosk does, for whoever wires one.
public struct DetentCounter: Sendable {
  private var quadrature: Quadrature
  private var counts = AxisCounts()
  private let steps: Int
  private let isReversed: Bool
  /// Up, if positive.
  public private(set) var sum = 0

  public init(_ knob: Knob) {
    quadrature = Quadrature(steps: knob.steps, stuckAfter: .seconds(3_600))
    (steps, isReversed) = (knob.steps, knob.isReversed)
  }

  /// Where its contacts stand.
  public mutating func stand(a: Bool, b: Bool, at instant: Instant) { quadrature.stand(a: a, b: b, at: instant) }

  /// Returns whether the edge has completed a detent.
  public mutating func take(_ edge: KnobEdge) -> Bool {
    guard case .detent(let isUp) = quadrature.take(edge) else { return false }
    sum += isUp != isReversed ? 1 : -1
    return true
  }

  /// Takes counts of its axis.
  public mutating func take(counts: Int) {
    let detents = self.counts.take(counts, steps: steps)
    sum += isReversed ? -detents : detents
  }
}
