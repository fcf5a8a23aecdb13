/// What is kept of credits and requests: written as a whole, in one transaction, whenever it has changed, so that no power
/// cut comes between a credit and the request that has taken it (J4).
public struct Ledger: Hashable, Sendable {
  /// The most credits there can be; what is paid beyond waits in `pulses`.
  public static let mostCredits = 999

  public var credits: Int
  /// Pulses of coins that have made no credit yet.
  public var pulses: Int
  /// The requests that wait, and the one that plays, in their order.
  public var requests: [Request]
  /// The number of the next request.
  public var nextNumber: Int
  public var totals: LedgerTotals

  public init(
    credits: Int = 0, pulses: Int = 0, requests: [Request] = [], nextNumber: Int = 1,
    totals: LedgerTotals = LedgerTotals()
  ) {
    self.credits = credits
    self.pulses = pulses
    self.requests = requests
    self.nextNumber = nextNumber
    self.totals = totals
  }
}

/// Service counters: they only rise, and nothing resets them (J7).
public struct LedgerTotals: Hashable, Sendable {
  public var coins: Int
  /// All pulses of those coins.
  public var pulses: Int
  /// Credits that coins have made.
  public var bought: Int
  /// Credits that staff has given.
  public var given: Int
  /// Credits that requests have taken.
  public var taken: Int
  /// Credits that came back.
  public var returned: Int
  /// Requests that were accepted, paid or free.
  public var requests: Int

  public init(
    coins: Int = 0, pulses: Int = 0, bought: Int = 0, given: Int = 0, taken: Int = 0, returned: Int = 0,
    requests: Int = 0
  ) {
    (self.coins, self.pulses, self.bought, self.given) = (coins, pulses, bought, given)
    (self.taken, self.returned, self.requests) = (taken, returned, requests)
  }
}

/// What power on finds of it.
public enum SavedLedger: Hashable, Sendable {
  case nothing
  case ledger(Ledger)
  case unreadable(reason: String)

  public var ledger: Ledger? { if case .ledger(let ledger) = self { ledger } else { nil } }
}

/// What became of a write of the ledger. Writes are numbered, and carried out in order; a later one has what an earlier
/// one had.
public enum LedgerReport: Hashable, Sendable {
  /// This one is on the storage, and survives a power cut.
  case kept(Int)
  case failed(Int, reason: String)
}
