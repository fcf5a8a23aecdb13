import AudioSession

/// Choices of the track that is heard most, or of one of the next, until the counters are read (J7). That takes some
/// milliseconds, or never ends if the storage hangs.
struct PopularChoices: Hashable, Sendable {
  /// Whoever has chosen waits no longer for the storage.
  static let patience = Duration.seconds(2)
  /// The most that wait.
  static let most = 16

  /// Why nothing was found.
  enum Failure: Hashable, Sendable {
    case unread(reason: String)
    case noAnswer
    case nothingHeard
    /// Only this many tracks that are there were heard.
    case fewer(Int)
    case overtaken
    /// The visit has ended.
    case left
    case closed
    case tooMany

    var message: String {
      switch self {
      case .unread(let reason): "the counters cannot be read: \(reason)"
      case .noAnswer: "the storage does not answer"
      case .nothingHeard: "no track that is there was heard in the last \(Ranking.days) days"
      case .fewer(1): "only one track that is there was heard in the last \(Ranking.days) days"
      case .fewer(let count): "only \(count) tracks that are there were heard in the last \(Ranking.days) days"
      case .overtaken: "something else was asked for first"
      case .left: "whoever asked has gone"
      case .closed: "the kiosk closes"
      case .tooMany: "too many choices wait for the storage"
      }
    }
  }

  struct Asked: Hashable, Sendable {
    var place: Int
    /// false: by a card that lies on a reader (L1.1), or while the music faded for the sleep timer (H5.3).
    var mayPause: Bool
  }

  /// Choices wait their turn: what is asked for meanwhile takes none of them back.
  var isKept = false
  /// In their order.
  private(set) var waiting: [Asked] = []
  /// The choices that somebody has replaced by another, and that are not logged yet.
  private(set) var overtaken: [Asked] = []
  /// The counters are being read.
  private var isAsked = false
  /// Until when they are waited for.
  private(set) var due: Instant?

  /// Returns false where too many wait already.
  mutating func ask(_ asked: Asked, at now: Instant) -> Bool {
    guard waiting.count < Self.most else { return false }
    waiting.append(asked)
    due = due ?? now + Self.patience
    return true
  }

  /// Whether the counters are to be read now.
  mutating func mustRead() -> Bool {
    defer { isAsked = !waiting.isEmpty }
    return !waiting.isEmpty && !isAsked
  }

  /// They are read, or somebody has waited for long enough.
  mutating func takeWaiting() -> [Asked] {
    defer { (waiting, due, isAsked) = ([], nil, false) }
    return waiting
  }

  /// Somebody has asked for something else.
  mutating func overtake() { if !isKept { overtaken += takeWaiting() } }

  mutating func takeOvertaken() -> [Asked] {
    defer { overtaken = [] }
    return overtaken
  }
}
