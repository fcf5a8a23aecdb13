/// What the sound card of a simulated port can do: the traits of drivers, with the figures of one that has them.
public enum SimulatedCard: String, Hashable, Sendable, CaseIterable {
  /// Takes back all that is queued, and knows its position to the frame.
  case usual
  /// Its position moves by periods, as that of a DMA engine that reports whole descriptors only.
  case steps
  /// Takes nothing back, and its position moves by the reports of a firmware, as that of a Raspberry Pi's jack.
  case shallow
  /// Keeps frames of its own behind the buffer, which are counted in the delay and never taken back, as a USB card's.
  case queued

  public var takesBack: Bool { self != .shallow }

  /// By how much its position moves at once.
  public var positionStep: Duration {
    switch self {
    case .usual: .zero
    case .steps, .shallow: .milliseconds(10)
    case .queued: .milliseconds(6)
    }
  }

  /// How long a frame takes from the buffer to the listener.
  public var latency: Duration { self == .queued ? .milliseconds(18) : .zero }
}
