import AudioSession

/// What coins mean, and when there must be none (J3, J4).
extension Jukebox {
  mutating func follow(coinOf pulses: Int, _ line: LineID, _ turn: inout Turn) {
    touch(at: turn.now)
    accounts.add(pulses: pulses, of: configuration.lines[line.index].name)
  }

  func refuse(coinOf line: LineID, _ reason: CoinRefusal, _ turn: inout Turn) {
    turn.log(.coinRefused, .warn, ["reason": reason.rawValue, "line": configuration.lines[line.index].name])
  }

  /// After every input.
  mutating func settleCoinInhibits(_ turn: inout Turn) {
    if coinInhibits.isEmpty { return }
    for change in coinInhibits.settle(!isOn || refusesCoins) { turn.append(.signal(change.line, change.pattern)) }
  }

  /// Coins must not be taken: nothing could be had for one, or it would not be counted.
  var refusesCoins: Bool {
    guard let credits = configuration.settings.requests?.credits else { return true }
    return isFree || accounts.isRefused || accounts.ledger.isFull(for: credits.coins) || hours.refuses
      || library.isEmpty || routes.route.port == nil
      || player.transport.outputLoss != nil || coins.isAnyJammed || coins.bootDue != nil
  }
}
