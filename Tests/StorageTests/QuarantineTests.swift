import Dispatch
import Glibc
import Simulator
import Synchronization
import TestSupport
import Testing

@testable import KioskTestSupport
@testable import Storage

@Suite struct QuarantineTests {
  private let folder: TemporaryFolder
  private var openingPath: String { folder.path(of: "opening") }

  init() throws { folder = try TemporaryFolder() }

  private final class Files: Sendable {
    let modified = Mutex<[String: Int]>(["a": 1, "b": 2])
    func mark(_ path: String) -> FileMark? {
      modified.withLock { $0[path] }.map { FileMark(path: path, size: 7, modified: $0) }
    }
  }

  private let files = Files()

  private func start(_ storage: any Storage = DiskStorage()) -> QuarantineStore {
    let store = QuarantineStore(KeptDatabase(folder: folder.path), openingPath: openingPath, storage: storage) {
      [files] in files.mark($0)
    }
    try? store.takeKept()
    return store
  }

  /// Opens a file, and ends the firmware meanwhile.
  private func killOpening(_ file: String, _ store: QuarantineStore) -> QuarantineStore {
    let names = ["opening", KeptDatabase.name]
    let left = store.opening(file) { _ in names.map { folder.read($0) } }
    store.stop()
    for (name, bytes) in zip(names, left) { folder.write(name, bytes ?? []) }
    return start()
  }

  @Test("P13: a file whose decoder died twice is left out, over restarts, until it changes")
  func died() {
    start().died("a", reason: "signal 11")
    #expect(start().objection(to: "a") == nil)
    start().died("a", reason: "signal 6")
    let store = start()
    #expect(store.objection(to: "a") == "left out until the file changes: its decoder failed 2 times (signal 6)")
    #expect(store.objection(to: "b") == nil && store.objection(to: "none") == nil)
    #expect(store.leftOut.map(\.path) == ["a"])
    files.modified.withLock { $0["a"] = 9 }
    #expect(store.objection(to: "a") == nil)
    store.died("a", reason: "x")
    #expect(start().leftOut == [])
  }

  @Test("P13: a file that was played to its end after its decoder had died begins anew, unless it is left out")
  func playedToTheEnd() {
    for _ in 0..<3 {
      let store = start()
      store.died("a", reason: "signal 4")
      store.reportEnd(of: "b")
      store.reportEnd(of: "a")
      #expect(store.stop() && store.leftOut.isEmpty)
    }
    for _ in 0..<2 { start().died("a", reason: "signal 4") }
    let store = start()
    store.reportEnd(of: "a")
    #expect(store.stop() && start().leftOut.map(\.path) == ["a"])
  }

  /// A share that hangs when a file of it is looked at.
  private final class Share: Sendable {
    let isAsked = DispatchSemaphore(value: 0)
    private let isReleased = DispatchSemaphore(value: 0)
    private let late = Mutex(false)
    var wasLate: Bool { late.withLock { $0 } }

    func look(_ path: String) {
      guard path.hasPrefix("/share/") else { return }
      isAsked.signal()
      if isReleased.wait(timeout: .now() + 20) == .timedOut { late.withLock { $0 = true } }
    }

    func release(looks: Int) { for _ in 0..<looks { isReleased.signal() } }
  }

  private func start(_ share: Share) -> QuarantineStore {
    QuarantineStore(KeptDatabase(folder: folder.path), openingPath: openingPath) { [files] path in
      share.look(path)
      return files.mark(path)
    }
  }

  /// Keeps the store's thread at the end of a file on the share, so that an opening takes what is reported from then on.
  private func hold(_ store: QuarantineStore, by share: Share, died path: String) {
    store.died(path, reason: "signal 4")
    store.reportEnd(of: "/share/b")
    share.isAsked.wait()
  }

  @Test("P13: the end of a track keeps none waiting where its storage hangs, and asks nothing where a file is left out")
  func endsThatHang() throws {
    for _ in 0..<2 { start().died("a", reason: "signal 4") }
    #expect(!start().remembersDeaths)
    let share = Share()
    let store = start(share)
    hold(store, by: share, died: "b")
    store.reportEnd(of: "/share/c")
    #expect(try store.admit("none") { _ in 5 } == 5)
    share.release(looks: 2)
    #expect(store.stop() && !share.wasLate)
  }

  @Test("P13: of a file that was decoded to its end, deaths of a decoder count from then on, whoever notes them")
  func deathBehindEnd() throws {
    let share = Share()
    let store = start(share)
    hold(store, by: share, died: "a")
    store.reportEnd(of: "a")
    store.report("a", reason: "signal 4")
    #expect(try store.admit("none") { _ in 5 } == 5)
    share.release(looks: 1)
    #expect(store.stop() && !share.wasLate && store.leftOut.isEmpty)
    store.died("a", reason: "signal 4")
    #expect(store.leftOut.map(\.path) == ["a"])
  }

