import Firmware
import Jukebox
import Storage
import Threads

/// What the firmware keeps in the database of its state folder. A thread of its own opens and reads it, so that a storage
/// that hangs does not keep the music from starting.
struct KeptContent {
  let database: KeptDatabase
  /// Has what is kept once the storage answers.
  let quarantine: QuarantineStore
  /// nil: the storage did not answer, and whoever writes there would wait, too.
  let listing: ListingStore?
  /// nil: there are no requests, and nothing of theirs is read or written.
  let ledger: LedgerStore?
  /// What was listed last.
  let music: KeptListing?
  let counted: ListeningCounts.Saved?

  private struct Found: Sendable {
    var music: KeptListing?
    var counted: ListeningCounts.Saved?
  }

  /// - Parameters:
  ///   - keepsLedger: whether there are requests.
  ///   - patience: how long a start waits for it.
  init(
    in folder: String, keepsLedger: Bool = false, patience: Duration = .seconds(5), notices: Notices,
    makeQuarantine: (KeptDatabase, Notices) -> QuarantineStore = LeftOut.store
  ) {
    let database = KeptDatabase(folder: folder, onNotice: { notices.post($0) })
    let (listing, quarantine) = (ListingStore(database), makeQuarantine(database, notices))
    let ledger = keepsLedger ? LedgerStore(database) : nil
    let found = Locked(Found())
    let reader = WorkerThread(name: "storage", signal: Signal()) { _ in
      // After the first error, nothing else is tried: with a database that another program has, each takes seconds.
      do throws(DatabaseError) {
        // First: where the others turn out to be damaged, the new database gets it.
        try ledger?.read()
        let counted = try CountsStore(database).read()
        found.withLock { $0.counted = counted }
        try quarantine.takeKept()
        let music = try listing.read()
        found.withLock { $0.music = music }
      } catch {
        notices.post("\(error)")
      }
    }
    let hasAnswered = reader.stop(within: patience)
    if !hasAnswered { notices.post("\(folder): the storage does not answer") }
    (self.database, self.quarantine, self.listing) = (database, quarantine, hasAnswered ? listing : nil)
    self.ledger = ledger
    (music, counted) = found.withLock { ($0.music, $0.counted) }
  }
}
