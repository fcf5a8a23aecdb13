/// Why a cue ended before its last frame was heard.
enum CueEnding: String, Hashable, Sendable {
  case limit
  case interrupted
  case stopped
  case sessionEnded = "session-ended"
  case routeLost = "route-lost"
  case routeChanged = "route-configuration-change"
  case outputLost = "output-lost"
  case shutdown
  /// The opening hours are over.
  case closed
}

/// Why a cue was not spoken.
enum CueFailure: Hashable, Sendable {
  case unknown
  case tooManyWaiting
  case noRoute
  case noOutput
  case muted
  case refused
  /// It was due by a clock that nobody has set.
  case clockUnknown
  /// Only who pages is heard while it is closed.
  case closed
  /// It waited, and would have been ended for this reason.
  case dropped(CueEnding)
  /// The engine cannot play it, for this reason.
  case unplayable(String)

  /// Why what was asked for is not there; nil: what the session refuses was said when it did, and a cue that waited may
  /// have been dropped for what was asked for.
  var objection: String? {
    switch self {
    case .refused, .dropped: nil
    case .unknown, .tooManyWaiting, .noRoute, .noOutput, .muted, .clockUnknown, .closed, .unplayable: logged
    }
  }

  var logged: String {
    switch self {
    case .unknown: "no such cue"
    case .tooManyWaiting: "too many cues wait"
    case .noRoute: "no suitable route"
    case .noOutput: "output unavailable"
    case .muted: "mute"
    case .refused: "refused"
    case .clockUnknown: "clock not set"
    case .closed: "closed"
    case .dropped(let ending): ending.rawValue
    case .unplayable(let reason): reason
    }
  }
}

/// Why a duck ended although somebody still wants it.
enum DuckEnding: String, Hashable, Sendable {
  /// Its client had ducked for as long as anybody may (D5).
  case limit
}
