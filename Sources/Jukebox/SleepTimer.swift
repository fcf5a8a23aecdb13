import AudioSession

/// Ends the music by itself, after a time or after the track that is heard (H5). It is there only while music is
/// wanted.
struct SleepTimer: Hashable, Sendable {
  enum Ending: Hashable, Sendable {
    /// The music begins to fade out then.
    case at(Instant)
    case behindTrack
  }

  /// Where the music was heard at its own level last.
  struct Mark: Hashable, Sendable {
    var track: TrackID
    var frame: Int
    /// The number of the request that plays it; nil: it is none.
    var request: Int?
  }

  static let fade = Duration.seconds(10)
  static let longest = Duration.seconds(86_400)

  private(set) var ending: Ending?
  /// How long it was to be when it was set last.
  private var time = Duration.zero
  /// Where the fade began, and when it is over.
  private var fading: Fading?

  private struct Fading: Hashable {
    var mark: Mark
    var over: Instant
  }

  var isFading: Bool { fading != nil }
  var mark: Mark? { fading?.mark }

  /// When it has something to do.
  var due: Instant? {
    guard case .at(let instant) = ending else { return nil }
    return fading?.over ?? instant
  }

  mutating func set(for time: Duration, at now: Instant) { (ending, fading, self.time) = (.at(now + time), nil, time) }

  mutating func setBehindTrack() { (ending, fading) = (.behindTrack, nil) }

  /// For as long as it was set last.
  mutating func beginAnew(at now: Instant) { set(for: time, at: now) }

  /// Moves its end by a step, at most as far as a day from now.
  mutating func postpone(by step: Duration, at now: Instant) {
    guard case .at(let instant) = ending, fading == nil else { return set(for: step, at: now) }
    set(for: min(max(instant, now) + step - now, Self.longest), at: now)
  }

  mutating func beginFade(_ mark: Mark, at now: Instant) { fading = Fading(mark: mark, over: now + Self.fade) }

  /// The request that faded is over: the pause goes to the start of what followed it.
  mutating func move(to mark: Mark) { fading?.mark = mark }

  mutating func end() { (ending, fading) = (nil, nil) }
}

/// What is typed after `sleep`.
enum SleepRequest: Hashable, Sendable {
  case after(Duration)
  case behindTrack
  case off

  static let expected = "a time from 1s to 24h such as 30min, track or off"

  init?(_ word: String) {
    switch word {
    case "track": self = .behindTrack
    case "off": self = .off
    default:
      guard let time = DurationText.parse(word), time >= .seconds(1), time <= SleepTimer.longest else { return nil }
      self = .after(time)
    }
  }
}

/// Why a sleep timer is gone.
enum SleepEnd: String, Hashable, Sendable {
  case time
  case track
  case off
  /// The music was paused or stopped otherwise.
  case silent
}
