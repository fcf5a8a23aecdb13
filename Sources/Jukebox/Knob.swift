import AudioSession

/// A knob that is turned by detents: `[knobs.NAME]` of the board file, without where it is.
public struct Knob: Hashable, Sendable {
  /// What turning it does.
  public enum Use: Hashable, Sendable {
    /// By this many points per detent; nil: by the settings' volume step.
    case volume(points: Int?)
    case track
    case playlist
    /// By this much per detent.
    case seek(Duration)

    /// In board file and log.
    public var word: String {
      switch self {
      case .volume: "volume"
      case .track: "track"
      case .playlist: "playlist"
      case .seek: "seek"
      }
    }
  }

  /// As in the board file and in the event log.
  public var name: String
  public var use: Use
  /// Edges of both contacts from one detent to the next, 1, 2 or 4; or counts of the axis.
  public var steps: Int
  /// The other direction is up.
  public var isReversed: Bool
  /// Detents that follow each other fast count more than once: for a volume only.
  public var isFaster: Bool

  public init(
    name: String, use: Use = .volume(points: nil), steps: Int = 4, isReversed: Bool = false, isFaster: Bool = false
  ) {
    self.name = name
    self.use = use
    self.steps = steps
    self.isReversed = isReversed
    self.isFaster = isFaster
  }
}

/// An index into `Configuration.knobs`.
public struct KnobID: Hashable, Sendable {
  public var index: Int
  public init(_ index: Int) { self.index = index }
}

/// One of the two contacts of a knob. Turned up, `a` moves first.
public enum KnobContact: String, Hashable, Sendable, CaseIterable { case a, b }

/// An edge of one contact of a knob.
public struct KnobEdge: Hashable, Sendable {
  public var contact: KnobContact
  public var asserted: Bool
  public var at: Instant

  public init(_ contact: KnobContact, asserted: Bool, at: Instant) {
    self.contact = contact
    self.asserted = asserted
    self.at = at
  }
}

/// What is known of a knob that moves.
public enum KnobMove: Hashable, Sendable {
  /// Edges of its contacts, the oldest first. `isComplete`: none was lost on the way; else they are positions only.
  case edges([KnobEdge], isComplete: Bool)
  /// Where its contacts stand, read at this instant: at power on, and after a sleep.
  case position(a: Bool, b: Bool, at: Instant)
  /// Counts of its axis.
  case counts(Int, at: Instant)
}
