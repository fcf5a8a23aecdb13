/// How a chosen track waits its turn; without them every choice cuts what plays (J1).
public struct RequestSettings: Hashable, Sendable {
  /// What follows the last request.
  public enum After: String, Hashable, Sendable, CaseIterable { case stop, background }
  /// What becomes of a track that waits or plays already.
  public enum Twice: String, Hashable, Sendable, CaseIterable { case refuse, allow }

  public var after: After = .stop
  /// The most requests that wait or play.
  public var limit = 50
  public var twice: Twice = .refuse
  /// What plays behind the requests where no selector and no timetable says otherwise; nil: all the music.
  public var background: String?
  /// Coins and credits; nil: requests cost nothing.
  public var credits: CreditSettings?
  /// What plays by itself in a silent room; nil: nothing does.
  public var attract: AttractSettings?

  public init() {}
}

/// A track that plays by itself where nothing has sounded for long, and nobody has done anything (J6).
public struct AttractSettings: Hashable, Sendable {
  public var after: Duration
  /// The playlist of which one track after the other plays, each time one.
  public var playlist: String
  /// The loudest volume that it plays at; nil: as other music.
  public var volume: Int?

  public init(after: Duration, playlist: String, volume: Int? = nil) {
    (self.after, self.playlist, self.volume) = (after, playlist, volume)
  }
}

/// What coins are worth (J3).
public struct CreditSettings: Hashable, Sendable {
  /// Credits by pulses: the greatest number that fits counts, again and again, and what is left waits for the next coin.
  public var coins: [Int: Int] = [1: 1]
  /// Requests take nothing.
  public var isFree = false

  public init() {}
}
