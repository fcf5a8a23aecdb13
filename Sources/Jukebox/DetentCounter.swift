import AudioSession

/// Counts the detents of a knob as the kiosk does, for whoever wires one.
public struct DetentCounter: Sendable {
  private var quadrature: Quadrature
  private let isReversed: Bool
  /// Up, if positive.
  public private(set) var sum = 0

  public init(_ knob: Knob) {
    quadrature = Quadrature(steps: knob.steps, stuckAfter: .seconds(3_600))
    isReversed = knob.isReversed
  }

  /// Returns whether the edge has completed a detent.
  public mutating func take(_ edge: KnobEdge) -> Bool {
    guard case .detent(let isUp) = quadrature.take(edge) else { return false }
    sum += isUp != isReversed ? 1 : -1
    return true
  }
}
