import Files
import Jukebox

/// The rows of a ledger as they are read, and the first mistake in them.
struct LedgerRows {
  private var numbers: [String: Int] = [:]
  private var requests: [Request] = []
  private var fault: String?

  static func read(_ connection: DatabaseConnection) throws(DatabaseError) -> SavedLedger {
    // There is none in a database of version 1.
    if connection.migrationFailure != nil { return .nothing }
    var rows = LedgerRows()
    try connection.snapshot { () throws(DatabaseError) in
      rows = LedgerRows()
      try connection.run("SELECT name, number FROM ledger") { rows.takeNumber($0) }
      let requests = "SELECT number, track, paid FROM requests ORDER BY place LIMIT \(Ledger.mostRequests + 1)"
      try connection.run(requests) { rows.takeRequest($0) }
    }
    if rows.isEmpty { return .nothing }
    let ledger = rows.ledger()
    guard let fault = rows.fault ?? ledger.fault else { return .ledger(ledger) }
    return .unreadable(
      reason: "\(connection.damage(fault)); the next ledger leaves it in ledger_unread and requests_unread")
  }

  private var isEmpty: Bool { numbers.isEmpty && requests.isEmpty && fault == nil }

  private mutating func takeNumber(_ row: DatabaseRow) {
    // Others are those of a version that counts more.
    guard Ledger.numbers.contains(where: { $0.name == row.text(0) }) else { return }
    guard let number = row.wholeNumber(1) else {
      return note("ledger.\(row.text(0)): found \(Wording.quoted(row.text(1))), expected a whole number")
    }
    numbers[row.text(0)] = number
  }

  private mutating func takeRequest(_ row: DatabaseRow) {
    let place = "request \(requests.count + 1)"
    guard let number = row.wholeNumber(0) else {
      return note("\(place): number: found \(Wording.quoted(row.text(0))), expected a whole number")
    }
    guard row.isText(1) else { return note("\(place): track: found no text, expected the name of a track") }
    guard let paid = row.wholeNumber(2), paid == 0 || paid == 1 else {
      return note("\(place): paid: found \(Wording.quoted(row.text(2))), expected 0 or 1")
    }
    requests.append(Request(number: number, track: row.text(1), isPaid: paid == 1))
  }

  private mutating func ledger() -> Ledger {
    var ledger = Ledger(requests: requests)
    for number in Ledger.numbers {
      if let found = numbers[number.name] {
        ledger[keyPath: number.path] = found
      } else {
        note("ledger.\(number.name): missing, expected a number")
      }
    }
    return ledger
  }

  private mutating func note(_ fault: String) { self.fault = self.fault ?? fault }
}

extension Ledger {
  /// The most requests that are read.
  static let mostRequests = 4_096
  private static let most = 1 << 40

  /// One of its numbers, as it is named in the database, and the range that it lies in.
  struct Number: Sendable {
    var name: String
    var range: ClosedRange<Int> = 0...most
    var path: any WritableKeyPath<Ledger, Int> & Sendable
  }

  static let numbers = [
    Number(name: "credits", range: 0...mostCredits, path: \.credits), Number(name: "pulses", path: \.pulses),
    Number(name: "next-request", range: 1...most, path: \.nextNumber),
    Number(name: "total-coins", path: \.totals.coins), Number(name: "total-pulses", path: \.totals.pulses),
    Number(name: "total-bought", path: \.totals.bought), Number(name: "total-given", path: \.totals.given),
    Number(name: "total-taken", path: \.totals.taken), Number(name: "total-returned", path: \.totals.returned),
    Number(name: "total-requests", path: \.totals.requests),
  ]

  /// What could not be read again; nil: it is sound.
  var fault: String? {
    for number in Self.numbers where !number.range.contains(self[keyPath: number.path]) {
      let range = "\(number.range.lowerBound)...\(number.range.upperBound)"
      return "ledger.\(number.name): \(self[keyPath: number.path]) is out of range, expected \(range)"
    }
    if requests.count > Self.mostRequests {
      return "requests: found more than \(Self.mostRequests), expected no more"
    }
    var known: Set<Int> = []
    for (place, request) in requests.enumerated() {
      let field = "request \(place + 1): number: \(request.number)"
      if request.number < 1 || request.number >= nextNumber {
        return "\(field) is out of range, expected 1..<\(nextNumber)"
      }
      if !known.insert(request.number).inserted { return "\(field) stands twice, expected each once" }
    }
    return nil
  }

  /// This one, and one of which it does not know: what was paid in either is there, and each request, the other's last.
  func adding(_ unseen: Ledger) -> Ledger {
    var sum = self
    for number in Self.numbers where number.name != "next-request" {
      sum[keyPath: number.path] += unseen[keyPath: number.path]
    }
    sum.credits = min(sum.credits, Self.mostCredits)
    for request in unseen.requests {
      sum.requests.append(Request(number: sum.nextNumber, track: request.track, isPaid: request.isPaid))
      sum.nextNumber += 1
    }
    return sum
  }
}