  @Test("P13: what could not be saved at the start is saved at the end at the latest")
  func savedAtTheEnd() throws {
    let storage = AwkwardStorage()
    let database = KeptDatabase(folder: folder.path, storage: storage, system: StorageVFS(storage), pause: {})
    func starting(_ database: KeptDatabase) -> QuarantineStore {
      QuarantineStore(database, openingPath: openingPath) { [files] in files.mark($0) }
    }
    for _ in 0..<2 {
      let left = starting(KeptDatabase(folder: folder.path)).opening("a") { _ in folder.read("opening") }
      folder.write("opening", left ?? [])
      let store = starting(database)
      storage.writeFailure = EIO
      try? store.takeKept()
      storage.writeFailure = nil
      #expect(store.stop())
    }
    #expect(try QuarantineStore.read(database).leftOut.map(\.path) == ["a"])
  }

  @Test("P13, P13.1: a file over which the firmware ended twice in a row is left out")
  func endedOpening() {
    let second = killOpening("a", start())
    #expect(second.objection(to: "a") == nil)
    #expect(killOpening("a", second).objection(to: "a")?.hasSuffix("ended 2 times while it was being opened") == true)
    #expect(start().leftOut.count == 1)
  }

  @Test("P13: a file that was opened in between is not, nor one that was opened well, nor are others that were open")
  func openedBetween() {
    var store = start()
    for _ in 0..<3 {
      store = killOpening("a", store)
      #expect(store.opening("a") { _ in 5 } == 5)
      #expect(store.opening("b") { _ in folder.read("opening")?.isEmpty } == false)
      #expect(folder.read("opening") == [] && store.stop())
    }
    #expect(start().leftOut == [] && (try? QuarantineStore.read(KeptDatabase(folder: folder.path))) == Quarantine())
  }

  @Test("P13: opening files costs no sync and no write beside the state as long as none does harm")
  func wear() {
    let bench = AwkwardStorage()
    let store = start(bench)
    let kept = folder.read(KeptDatabase.name)
    for _ in 0..<10 { store.opening("a") { _ in } }
    #expect(bench.syncs == 0 && folder.read(KeptDatabase.name) == kept)
  }

  @Test("P13: only the files that did harm last are remembered, whatever they are called")
  func bounded() throws {
    var quarantine = Quarantine()
    let names = ["\" = \\ \n\u{1B}[1m # \u{10FE80}", "ünï/ö 🎵.mp3", "[files]", ""]
    for number in 0..<(Quarantine.mostFiles + 50) {
      let mark = FileMark(path: names[number % names.count] + "\(number)", size: number, modified: -number)
      quarantine.died(mark, reason: names[number % names.count])
      quarantine.died(mark, reason: names[number % names.count])
    }
    #expect(quarantine.leftOut.count == Quarantine.mostFiles && quarantine.leftOut.first?.size == 50)
    #expect(try QuarantineText.decode(QuarantineText.encode(quarantine), file: "q") == quarantine)
    #expect(try kept(quarantine) == quarantine)
  }

  @Test(
    "P13: a torn note of what was opened says nothing",
    arguments: ["", "x", "version = 1\n", "version = 2\n# crc-32 00000000\n"])
  func torn(text: String) {
    folder.write("opening", text)
    let store = start()
    #expect(store.leftOut == [])
    for _ in 0..<2 { store.died("a", reason: "x") }
    #expect(start().leftOut.count == 1)
  }

  /// What comes back of it from the database.
  private func kept(_ quarantine: Quarantine) throws -> Quarantine {
    let database = KeptDatabase(folder: folder.path)
    try database.use { (connection) throws(DatabaseError) in try QuarantineStore.put(quarantine, connection) }
    return try QuarantineStore.read(KeptDatabase(folder: folder.path))
  }

  @Test("P13: wherever the power is cut, the quarantine is the old or the new one")
  func powerCut() throws {
    var (old, new) = (Quarantine(), Quarantine())
    old.died(FileMark(path: "a", size: 1, modified: 1), reason: "x")
    new.died(FileMark(path: "b", size: 1, modified: 1), reason: "x")
    let storage = JournalStorage([:])
    let database = KeptDatabase(on: storage)
    var done = 0
    var model = PowerCuts([:])
    for quarantine in [old, new] {
      try database.use { (connection) throws(DatabaseError) in
        try connection.transaction { () throws(DatabaseError) in try QuarantineStore.put(quarantine, connection) }
      }
      var found: Set<Quarantine> = []
      for operation in storage.operations[done...] {
        model.take(operation)
        for disk in model.disks { found.insert(try QuarantineStore.read(KeptDatabase(on: JournalStorage(disk)))) }
      }
      done = storage.operations.count
      #expect(found == [quarantine == old ? Quarantine() : old, quarantine])
      #expect(model.disks.count == 1)
    }
  }

  @Test("P13: of two files that look alike each is left out by itself, also after a restart")
  func alike() throws {
    let names = ["\u{e9}.mp3", "e\u{301}.mp3"]
    let marks = names.map { FileMark(path: $0, size: 7, modified: 1) }
    var quarantine = Quarantine()
    for _ in 0..<2 { quarantine.died(marks[0], reason: "it died") }
    #expect(quarantine.objection(to: marks[0]) != nil && quarantine.objection(to: marks[1]) == nil)
    for _ in 0..<2 { quarantine.died(marks[1], reason: "it died") }
    #expect(quarantine.leftOut.map { Array($0.path.utf8) } == names.map { Array($0.utf8) })
    let read = try kept(quarantine)
    #expect(read == quarantine && read.leftOut.count == 2)
  }
}
