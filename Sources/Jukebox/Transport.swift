import AudioSession

/// What the listener wants. Only the operator, the end of the queue or a rule that says so changes it.
public enum Intent: String, Hashable, Sendable, CaseIterable { case stopped, playing, paused }

/// What can hold wanted sound back.
public enum HoldName: String, Hashable, Sendable, CaseIterable {
  case routeLost = "route-lost"
  case interruption
  case outputUnavailable = "output-unavailable"
  case storageUnavailable = "storage-unavailable"
  case noSuitableRoute = "no-suitable-route"
  case closed
}

/// Since when something holds, and at which frame of the track.
public struct Hold: Hashable, Sendable {
  public var since: Instant
  public var frame: Int
}

/// The hold while the output is gone.
struct OutputLoss: Hashable, Sendable {
  var hold: Hold
  /// How often it was tried again.
  var retries = 0
  /// When it is tried again; nil: it is being tried.
  var retryDue: Instant?
}

/// An output that was lost, and is back.
struct RestoredOutput: Hashable, Sendable {
  var at: Instant
  /// How often it was tried until then.
  var retries: Int
}

/// The plug of a private route moves: nothing sounds until its line is steady, and shows whether the plug is out or has
/// bounced (R3, R5). It does not concern the music, and there is none while a loss holds.
struct Doubt: Hashable, Sendable {
  var hold: Hold
  var from: Port
}

/// The hold that an unplug places on music that is wanted.
public struct RouteLoss: Hashable, Sendable {
  /// The question whether to go on here (Q1).
  enum Prompt: Hashable, Sendable {
    case shown
    /// Its time has passed, and a recording, page or alarm is under way (V4).
    case overdue
  }

  public var hold: Hold
  public var from: Port
  /// A plug resumes (P3); false: only the operator goes on (P4).
  var isResumable = true
  /// nil: it is answered.
  var prompt: Prompt?
}

/// A wireless port on which music that an unplug held goes on. Until it has sounded there for long enough that is no end
/// of the hold (B2).
struct PortTrial: Hashable, Sendable {
  var port: Port
  /// What holds again, prompt and all, where the port fails before.
  var loss: RouteLoss
  /// When it has sounded for long enough; nil: it does not sound yet.
  var due: Instant?
}

/// Whose folder of music is waited for.
enum MissingFolder: Hashable, Sendable {
  /// That of the request whose turn it is, and nothing but requests may play (J5.5).
  case request
  /// That of the place in the music that played when the power was cut (W2.1).
  case place
}

/// The hold while no connected port suits the category.
public struct Unsuited: Hashable, Sendable {
  public var hold: Hold
  /// The port that was the route before, or was asked for since: music that left it silently must not come back elsewhere (P1).
  public var from: Port?
}

/// The hold while somebody else has the session, or while the music may not be heard by itself.
public struct Interruption: Hashable, Sendable {
  public enum Source: Hashable, Sendable {
    /// A stronger client of the session, by name.
    case client(ClientName)
    /// The mute line (S1). It interrupts nobody and has no limit: it applies for as long as somebody wants silence.
    case mute
    /// The client needs an input that the board does not have (S5).
    case noInput

    /// The reason in the log, where a client that is called `mute` looks like the line.
    public var word: String {
      switch self {
      case .client(let name): name.text
      case .mute: "mute"
      case .noInput: "no-input"
      }
    }
  }
  public var source: Source
  public var hold: Hold
  /// Only for as long as its cue is spoken.
  public var isSpoken: Bool
}

/// Intent and holds. Sound is wanted and free exactly when `isAudible`; nothing else mutes or unmutes music.
struct Transport: Hashable, Sendable {
  var intent: Intent = .stopped
  var doubt: Doubt?
  var routeLoss: RouteLoss?
  /// Set in place of the loss while a wireless port is tried.
  var trial: PortTrial?
  var outputLoss: OutputLoss?
  var restoredOutput: RestoredOutput?
  var storageLoss: StorageLoss?
  /// A folder of music that has to be there before anything plays is not.
  var missing: MissingFolder?
  var unsuited: Unsuited?
  /// The kiosk is closed (H rows).
  var isClosed = false
  /// The oldest first.
  var interruptions: [Interruption] = []
  /// When what interrupts has lasted for so long that the music stays paused afterwards (I9).
  var limit: Instant?
  /// When a folder was waited for in vain (J5.6, W2.1).
  var folderLimit: Instant?

  var isAudible: Bool {
    intent == .playing && doubt == nil && routeLoss == nil && outputLoss == nil && !isStorageAway && unsuited == nil
      && !isClosed && interruptions.isEmpty
  }

  /// The music cannot be read, or not that which is to play.
  var isStorageAway: Bool { storageLoss != nil || missing != nil }

  /// Somebody else has the session or the device, or the music cannot be read: what comes to an end within its time, or is a pause (I9).
  var isInterrupted: Bool { outputLoss != nil || storageLoss != nil || interruptions.contains { $0.source != .mute } }

  var holds: [HoldName] {
    var names: [HoldName] = []
    if doubt != nil || routeLoss != nil { names.append(.routeLost) }
    if !interruptions.isEmpty { names.append(.interruption) }
    if outputLoss != nil { names.append(.outputUnavailable) }
    if isStorageAway { names.append(.storageUnavailable) }
    if unsuited != nil { names.append(.noSuitableRoute) }
    if isClosed { names.append(.closed) }
    return names
  }

  var isPromptShown: Bool { routeLoss?.prompt != nil }

  /// The plug moves, and nothing else keeps the music from sounding.
  var isHeldByDoubtOnly: Bool {
    guard doubt != nil else { return false }
    var steady = self
    steady.doubt = nil
    return steady.isAudible
  }

  /// What the log has to say of it.
  var playback: Playback {
    switch intent {
    case .stopped: .stopped
    case .paused: .paused
    case .playing:
      if isAudible {
        .playing
      } else if isHeldByDoubtOnly {
        .doubtful
      } else {
        routeLoss == nil ? .held : .unplugged
      }
    }
  }

  /// What a listener would call it: wanted sound that something holds back is paused.
  var state: Status.State {
    switch intent {
    case .stopped: .stopped
    case .playing: isAudible ? .playing : .paused
    case .paused: .paused
    }
  }
}
