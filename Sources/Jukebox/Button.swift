import AudioSession

/// What a button asks for, or a contact that is none (O rows).
public enum Button: Hashable, Sendable {
  case play, stop, volumeUp, volumeDown, next, previous, record
  /// Has the cue spoken that the settings name.
  case cue
  /// Lets a headset pair (B7).
  case pair
  /// Sets the sleep timer, or puts it off (H5).
  case sleep
  /// Chooses a track (T1), a playlist (T4), what is heard most (J7) or a cue. A board may have any number of them.
  case choose(Choice)

  /// The buttons that a board has once at most.
  public static let single: [Button] = [
    .play, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .cue, .pair, .sleep,
  ]

  /// What is true of a button whatever goes on.
  struct Traits {
    var word: String
    /// Pressing it can bring sound where there was none, or be an answer to the prompt.
    var canStartSound = false
    /// After how long holding it means something more, or repeats it; nil: never.
    var holdTime: Duration?
    var whenClosed: WhenClosed
    /// Whose sound it asks for; nil: nobody's, or the sound that is there.
    var client: ClientName?
  }

  var traits: Traits {
    switch self {
    case .play:
      Traits(
        word: "play", canStartSound: true, holdTime: .milliseconds(1_000), whenClosed: .endsMusic, client: .music)
    case .stop: Traits(word: "stop", whenClosed: .obeyed)
    case .volumeUp: Traits(word: "volume-up", holdTime: .milliseconds(400), whenClosed: .untilSilent)
    case .volumeDown: Traits(word: "volume-down", holdTime: .milliseconds(400), whenClosed: .untilSilent)
    case .next: Traits(word: "next", canStartSound: true, whenClosed: .refused)
    case .previous: Traits(word: "previous", canStartSound: true, whenClosed: .refused)
    case .record: Traits(word: "record", whenClosed: .endsRecording, client: .recorder)
    case .cue: Traits(word: "cue", canStartSound: true, whenClosed: .refused, client: .cue)
    case .pair: Traits(word: "pair", whenClosed: .obeyed)
    case .sleep: Traits(word: "sleep", whenClosed: .untilSilent)
    case .choose(let choice):
      Traits(word: choice.word, canStartSound: true, whenClosed: choice.whenClosed, client: choice.client)
    }
  }

  /// Its role in a board file, and its name in log and scenarios.
  public var word: String { traits.word }

  /// nil: it chooses nothing, or what the settings name.
  public var choice: Choice? { if case .choose(let choice) = self { choice } else { nil } }
}
