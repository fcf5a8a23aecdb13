import AudioSession

/// Why music starts, or goes on after a pause. The raw value is the cause in the log, here and below.
enum StartCause: String, Hashable, Sendable {
  case user
  case boot
  case routeConnected = "route-connected"
  case interruptionEnded = "interruption-ended"
  case outputRestored = "output-restored"
  case storageRestored = "storage-restored"
  /// The kiosk has opened (H rows).
  case opened
  case timetable
  /// Nothing has sounded for long (J6).
  case attract

  /// Whether a cue may be spoken on it: not on the end of an interruption, which may have been a cue itself.
  var mayTrigger: Bool {
    switch self {
    case .interruptionEnded: false
    case .user, .boot, .routeConnected, .outputRestored, .storageRestored, .opened, .timetable, .attract: true
    }
  }
}

/// Why music pauses.
enum PauseCause: Hashable, Sendable {
  case user
  /// The sleep timer (H5).
  case sleep
  /// Its card was lifted (L2).
  case lifted
  case interruption
  /// The interruption has lasted for so long that its end resumes nothing (I9).
  case interruptionLimit
  case output
  /// The music cannot be read (X4).
  case storage
  /// None of the connected ports still suits the category (R9).
  case noRoute
  /// The kiosk has closed, and the music goes on when it opens (H1.5).
  case closed
  /// The private port that it played on was pulled out (P1).
  case unplugged(RouteLoss)

  var logged: String {
    switch self {
    case .user: "user"
    case .sleep: "sleep"
    case .lifted: "lifted"
    case .interruption, .interruptionLimit: "interruption"
    case .output: "output"
    case .storage: "storage"
    case .noRoute, .unplugged: "route-lost"
    case .closed: "closed"
    }
  }

  /// What the log adds to the cause.
  var loggedReason: String? {
    switch self {
    case .interruptionLimit: "limit"
    case .user, .sleep, .lifted, .interruption, .output, .storage, .noRoute, .closed, .unplugged: nil
    }
  }

  /// Whether a cue may be spoken on it: not on an interruption, which may be a cue itself.
  var mayTrigger: Bool {
    switch self {
    case .interruption, .interruptionLimit: false
    case .user, .sleep, .lifted, .output, .storage, .noRoute, .closed, .unplugged: true
    }
  }

  /// Whether music stays paused whatever comes to an end; else it is held, and goes on by itself.
  var isForGood: Bool {
    switch self {
    case .user, .sleep, .lifted, .interruptionLimit: true
    case .interruption, .output, .storage, .noRoute, .closed, .unplugged: false
    }
  }
}

/// Why a volume changes that nobody has set at the board.
enum VolumeCause: Hashable, Sendable {
  case reset(ResetCause)
  /// It was turned at the headset (B6).
  case headset
  case timetable

  var logged: String {
    switch self {
    case .reset(let cause): cause.rawValue
    case .headset: "headset"
    case .timetable: "timetable"
    }
  }
}

/// Why the kiosk is put back to how the next visitor should find it.
enum ResetCause: String, Hashable, Sendable {
  case idle
  case promptExpired = "prompt-expired"
  /// The last private port has been out for `visit_gap` (V2).
  case hungUp = "hung-up"
  /// The kiosk has closed (H rows).
  case closed

  /// The reason of `visit.ended`.
  var endOfVisit: String {
    switch self {
    case .idle, .hungUp, .closed: rawValue
    case .promptExpired: "expired"
    }
  }

  /// What the counting makes of it.
  var leaving: Leaving {
    switch self {
    case .idle: .idle
    case .promptExpired, .hungUp: .unplugged
    case .closed: .stopped
    }
  }
}

/// Why music stops.
enum StopCause: Hashable, Sendable {
  case user
  case queueEnded
  /// A chosen track has ended, and nothing is to follow it (T3).
  case trackEnded
  /// A contact that kept it sounding is open (O3), or what it asked for is gone (O8).
  case contact
  case timetable
  /// What played by itself gives way (J6).
  case attract
  case reset(ResetCause)

  var logged: String {
    switch self {
    case .user: "user"
    case .timetable: "timetable"
    case .queueEnded: "queue-ended"
    case .trackEnded: "track-ended"
    case .contact: "contact"
    case .attract: "attract"
    case .reset(let cause): cause.rawValue
    }
  }

