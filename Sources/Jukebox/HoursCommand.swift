extension ConsoleCommand {
  /// `hours` asks, and with a word staff opens or closes.
  static func orderOfHours(_ rest: [String]) throws(Invalid) -> Self {
    if rest.isEmpty { return .question(.hours) }
    guard rest.count == 1, let order = HoursOrder(rawValue: rest[0]) else {
      throw Invalid(message: "hours \(rest.joined(separator: " ")): expected open, closed, auto or nothing after it")
    }
    return .setting(.order(order))
  }
}
