import Jukebox
import Simulator
import Storage

/// Any bytes as the database, and as changes of single bytes of one: it is read, or kept under another name and
/// replaced by a new one, and in either case what is saved next comes back.
enum KeptDatabases {
  static func check(_ bytes: [UInt8]) throws {
    try checkFile(bytes)
    var file = try whole()
    // Three bytes say where, and one says what.
    for start in stride(from: 0, to: bytes.count - 3, by: 4) {
      let place = Int(bytes[start]) | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2]) << 16
      file[place % file.count] = bytes[start + 3]
    }
    try checkFile(file)
  }

  private static func checkFile(_ bytes: [UInt8]) throws {
    let (storage, database) = try open(bytes)
    let listing = ListingStore(database)
    for folder in (try? listing.read())?.folders ?? [] {
      let library = Library(folder.tracks)
      try hold(library.tracks.map(\.folder).allSatisfy { $0 == folder.path }, "a track lies in another folder")
    }
    _ = try? QuarantineStore.read(database)
    try checkLedger(database)
    let store = CountsStore(database)
    _ = try? store.all()
    try checkSaving(store, listing, after: (try? store.read()) ?? nil)
    let kept = storage.names(in: "").filter { $0.contains(".unread") || $0.contains(".newer") }
    try hold(kept.count <= 4, "\(kept) are kept")
  }

  private static func checkSaving(
    _ store: CountsStore, _ listing: ListingStore, after saved: ListeningCounts.Saved?
  ) throws {
    let moment = CountingMoment(instant: .powerOn, local: nil)
    var counts = ListeningCounts(after: saved, seed: 1, at: moment)
    counts.count(.start("a"), at: moment)
    let report = store.write(counts)
    // A schema that is not ours may refuse some rows only.
    guard report == .saved else { return try hold(report != .unchanged, "\(report)") }
    let again = try store.all().first { $0.id == counts.current.id }
    try hold(again == counts.current, "\(counts.current) comes back as \(String(describing: again))")
    listing.write(music)
  }

  private static func checkLedger(_ database: KeptDatabase) throws {
    let store = LedgerStore(database)
    // A ledger that was not read would be added to what is written.
    guard (try? store.read()) != nil else { return }
    var ledger = store.takeSaved().ledger ?? Ledger()
    ledger.credits = (ledger.credits + 1) % Ledger.mostCredits
    guard store.write(ledger, number: 1) == .kept(1) else { return }
    let next = LedgerStore(database)
    try? next.read()
    let found = next.takeSaved()
    try hold(found == .ledger(ledger), "\(ledger) comes back as \(found)")
  }

  private static var music: KeptListing {
    var folder = KeptListing.Folder(path: "/m", number: 1, modified: 2)
    folder.tracks.append(name: "a.mp3", version: 3, folder: "/m")
    return KeptListing([folder])
  }

  private static func open(_ bytes: [UInt8]?) throws -> (MemoryStorage, KeptDatabase) {
    let storage = MemoryStorage(keeping: .max)
    if let bytes {
      let file = try storage.create(KeptDatabase.name)
      try storage.writeAll(bytes, to: file, at: 0)
    }
    return (storage, KeptDatabase(folder: "", storage: storage, system: StorageVFS(storage), pause: {}))
  }

  /// A database with something in each table.
  private static func whole() throws -> [UInt8] {
    let (storage, database) = try open(nil)
    try checkSaving(CountsStore(database), ListingStore(database), after: nil)
    let requests = [Request(number: 1, track: "a.mp3", isPaid: true), Request(number: 2, track: "b", isPaid: false)]
    _ = LedgerStore(database).write(Ledger(credits: 3, requests: requests, nextNumber: 3), number: 1)
    database.close()
    return try storage.read(KeptDatabase.name, atMost: .max)
  }
}
