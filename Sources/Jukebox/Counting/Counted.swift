/// How a listen ended: what became of a track between its first frame and the next track, or a stop.
public enum Leaving: String, Hashable, Sendable, CaseIterable {
  /// Its last frame was heard.
  case ended
  /// Next, Previous, or the end of the queue by a press.
  case skipped
  /// A track was chosen, perhaps this one once more.
  case chosen
  case stopped
  /// Its private port was pulled out, and nobody went on with it.
  case unplugged
  /// It was paused, and nobody came back to it.
  case idle
  /// The file broke off, or could no longer be played.
  case failed
}

/// What the board itself is counted by.
public enum BoardCount: String, Hashable, Sendable, CaseIterable {
  case powerOns = "power-ons"
  case underruns
  case outputLosses = "output-losses"
  case trackFailures = "track-failures"
  /// Visits that have begun (V1).
  case visits
  /// Requests that were accepted (J1), those among them that took no credit, and coins (J3).
  case requests
  case freeRequests = "free-requests"
  case coins
  /// Credits that coins have made, that staff has given, that requests have taken, and that came back (J4).
  case creditsBought = "credits-bought"
  case creditsGiven = "credits-given"
  case creditsTaken = "credits-taken"
  case creditsReturned = "credits-returned"

  /// The counts of requests and coins, which most boards never have.
  public static let ofRequests = allCases.filter(\.isOfRequests)

  private var isOfRequests: Bool {
    switch self {
    case .powerOns, .underruns, .outputLosses, .trackFailures, .visits: false
    case .requests, .freeRequests, .coins, .creditsBought, .creditsGiven, .creditsTaken, .creditsReturned: true
    }
  }

  /// The counts to show: those of requests only if one of them is above 0.
  public static func shown(where counts: [BoardCount: Int]) -> [BoardCount] {
    let hasRequests = ofRequests.contains { counts[$0, default: 0] > 0 }
    return allCases.filter { hasRequests || !$0.isOfRequests }
  }
}

/// One step of the counting (N1), which `ListeningCounts` adds up. Tracks have their names in the library, so that what
/// is counted survives that other tracks come and go.
public enum Counted: Hashable, Sendable {
  /// A track began to sound from its start, or for the first time.
  case start(String)
  /// This many more milliseconds of it were heard.
  case heard(String, milliseconds: Int)
  /// The listen is over. `tenth`: the tenth of the track, 0...9, that the furthest frame heard is in; nil: its length is
  /// not known.
  case left(String, Leaving, tenth: Int?)
  case board(BoardCount, by: Int = 1)
}
