import AudioSession

/// A track that somebody has chosen where choices wait their turn (J1).
public struct Request: Hashable, Sendable {
  /// No two requests of a board have the same one.
  public var number: Int
  /// In the library. A request is kept by name: its track may go and come back.
  @NameOfFile public var track: String
  /// Whether it has taken a credit.
  public var isPaid: Bool

  public init(number: Int, track: String, isPaid: Bool) {
    self.number = number
    self.track = track
    self.isPaid = isPaid
  }
}

/// The request that plays, and the frame of it that was heard last.
public struct RequestPlace: Hashable, Sendable {
  public var number: Int
  public var frame: Int

  public init(number: Int, frame: Int) {
    self.number = number
    self.frame = frame
  }
}