  /// What the counting makes of it.
  var leaving: Leaving {
    switch self {
    case .user, .contact, .timetable, .attract: .stopped
    case .queueEnded: .skipped
    case .trackEnded: .ended
    case .reset(let cause): cause.leaving
    }
  }
}

/// Why the place in the queue is another, though nobody has gone there.
enum MoveReason: String, Hashable, Sendable {
  /// The library has its track no longer.
  case removed
  /// The library has its track again.
  case returned
}

/// Why the queue ends, where that is not because its last track was heard.
enum EmptyQueueReason: String, Hashable, Sendable {
  case noTracks = "no tracks"
  case noPlayableTrack = "no track can be played"
}

/// What took the prompt away: the operator's word, or what made the question pointless.
enum PromptAnswer: String, Hashable, Sendable {
  case resume, pause, stop, next, previous, track, playlist, seek, plug, interruption
}

/// Why a press was ignored.
enum IgnoredPress: String, Hashable, Sendable {
  /// The private port was lost during it (P1).
  case unplugged
  /// The Sleep button, without music (H5).
  case silent
  /// A contact with manners (O rows) was ignored: something sounds, or another came in the same instant.
  case busy
  /// It was not open for long enough.
  case rearm
  /// What it has started has ended a moment ago.
  case inhibited
  /// Power has come on a moment ago.
  case boot
  /// The route changed while a knob was being turned (G6).
  case routeChanged = "route-changed"
  /// The visit ended while a knob was being turned.
  case visitEnded = "visit-ended"
  /// The kiosk is closed (H rows).
  case closed
  /// No card lies on a reader (L4).
  case noCard = "no-card"
  /// What the timetable brings (H3): a selector names the playlist.
  case selector
  /// The same: nobody knows the time.
  case clockUnknown = "clock-not-set"
}

/// Why what was typed names nothing.
enum TokenFault: String, Hashable, Sendable {
  case unknown = "no such token"
  case tooLong = "too long"
  case keysLost = "keys were lost"
  case timeOut = "not ended by Enter"

  /// Whether a cue may be spoken on it: not where somebody has left a keypad in the middle.
  var mayTrigger: Bool {
    switch self {
    case .unknown, .tooLong, .keysLost: true
    case .timeOut: false
    }
  }
}

/// Why a choice was not obeyed.
enum FailedChoice: Hashable, Sendable {
  case track(TrackName, TrackName.NotFound)
  case playlist(String)
  case popular(Int, PopularChoices.Failure)

  /// As it was asked for; nil: not for a track.
  var track: String? { if case .track(let name, _) = self { name.text } else { nil } }
  /// As it was asked for; nil: not for a playlist.
  var playlist: String? { if case .playlist(let name) = self { name } else { nil } }
  /// As it was asked for; nil: not for one of those that are heard most.
  var popular: String? { if case .popular(let place, _) = self { String(place) } else { nil } }

  var logged: String {
    switch self {
    case .track(_, let reason): reason.message
    case .playlist(let name): "the music has no folder \(name)"
    case .popular(_, let failure): failure.message
    }
  }
}

/// Why a recording ended. What else can end one is a `RecorderFault`.
enum RecordingEnding: String, Hashable, Sendable {
  case user
  case routeChange = "route-change"
  case interruption
  case timeLimit = "time-limit"
  case shutdown
  /// It never began.
  case failed
  /// Found at power on.
  case powerCut = "power-cut"
}

/// Why a client does not get the session, or has it and still is not heard.
enum RefusalReason: Hashable, Sendable {
  /// A stronger client holds it.
  case held(by: ClientName)
  /// The board is closed.
  case closed
  case noInput
  case tooManyClients
  /// The music has the session, and this holds it back.
  case interrupted(Interruption.Source)
  case hold(HoldName)

  var logged: String {
    switch self {
    case .held, .closed: "held"
    case .noInput: "no-input"
    case .tooManyClients: "too-many-clients"
    case .interrupted(let source): source.word
    case .hold(let name): name.rawValue
    }
  }

  /// The client that holds the session, or `closed`.
  var holder: String? {
    switch self {
    case .held(let name): name.text
    case .closed: HoldName.closed.rawValue
    case .noInput, .tooManyClients, .interrupted, .hold: nil
    }
  }
}

/// Why the window for pairing ends without a headset.
enum PairingEnding: String, Hashable, Sendable {
  case timeOut = "timeout"
}
