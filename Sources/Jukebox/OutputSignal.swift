import AudioSession

/// What an output of role `signal` shows: for as long as conditions hold, or a pulse at an event (E rows).
public struct OutputSignal: Hashable, Sendable {
  /// What may be true of the kiosk, in the words of `while` and `and` in a board file.
  public enum Condition: Hashable, Sendable {
    /// Music is heard.
    case playing
    /// This track is listened to.
    case track(TrackName)
    /// A track of this playlist is listened to.
    case playlist(String)
    /// This cue is heard.
    case cue(String)
    /// The sound goes to this port.
    case port(Port)
    case visit, prompt, recording
    /// A page, an alarm or another interrupter has the session.
    case page
    case noMusic
    /// Something needs whoever looks after the board.
    case fault
    /// It is closed, or comes to its end for today (H rows).
    case closed
    /// What is chosen now would be taken (J2).
    case credits
    /// A request plays, or waits.
    case request
    /// No more requests are taken.
    case requestsFull
    /// Coins are kept out, as by a line of role `coin-inhibit`.
    case noCoins

    /// The conditions that need no name.
    public static let plain: [(word: String, value: Condition)] = [
      ("playing", .playing), ("visit", .visit), ("prompt", .prompt), ("recording", .recording), ("page", .page),
      ("no-music", .noMusic), ("fault", .fault), ("closed", .closed),
      ("credits", .credits), ("request", .request), ("requests-full", .requestsFull), ("no-coins", .noCoins),
    ]
  }

  /// The most signals of a board (E7).
  public static let most = 64

  /// Asserted while one of these holds, and all of `alsoWhile`; empty: pulses at `events`.
  public var whileAny: [Condition]
  public var alsoWhile: [Condition]
  /// For how long the conditions have to hold before it is asserted.
  public var onDelay: Duration
  /// For how long it stays asserted after they have ceased to hold.
  public var offDelay: Duration
  public var events: [EventName]
  /// How long a pulse is.
  public var pulse: Duration
  /// What it shows while it is asserted; never `off`.
  public var pattern: LampPattern

  public init(
    whileAny: [Condition], alsoWhile: [Condition] = [], onDelay: Duration = .zero, offDelay: Duration = .zero,
    pattern: LampPattern = .on
  ) {
    (self.whileAny, self.alsoWhile) = (whileAny, alsoWhile)
    (self.onDelay, self.offDelay) = (onDelay, offDelay)
    (events, pulse) = ([], .zero)
    self.pattern = pattern
  }

  public init(pulse: Duration, on events: [EventName], pattern: LampPattern = .on) {
    self.init(whileAny: [], pattern: pattern)
    (self.events, self.pulse) = (events, pulse)
  }

  var conditions: [Condition] { whileAny + alsoWhile }
}

/// What a signal shows at one moment.
public struct ShownSignal: Hashable, Sendable {
  /// Its line's name.
  public var name: String
  public var pattern: LampPattern
}
