/// What a button asks for, or a contact that is none (O rows).
public enum Button: Hashable, Sendable {
  case play, stop, volumeUp, volumeDown, next, previous, record
  /// Has this cue spoken; nil: that of the settings. A board may have any number of those that name one.
  case cue(String?)
  /// Lets a headset pair (B7).
  case pair
  /// Sets the sleep timer, or puts it off (H5).
  case sleep
  /// Plays this one track (T1). A board may have any number of them.
  case track(TrackName)
  /// Plays this playlist (T4). A board may have any number of them.
  case playlist(String)
  /// Plays the track that is heard most, or the next after it (J7). A board may have any number of them.
  case popular(Int)

  /// The buttons that a board has once at most.
  public static let single: [Button] = [
    .play, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .cue(nil), .pair, .sleep,
  ]

  /// Its role in a board file, and its name in log and scenarios.
  public var word: String {
    switch self {
    case .play: "play"
    case .stop: "stop"
    case .volumeUp: "volume-up"
    case .volumeDown: "volume-down"
    case .next: "next"
    case .previous: "previous"
    case .record: "record"
    case .cue: "cue"
    case .pair: "pair"
    case .sleep: "sleep"
    case .track: "track"
    case .playlist: "playlist"
    case .popular: "popular"
    }
  }

  /// What it chooses; nil for a button that chooses nothing.
  public var choice: String? {
    switch self {
    case .track(let name): name.text
    case .playlist(let name): name
    case .cue(let name): name
    case .popular(let place): String(place)
    case .play, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .pair, .sleep: nil
    }
  }

  /// Whether pressing it can bring sound where there was none, or be an answer to the prompt.
  var canStartSound: Bool {
    switch self {
    case .play, .next, .previous, .cue, .track, .playlist, .popular: true
    case .stop, .volumeUp, .volumeDown, .record, .pair, .sleep: false
    }
  }

  /// After how long holding it means something more, or repeats it; nil: never.
  var holdTime: Duration? {
    switch self {
    case .play: .milliseconds(1_000)
    case .volumeUp, .volumeDown: .milliseconds(400)
    case .stop, .next, .previous, .record, .cue, .pair, .sleep, .track, .playlist, .popular: nil
    }
  }
}
