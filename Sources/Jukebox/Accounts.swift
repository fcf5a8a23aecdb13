import AudioSession

/// Credits and requests, and what waits until the storage has them (J4).
///
/// Every change of the ledger is written at once, as a whole. What is said about a change, and the start of a request,
/// wait until that write is on the storage, and come in order.
struct Accounts: Hashable, Sendable {
  /// What is logged or done when the storage has it.
  enum Deed: Hashable, Sendable {
    case coin(line: String?, pulses: Int, credits: Int, total: Int)
    /// By staff.
    case gift(credits: Int, total: Int)
    case request(Request)
    case refund(Request, reason: String, total: Int)
  }

  private struct Waiting: Hashable, Sendable {
    var number: Int
    var deed: Deed
  }

  private(set) var ledger: Ledger
  /// The number of the write that was asked for last.
  private var written = 0
  private var isChanged = false
  private var waiting: [Waiting] = []
  /// The storage has refused the last write.
  private(set) var isRefused = false
  private var retries = 0
  /// When what it has refused is written again.
  private var retryDue: Instant?
  /// Until when it may answer the oldest write that waits for that.
  private var answerDue: Instant?
  private let settings: CreditSettings?

  /// How long the storage may take for a write: whoever has paid is not to wait for a card that may never answer.
  static let patience = Duration.seconds(5)

  init(_ settings: CreditSettings?, _ ledger: Ledger = Ledger()) {
    self.settings = settings
    self.ledger = ledger
  }

  /// Requests cost something here.
  var areCounted: Bool { settings != nil }

  // MARK: - What happens

  mutating func add(pulses: Int, of line: String?) {
    let credits = ledger.pay(pulses: pulses, worth: settings?.coins ?? [:])
    change(.coin(line: line, pulses: pulses, credits: credits, total: ledger.credits))
  }

  /// Returns how many were given: no more than there is room for.
  mutating func give(_ credits: Int) -> Int {
    let credits = min(credits, ledger.room)
    guard credits > 0 else { return 0 }
    ledger.credits += credits
    ledger.totals.given += credits
    change(.gift(credits: credits, total: ledger.credits))
    return credits
  }

  /// Accepts a request, and takes a credit where it costs one.
  mutating func accept(_ track: String, isFree: Bool) {
    let request = Request(number: ledger.nextNumber, track: track, isPaid: !isFree)
    ledger.nextNumber += 1
    ledger.requests.append(request)
    ledger.totals.requests += 1
    if request.isPaid {
      ledger.credits -= 1
      ledger.totals.taken += 1
    }
    change(.request(request))
  }

  /// A request is over. Returns the credits that pulses have made, because there is room for them now.
  /// - Parameter refund: why its credit comes back; nil: it does not.
  mutating func end(_ request: Request, refund: String?) -> Int {
    guard let index = ledger.requests.firstIndex(where: { $0.number == request.number }) else { return 0 }
    ledger.requests.remove(at: index)
    waiting.removeAll { $0.deed == .request(request) }
    isChanged = true
    guard let refund, request.isPaid else { return ledger.convert(worth: settings?.coins ?? [:]) }
    ledger.credits += 1
    ledger.totals.returned += 1
    change(.refund(request, reason: refund, total: ledger.credits))
    return 0
  }

  private mutating func change(_ deed: Deed) {
    isChanged = true
    waiting.append(Waiting(number: written + 1, deed: deed))
  }

  // MARK: - The storage

  /// When something is due although nothing happens.
  var due: Instant? { [retryDue, answerDue].compactMap { $0 }.min() }

  /// Returns what can be reported although the storage has not responded for too long. Its write is still in progress,
  /// so nothing is written again.
  mutating func timerFired(at now: Instant) -> (deeds: [Deed], failure: String?) {
    if let retryDue, retryDue <= now { retry() }
    guard let answerDue, answerDue <= now else { return ([], nil) }
    self.answerDue = nil
    defer { isRefused = true }
    return (tell(upTo: written), isRefused ? nil : "the storage does not answer")
  }

  /// What the storage has refused is written again.
  mutating func retry() {
    isChanged = true
    retryDue = nil
  }

  /// The number of the write that is due; nil: none is.
  mutating func takeWrite(at now: Instant) -> Int? {
    guard isChanged else { return nil }
    isChanged = false
    retryDue = nil
    written += 1
    answerDue = answerDue ?? now + Self.patience
    return written
  }

  /// The board slept, and the storage with it.
  mutating func wake(slept: Duration) {
    answerDue = answerDue.map { $0 + slept }
  }

  /// What can be reported and begun now. What the storage refuses is in memory only, and still reported.
  mutating func take(_ report: LedgerReport, at now: Instant) -> (deeds: [Deed], failure: String?) {
    let number: Int
    var failure: String?
    switch report {
    case .kept(let kept):
      number = kept
      (isRefused, retries) = (false, 0)
      if kept == written { retryDue = nil }
    case .failed(let failed, let reason):
      number = failed
      if !isRefused { failure = reason }
      isRefused = true
      retryDue = now + BackOff.wait(after: retries)
      retries += 1
    }
    // A write that is not answered yet was asked for just now, or a moment ago.
    answerDue = number < written ? now + Self.patience : nil
    return (tell(upTo: number), failure)
  }

  private mutating func tell(upTo number: Int) -> [Deed] {
    let deeds = waiting.filter { $0.number <= number }.map(\.deed)
    waiting.removeAll { $0.number <= number }
    return deeds
  }
}
