@testable import Jukebox
@testable import JukeboxTestSupport

/// Books of credits and requests, kept by the text of the J rows alone: of what was paid and chosen, and of what the log
/// and the sound say. They are compared with every ledger that the firmware has written.
struct RequestBooks {
  /// One request that was taken.
  struct Entry {
    var number: Int
    var file: String
    var isPaid: Bool
    /// Whether it has begun since power on, and before.
    var hasBegun = false
    var hadBegun = false
    /// Somebody had it begin again.
    var isRestarted = false
    /// Which write of the ledger has it; 0: one of an earlier power on.
    var write: Int
    /// How long it was heard.
    var heard = Duration.zero
    /// Its file broke off.
    var isBroken = false
    var isOver = false
    /// It was over only in the step that is looked at.
    var isJustOver = false
    /// Its credit came back, and the log has still to say why.
    var isOwedReason = false
  }

  let settings: RequestSettings
  private(set) var credits = 0
  private(set) var pulses = 0
  private(set) var totals = LedgerTotals()
  var entries: [Entry] = []

  init(_ settings: RequestSettings) { self.settings = settings }

  /// The requests that wait, and the one that plays.
  var open: [Entry] { entries.filter { !$0.isOver } }
  var playing: Entry? { open.first.flatMap { $0.hasBegun ? $0 : nil } }
  /// What may still be paid: a request may give its credit back.
  private var room: Int { max(0, 999 - credits - open.filter(\.isPaid).count) }
  private var isFree: Bool { settings.credits?.isFree ?? true }

  // MARK: - Money

  mutating func coin(_ pulses: Int) {
    totals.coins += 1
    totals.pulses += pulses
    self.pulses += pulses
    exchange()
  }

  mutating func give(_ count: Int) {
    guard settings.credits != nil else { return }
    let fits = min(count, room)
    credits += fits
    totals.given += fits
  }

  /// The dearest that is paid and has room, again and again.
  private mutating func exchange() {
    let prices = (settings.credits?.coins ?? [:]).sorted { $0.key > $1.key }
    while let (price, worth) = prices.first(where: { $0.key <= pulses }), worth <= room {
      pulses -= price
      credits += worth
      totals.bought += worth
    }
  }

  // MARK: - Requests

  /// Why the choice of this file is refused; nil: it is taken.
  func refusal(of file: String) -> String? {
    if settings.twice == .refuse && open.contains(where: { $0.file == file }) { return "twice" }
    if open.count >= settings.limit { return "full" }
    return isFree || credits > 0 ? nil : "credits"
  }

  mutating func accept(_ file: String, number: Int, write: Int) {
    entries.append(Entry(number: number, file: file, isPaid: !isFree, write: write))
    totals.requests += 1
    guard !isFree else { return }
    credits -= 1
    totals.taken += 1
  }

  mutating func end(_ number: Int, isReturned: Bool) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    entries[index].isOver = true
    entries[index].isJustOver = true
    guard entries[index].isPaid else { return }
    if !isReturned { return exchange() }
    entries[index].isOwedReason = true
    credits += 1
    totals.returned += 1
  }

  mutating func endStep() { for index in entries.indices { entries[index].isJustOver = false } }

  mutating func change(_ number: Int, _ change: (inout Entry) -> Void) {
    if let index = entries.firstIndex(where: { $0.number == number }) { change(&entries[index]) }
  }

  // MARK: - Comparing

  /// In what the ledger differs from the books.
  func difference(from ledger: Ledger) -> String? {
    if !(0...999).contains(ledger.credits) { return "\(ledger.credits) credits" }
    let isBalanced =
      ledger.totals.bought + ledger.totals.given + ledger.totals.returned - ledger.totals.taken == ledger.credits
    if !isBalanced { return "the ledger does not add up: \(ledger)" }
    if ledger.credits != credits || ledger.pulses != pulses {
      return "\(ledger.credits) credits and \(ledger.pulses) pulses, and not \(credits) and \(pulses)"
    }
    if ledger.totals != totals { return "counted \(ledger.totals), and not \(totals)" }
    let (theirs, ours) = (ledger.requests.map(\.number), open.map(\.number))
    if theirs != ours { return "requests \(theirs), and not \(ours)" }
    let isSame = zip(ledger.requests, open).allSatisfy { $0.track == $1.file && $0.isPaid == $1.isPaid }
    return isSame ? nil : "requests \(ledger.requests), and not \(open)"
  }

  /// After a power cut: only what the storage has is still true.
  mutating func cut(to ledger: Ledger) {
    (credits, pulses, totals) = (ledger.credits, ledger.pulses, ledger.totals)
    let kept = Set(ledger.requests.map(\.number))
    entries.removeAll { $0.number >= ledger.nextNumber }
    for index in entries.indices {
      entries[index].isOver = !kept.contains(entries[index].number)
      entries[index].hadBegun = entries[index].hadBegun || entries[index].hasBegun
      entries[index].hasBegun = false
      entries[index].isBroken = false
      entries[index].write = 0
      entries[index].isOwedReason = false
    }
  }
}
