import Board
import Firmware
import Jukebox
import TestSupport
import Testing

@testable import Storage
@testable import jackdaw

@Suite struct KeptContentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(
    within patience: Duration, keepsLedger: Bool = false
  ) -> (kept: KeptContent, took: Duration) {
    let began = ContinuousClock.now
    // Not the firmware's own, which would note crashes of this process.
    let kept = KeptContent(
      in: folder.path, keepsLedger: keepsLedger, patience: patience, notices: Notices()
    ) { database, _ in
      QuarantineStore(database, openingPath: nil) { FileMark(path: $0, size: 1, modified: 1) }
    }
    return (kept, ContinuousClock.now - began)
  }

  private func ledger(within patience: Duration = .seconds(60)) -> SavedLedger? {
    start(within: patience, keepsLedger: true).kept.ledger?.takeSaved()
  }

  @Test("J4: a start has the ledger, also where what else is kept is damaged, and none where there are no requests")
  func ledger() throws {
    #expect(ledger() == .nothing)
    let first = start(within: .seconds(60), keepsLedger: true).kept
    #expect(first.ledger?.write(Ledger(credits: 4), number: 1) == .kept(1))
    first.database.close()
    #expect(start(within: .seconds(60)).kept.ledger == nil)
    #expect(ledger() == .ledger(Ledger(credits: 4)))
    try first.database.use { (connection) throws(DatabaseError) in try connection.execute("DROP TABLE counts") }
    first.database.close()
    #expect(ledger() == .ledger(Ledger(credits: 4)))
    #expect(folder.read("\(KeptDatabase.name).unread") != nil)
    #expect(ledger() == .ledger(Ledger(credits: 4)))
  }

  @Test("J4, W3: a start does not wait for a ledger that the storage does not give, and loses nothing of it")
  func lateLedger() throws {
    let first = start(within: .seconds(60), keepsLedger: true).kept
    #expect(first.ledger?.write(Ledger(credits: 4), number: 1) == .kept(1))
    first.database.close()
    let other = try DatabaseConnection(folder.path(of: KeptDatabase.name), .readWrite)
    try other.execute("BEGIN EXCLUSIVE")
    let (kept, took) = start(within: .milliseconds(50), keepsLedger: true)
    let path = folder.path(of: KeptDatabase.name)
    #expect(took < .seconds(1.5))
    #expect(kept.ledger?.takeSaved() == .unreadable(reason: "\(path): the storage does not answer"))
    try other.execute("ROLLBACK")
    #expect(kept.ledger?.write(Ledger(credits: 2), number: 1) == .kept(1))
    #expect(ledger() == .ledger(Ledger(credits: 6)))
  }

  @Test("W3, P13: a storage that does not answer holds no start, whose quarantine gets what is kept when it does")
  func hanging() throws {
    let path = "a.mp3"
    let first = start(within: .seconds(60)).kept
    let listing = KeptListing([KeptListing.Folder(path: "/m", number: 1, modified: 2)])
    first.listing?.write(listing)
    for _ in 0..<2 { first.quarantine.report(path, reason: "signal 11") }
    first.quarantine.stop()
    first.database.close()
    #expect(start(within: .seconds(60)).kept.music == listing)

    // As long as another program has it, SQLite waits for two seconds each time.
    let other = try DatabaseConnection(folder.path(of: KeptDatabase.name), .readWrite)
    try other.execute("BEGIN EXCLUSIVE")
    let (kept, took) = start(within: .milliseconds(50))
    #expect(kept.listing == nil && kept.music == nil && kept.counted == nil && took < .seconds(1.5))
    // It waits for the storage on its thread, and whoever decodes does not.
    let began = ContinuousClock.now
    _ = try kept.quarantine.admit(path) { (_) throws(TrackError) in 0 }
    #expect(ContinuousClock.now - began < .seconds(1))
    let answered = start(within: .seconds(60))
    #expect(answered.kept.listing != nil && answered.kept.music == nil && answered.took < .seconds(5))
    try other.execute("ROLLBACK")
    try kept.quarantine.takeKept()
    #expect(kept.quarantine.objection(to: path) != nil)
  }
}
