extension ConsoleCommand {
  static func ofRequests(_ rest: [String]) throws(Invalid) -> Self {
    switch rest {
    case []: return .question(.requests)
    case ["clear"]: return .setting(.clearRequests)
    default: throw Invalid(message: "requests: expected clear, or nothing after it")
    }
  }

  static func ofCredits(_ rest: [String]) throws(Invalid) -> Self {
    if rest.isEmpty { return .question(.credits) }
    guard rest.count == 1, rest[0].hasPrefix("+"), let credits = Int(rest[0].dropFirst()),
      (1...Ledger.mostCredits).contains(credits)
    else { throw Invalid(message: "credits: expected +1 to +\(Ledger.mostCredits), or nothing after it") }
    return .setting(.give(credits))
  }
}
