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

  public init() {}
}

/// What coins are worth (J3).
public struct CreditSettings: Hashable, Sendable {
  /// Credits by pulses: the greatest number that fits counts, again and again, and what is left waits for the next coin.
  public var coins: [Int: Int] = [1: 1]
  /// Requests take nothing.
  public var isFree = false

  public init() {}
}
