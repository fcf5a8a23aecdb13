import AudioSession
import Files
import Glibc
import Jukebox
import Simulator
import TestSupport
import Testing
import Threads

@testable import KioskTestSupport
@testable import Storage

/// The file of the database: what becomes of it when it is damaged, and of the files that were there before it.
@Suite struct KeptDatabaseTests {
  private let folder: TemporaryFolder
  private let notices = Locked<[String]>([])
  private var path: String { folder.path(of: KeptDatabase.name) }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ access: DatabaseConnection.Access = .readWrite) -> KeptDatabase {
    KeptDatabase(
      folder: folder.path, access: access, pause: {},
      onNotice: { [notices] notice in notices.withLock { $0.append(notice) } })
  }

  private func takeNotices() -> [String] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }

  private func counts(_ starts: Int, after saved: ListeningCounts.Saved? = nil) -> ListeningCounts {
    let moment = CountingMoment(instant: .powerOn, local: nil)
    var counts = ListeningCounts(after: saved, seed: 4, at: moment)
    for _ in 0..<starts { counts.count(.start("a.mp3"), at: moment) }
    return counts
  }

  @Test("Who listened to what is for the firmware's user and group only, during a save, too")
  func permissions() throws {
    #expect(CountsStore(open()).write(counts(3)) == .saved)
    for name in [KeptDatabase.name, KeptDatabase.name + "-journal"] {
      var found = stat()
      #expect(lstat(folder.path(of: name), &found) == 0 && found.st_mode & 0o7777 == 0o640)
    }
  }

  @Test(
    "W3: a file that is no database, or that only a newer program can read, is kept aside with one line, and a new one begun",
    arguments: [
      ("no database at all, but longer than a header", "file is not a database"), ("newer", "is of a newer version"),
    ])
  func keptAside(text: String, reason: String) throws {
    if text == "newer" {
      try open().use { (connection) throws(DatabaseError) in try connection.execute("PRAGMA user_version=1000") }
    } else {
      folder.write(KeptDatabase.name, String(repeating: text, count: 20))
    }
    let before = folder.read(KeptDatabase.name)
    let suffix = text == "newer" ? "newer" : "unread"
    for name in ["\(KeptDatabase.name).\(suffix)", "\(KeptDatabase.name).\(suffix)-2"] {
      folder.write(KeptDatabase.name, before ?? [])
      let store = CountsStore(open())
      #expect(store.write(counts(3)) == .saved)
      #expect(takeNotices() == ["\(path): \(reason), kept as \(folder.path(of: name)), and a new one is begun"])
      #expect(folder.read(name) == before)
      #expect(try CountsStore(open()).read()?.current.sum.starts == 3)
      #expect(takeNotices() == [])
    }
  }

  @Test("W3: a program that is taken back goes on with the credits that a newer one kept, which finds its own again")
  func takenBack() throws {
    let ledger = LedgerStore(open())
    #expect(ledger.write(Ledger(credits: 3), number: 1) == .kept(1))
    try open().use { (connection) throws(DatabaseError) in
      try connection.execute(
        "CREATE TABLE loans (name TEXT); INSERT INTO ledger VALUES ('loans', 7.5); PRAGMA user_version=3")
    }
    let older = LedgerStore(open())
    try older.read()
    #expect(older.takeSaved().ledger?.credits == 3)
    #expect(older.write(Ledger(credits: 5), number: 1) == .kept(1) && takeNotices() == [])
    var found: [String] = []
    try open().use { (connection) throws(DatabaseError) in
      try connection.run("SELECT number FROM ledger WHERE name IN ('credits', 'loans') ORDER BY name") {
        found.append($0.text(0))
      }
      try connection.run("PRAGMA user_version") { found.append($0.text(0)) }
    }
    #expect(found == ["5", "7.5", "3"])
  }

  @Test("W3: a page that is damaged while the firmware runs loses what was kept, and nothing that is counted now")
  func damagedPage() throws {
    let database = open()
    let store = CountsStore(database)
    #expect(store.write(counts(3)) == .saved)
    database.close()
    var bytes = try #require(folder.read(KeptDatabase.name))
    for place in 4_096..<bytes.count { bytes[place] = 0xFF }
    folder.write(KeptDatabase.name, bytes)
    #expect(store.write(counts(4)) == .saved)
    #expect(takeNotices().count == 1)
    #expect(try CountsStore(open()).all().map(\.sum.starts) == [4])
  }

  @Test("W3: a database that somebody removes while the firmware runs is begun anew with what is counted now")
  func removed() throws {
    let store = CountsStore(open())
    #expect(store.write(counts(3)) == .saved)
    unlink(path)
    #expect(store.write(counts(3)) == .saved && takeNotices() == [])
    #expect(try CountsStore(open()).all().map(\.sum.starts) == [3])
  }

  @Test("W3: a storage that takes no file, or holds a folder in its place, is a failed save, and no notice")
  func unusable() throws {
    folder.makeFolder(KeptDatabase.name)
    let store = CountsStore(open())
    #expect(store.write(counts(3)) == .failed(reason: "\(path): unable to open database file"))
    #expect(throws: DatabaseError.self) { try store.read() }
    #expect(throws: DatabaseError.self) { try ListingStore(open()).read() }
    #expect(takeNotices() == [])
  }

  @Test("W3: what is not read at first is read again; what is not read at all is kept under another name")
  func unread() throws {
    let storage = AwkwardStorage()
    var pauses = 0
    func start() -> CountsStore {
      CountsStore(
        KeptDatabase(
          folder: folder.path, storage: storage, system: StorageVFS(storage), pause: { pauses += 1 },
          onNotice: { [notices] notice in notices.withLock { $0.append(notice) } }))
    }
    #expect(start().write(counts(3)) == .saved)
    storage.readFailuresLeft = 3
    #expect(try start().read()?.current.sum.starts == 3 && pauses == 3 && takeNotices() == [])
    storage.readFailuresLeft = 5
    #expect(try start().read() == nil && takeNotices().count == 1)
    #expect(folder.names.contains("\(KeptDatabase.name).unread"))
  }

  @Test("N4: another program reads while the firmware writes, changes nothing, and keeps nothing aside")
  func reading() throws {
    #expect(throws: DatabaseError.self) { try CountsStore(open(.readOnly)).all() }
    #expect(folder.names == [])
    let store = CountsStore(open())
    var counted = counts(1)
    for number in 2...20 {
      #expect(store.write(counted) == .saved)
      #expect(try CountsStore(open(.readOnly)).all().map(\.sum.starts) == [number - 1])
      counted.count(.start("a.mp3"), at: CountingMoment(instant: .powerOn, local: nil))
    }
    folder.write(KeptDatabase.name, String(repeating: "no database", count: 100))
    #expect(throws: DatabaseError.self) { try CountsStore(open(.readOnly)).all() }
    #expect(folder.names.allSatisfy { !$0.contains("unread") } && takeNotices() == [])
  }

  // MARK: - Files of earlier versions

  private static let row = "3 61000 1 1 0 0 1 0 0 0 1 0 0 1 0 0 0 0 1"
  private static let past = """
    version = 1
    [[periods]]
    id = 2
    month = "2025-09-01"
    hours = [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    [periods.tracks]
    "a.mp3" = "\(row)"
    [[periods]]
    id = 4
    recent = true
    day = "2026-11-23"
    [periods.tracks]
    "a.mp3" = "\(row)"

    """
  private static let current = """
    version = 1
    [[periods]]
    id = 4
    day = "2026-11-23"
    board = { power-ons = 2, underruns = 5 }
    [periods.tracks]
    "" = "\(row)"
    "a.mp3" = "\(row)"

    """

  private func sealed(_ text: String) -> [UInt8] { StateText.sealed(Array(text.utf8)) }

  @Test("N2: what earlier versions kept is taken over once, and their files are kept under another name")
  func former() throws {
    var quarantine = Quarantine()
    for _ in 0..<2 { quarantine.died(FileMark(path: "/m/a.mp3", size: 5, modified: -9), reason: "signal 11") }
    folder.write("counters-past.toml", sealed(Self.past))
    folder.write("counters.toml", sealed(Self.current))
    folder.write("counters.toml.old", "damaged, and not read")
    folder.write("quarantine.toml", QuarantineText.encode(quarantine))
    folder.write("music.list", "jackdaw music 2\n")
    for _ in 0..<2 {
      let periods = try CountsStore(open()).all()
      #expect(periods.map(\.id) == [2, 4] && periods.map(\.sum.starts) == [3, 6])
      #expect(periods.last?.names == ["", "a.mp3"] && periods.last?.board == [.powerOns: 2, .underruns: 5])
      #expect(periods.first?.hours[9] == 3 && periods.first?.sum.tenths == [0, 1, 0, 0, 1, 0, 0, 0, 0, 1])
      #expect(try QuarantineStore.read(open()) == quarantine)
      let former = ["counters-past.toml", "counters.toml", "counters.toml.old", "music.list", "quarantine.toml"]
      let all = former.map { "\($0).imported" } + [KeptDatabase.name, KeptDatabase.name + "-journal"]
      #expect(folder.names.sorted() == all.sorted())
    }
    #expect(takeNotices() == [])
  }

  @Test(
    "N2, F8: the current period of an earlier version is counted on, and those before it are told",
    arguments: [false, true])
  func formerEarlier(hasPast: Bool) throws {
    let tracks = "[periods.tracks]\n\"b.mp3\" = \"\(Self.row)\"\n"
    let earlier = [3, 4].map { "[[periods]]\nid = \($0)\nrecent = true\nday = \"2026-11-2\($0)\"\n\(tracks)" }
    let current = "version = 1\n[[periods]]\nid = 5\nday = \"2026-11-25\"\n\(tracks)"
    folder.write("counters.toml", sealed(current + earlier.joined()))
    if hasPast { folder.write("counters-past.toml", sealed(Self.past)) }
    let saved = try CountsStore(open()).read()
    // What the history has counted together with others is not counted once more.
    #expect(saved?.current.id == 5 && saved?.earlier.map(\.id) == (hasPast ? [4] : [3, 4]))
    #expect(try CountsStore(open()).all().map(\.id) == (hasPast ? [2, 4, 5] : [3, 4, 5]))
  }

  @Test("N2: a file of an earlier version that is damaged is reported, the one before it is used, and both are kept")
  func damagedFormer() throws {
    folder.write("counters.toml", "damaged")
    folder.write("counters.toml.old", sealed(Self.current))
    folder.write("quarantine.toml", "damaged")
    #expect(try CountsStore(open()).all().map(\.id) == [4])
    let expected = [
      "counters.toml: has no checksum: the file is damaged", "quarantine.toml: has no checksum: the file is damaged",
    ]
    #expect(takeNotices() == expected.map { folder.path(of: $0) })
    #expect(folder.read("counters.toml.imported") == Array("damaged".utf8))
  }

  @Test("N2: wherever the power is cut while they are taken over, nothing is lost or counted twice")
  func cutWhileTakenOver() throws {
    let disk = ["counters.toml": sealed(Self.current), "counters-past.toml": sealed(Self.past)]
    let storage = JournalStorage(disk)
    #expect(try CountsStore(KeptDatabase(on: storage)).all().map(\.sum.starts) == [3, 6])
    var model = PowerCuts(disk)
    for operation in storage.operations {
      model.take(operation)
      for disk in model.disks {
        let found = try? CountsStore(KeptDatabase(on: JournalStorage(disk))).all()
        #expect(found?.map(\.sum.starts) == [3, 6], "after \(operation.name)")
      }
    }
  }

  @Test(
    "N1: any damage of the counters of an earlier version is an error with its line and field",
    arguments: [
      ("", "is empty, expected counters"), ("version = 7\n", ":1: version: 7 is out of range, expected 1...2"),
      ("version = 1\n[[periods]]\n", "periods.id: missing"),
      (
        "version = 1\n[[periods]]\nid = 1\nday = \"2026-02-30\"\n",
        ":4: periods.day: found \"2026-02-30\", expected a day"
      ),
      ("version = 1\n[[periods]]\nid = 1\nhours = [1]\n", ":4: periods.hours: found 1 numbers, expected 24"),
      ("version = 1\n[[periods]]\nid = 1\n[periods.tracks]\na = \"1 -2\"\n", ":5: periods.tracks.a: expected 19 whole"),
    ])
  func damage(text: String, message: String) {
    let bytes = text.isEmpty ? [] : sealed(text)
    do throws(FileError) {
      _ = try CountsText.decode(bytes, file: "c")
      Issue.record("read")
    } catch {
      #expect(error.description.contains(message), "\(error)")
    }
  }
}
