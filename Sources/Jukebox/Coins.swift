/// What coins make of a ledger (J3).
extension Ledger {
  /// Takes the pulses of one coin. Returns the credits that they have made, with what was left of the coins before.
  ///
  /// - Parameter coins: credits by pulses.
  @discardableResult
  public mutating func pay(pulses: Int, worth coins: [Int: Int]) -> Int {
    let paid = max(0, pulses)
    self.pulses = Self.sum(self.pulses, paid)
    totals.coins = Self.sum(totals.coins, 1)
    totals.pulses = Self.sum(totals.pulses, paid)
    return convert(worth: coins)
  }

  /// Turns pulses that have made no credit yet into credits, as far as there is room for them: the greatest number that
  /// fits, again and again. Call it whenever a credit is spent for good, too. Returns the credits made.
  @discardableResult
  public mutating func convert(worth coins: [Int: Int]) -> Int {
    var made = 0
    let known = coins.filter { $0.key > 0 && $0.value > 0 }.sorted { $0.key > $1.key }
    for (price, worth) in known where price <= pulses {
      // What would not fit as a whole waits as a whole: the 5 of five pulses never become four credits.
      let count = min(pulses / price, (room - made) / worth)
      pulses -= count * price
      made += count * worth
      // The greater coin waits for room, and is not broken into smaller ones that cost more.
      if price <= pulses { break }
    }
    credits += made
    totals.bought = Self.sum(totals.bought, made)
    return made
  }

  /// How many credits may still be paid: those that requests have taken may come back.
  var room: Int { max(0, Self.mostCredits - credits - requests.count(where: \.isPaid)) }

  /// There are as many credits as there can be, or the next coin might make more than there is room for.
  public func isFull(for coins: [Int: Int]) -> Bool {
    guard room > 0, let least = coins.keys.min(), let greatest = coins.keys.max() else { return true }
    var paid = self
    paid.pay(pulses: greatest, worth: coins)
    return paid.pulses >= least
  }

  /// Counters stay where they are rather than end the music.
  private static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, isTooMuch) = one.addingReportingOverflow(other)
    return isTooMuch ? .max : sum
  }
}
