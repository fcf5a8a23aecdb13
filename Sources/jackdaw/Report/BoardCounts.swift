import Jukebox

/// What a report says of what the board itself counts.
extension BoardCount {
  /// Whether there should be none.
  var isTrouble: Bool {
    switch self {
    case .powerOns, .visits, .requests, .freeRequests, .coins, .creditsBought, .creditsGiven, .creditsTaken,
      .creditsReturned:
      false
    case .underruns, .outputLosses, .trackFailures: true
    }
  }

  var title: String {
    switch self {
    case .powerOns: "switched on"
    case .underruns: "underruns"
    case .outputLosses: "outputs lost"
    case .trackFailures: "tracks that failed"
    case .visits: "visits"
    case .requests: "requests"
    case .freeRequests: "requests without a credit"
    case .coins: "coins"
    case .creditsBought: "credits bought"
    case .creditsGiven: "credits given by staff"
    case .creditsTaken: "credits taken"
    case .creditsReturned: "credits returned"
    }
  }

  /// Over a column of a table.
  var heading: String {
    switch self {
    case .powerOns: "ON"
    case .underruns: "UNDERRUNS"
    case .outputLosses: "OUTPUTS"
    case .trackFailures: "FAILED"
    case .visits: "VISITS"
    case .requests: "REQUESTS"
    case .freeRequests: "FREE"
    case .coins: "COINS"
    case .creditsBought: "BOUGHT"
    case .creditsGiven: "GIVEN"
    case .creditsTaken: "TAKEN"
    case .creditsReturned: "RETURNED"
    }
  }
}

extension ListeningReport {
  /// What the board counts that is shown.
  var shownCounts: [BoardCount] { BoardCount.shown(where: board) }

  /// What was counted of requests and coins, where any was.
  var requestCounts: [BoardCount] { shownCounts.filter(BoardCount.ofRequests.contains) }
}
