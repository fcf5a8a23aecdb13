/// What the sound card of a simulated port can do: the traits of drivers, with the figures of one that has them.
public enum SimulatedCard: String, Hashable, Sendable, CaseIterable {
  /// Takes back all that is queued, and knows its position to the frame.
  case usual
  /// Its position moves by periods, as that of a DMA engine that reports whole descriptors only.
  case steps
  /// Cannot be rewound, and its position moves by the reports of a firmware, as that of a Raspberry Pi's jack.
  case shallow
  /// The same, and what has left its buffer takes its time to be heard, and is lost when that runs dry.
  case faulty
  /// Keeps frames of its own behind the buffer, which are counted in the delay and never rewound, as a USB card's.
  case queued
  /// A Bluetooth headset through bluez-alsa: it takes its time to be opened, and the headset keeps frames of its own.
  case headset

  public var takesBack: Bool { self != .shallow && self != .faulty }

  /// By how much its position moves at once.
  public var positionStep: Duration {
    switch self {
    case .usual, .headset: .zero
    case .steps, .shallow, .faulty: .milliseconds(10)
    case .queued: .milliseconds(6)
    }
  }

  /// How long a frame takes from the buffer to the listener.
  public var latency: Duration {
    switch self {
    case .usual, .steps, .shallow: .zero
    case .faulty: .milliseconds(7)
    case .queued: .milliseconds(18)
    case .headset: .milliseconds(150)
    }
  }

  /// How long it takes to be opened, unless a scenario says otherwise.
  var opening: Duration { self == .headset ? .milliseconds(600) : .zero }
}
