import AudioSession

/// Whether a playback device can rewind what is queued, and how finely it reports its position (`hw_ptr`). Fixed
/// when the device is opened.
public enum CardClass: Hashable, Sendable {
  /// Queued frames can be rewound, and the position is true to a millisecond.
  case exact
  /// Queued frames can be rewound. The position moves by up to this many frames at once, and as many may have been
  /// fetched behind it.
  case stepped(Int)
  /// Nothing can be rewound, so little is kept queued. The position moves by up to this many frames at once; 0: it is
  /// exact.
  case noRewind(step: Int)

  /// - Parameter step: the frames by which the position moves at once.
  public init(takesBack: Bool, step: Int, rate: Int) {
    let step = step > Duration.milliseconds(1).frames(rate: rate) ? step : 0
    self = !takesBack ? .noRewind(step: step) : step > 0 ? .stepped(step) : .exact
  }

  public var takesBack: Bool { if case .noRewind = self { false } else { true } }

  /// The frames by which the position moves at once; 0 where it is exact.
  public var step: Int {
    switch self {
    case .exact: 0
    case .stepped(let step), .noRewind(let step): step
    }
  }
}

/// What is known of a card beforehand, as by the board file, in place of what its driver says when it is opened.
public struct KnownCard: Hashable, Sendable {
  public var takesBack: Bool?
  /// By how much its position moves at once; zero: it is exact.
  public var positionStep: Duration?

  public init(takesBack: Bool? = nil, positionStep: Duration? = nil) {
    self.takesBack = takesBack
    self.positionStep = positionStep
  }
}
