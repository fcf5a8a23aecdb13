import AudioSession

/// How the pulses of a coin acceptor, or of the micro switch of a coin slot, are told from noise (J3).
public struct CoinLine: Hashable, Sendable {
  /// Shorter, a pulse is noise, and a gap within a pulse is bounce.
  public var pulseMin: Duration
  /// How long after its last pulse a train ends: one train is one coin.
  public var gap: Duration
  /// A pulse longer than this is a jam.
  public var stuckAfter: Duration

  public init(
    pulseMin: Duration = .milliseconds(10), gap: Duration = .milliseconds(150), stuckAfter: Duration = .seconds(1)
  ) {
    (self.pulseMin, self.gap, self.stuckAfter) = (pulseMin, gap, stuckAfter)
  }
}

/// An edge of a coin line.
public struct CoinEdge: Hashable, Sendable {
  public var asserted: Bool
  public var at: Instant
  /// Edges of this line just before it were lost.
  public var followsLoss: Bool

  public init(_ asserted: Bool, at: Instant, followsLoss: Bool = false) {
    (self.asserted, self.at, self.followsLoss) = (asserted, at, followsLoss)
  }
}

/// Why the pulses of a coin line do not count as a coin.
public enum CoinRefusal: String, Hashable, Sendable, CaseIterable {
  /// A pulse that does not end.
  case jam
  /// The kernel had no room for some of its edges: how many pulses there were is not known.
  case lostEdges = "lost-edges"
  /// The system slept in the middle of it, which comes to the same.
  case slept
  /// It began with the power: the acceptor starts, too.
  case boot
  /// The firmware ends before the train does.
  case shutdown
}
