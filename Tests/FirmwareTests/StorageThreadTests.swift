import AudioSession
import Glibc
import Jukebox
import Simulator
import TestSupport
import Testing

@testable import Firmware
@testable import KioskTestSupport
@testable import Storage
@testable import Threads

/// The thread that saves the state, on real storage. Nothing waits for time.
@Suite struct StorageThreadTests {
  /// How long to wait for a report; shows only where one is lost.
  private static let patience: CInt = 20_000
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/state.toml"
  }

  private func state(_ frame: Int) -> SavedState {
    SavedState(volumes: [:], track: nil, frame: frame, intent: .paused, port: nil)
  }

  private var saved: SavedState? { StateStore(path: path).read().state }

  @Test("W1: what is saved just before the end is written, however soon the end comes")
  func last() {
    for frame in 0..<200 {
      let thread = StorageThread(StateStore(path: path))
      thread.start()
      if frame % 2 == 0 { thread.save(state(1_000 + frame), at: .powerOn) }
      thread.save(state(frame), at: .powerOn)
      #expect(thread.stop())
      #expect(saved == state(frame))
      if saved != state(frame) { return }
    }
  }

  /// A thread whose first save, at power on, has reached the storage, which holds it until `release`.
  private func hanging() -> (thread: StorageThread, release: Semaphore) {
    let storage = AwkwardStorage()
    let (isHeld, release) = storage.holdNextWrite()
    let thread = StorageThread(StateStore(path: path, storage: storage))
    thread.start()
    thread.save(state(1), at: .powerOn)
    isHeld.wait()
    return (thread, release)
  }

  @Test("W1: what is saved while the state before it is being written, just before the end, is written")
  func lastWhileBusy() {
    let (thread, release) = hanging()
    thread.save(state(2), at: .powerOn)
    // The storage hangs: the end is asked for and not waited for.
    #expect(!thread.stop(within: .zero))
    release.post()
    var reports: [StorageReport] = []
    while reports.count < 2 {
      var polled = pollfd(fd: thread.reports.signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
      if poll(&polled, 1, Self.patience) == 0 { break }
      reports += thread.takeReports(at: .powerOn)
    }
    #expect(reports == [.saved, .saved])
    #expect(saved == state(2))
  }

  @Test("W3: a storage that has not answered for 30 s counts as one that fails, until it answers")
  func hangs() {
    let (thread, release) = hanging()
    func reports(after time: Int64) -> [StorageReport] { thread.takeReports(at: .powerOn + .seconds(time)) }
    thread.save(state(2), at: .powerOn + .seconds(20))
    #expect(thread.overdue == .powerOn + .seconds(30) && reports(after: 29).isEmpty)
    // Nobody asks for another save.
    #expect(reports(after: 30) == [.failed(reason: "the storage does not answer")])
    #expect(thread.overdue == .powerOn + .seconds(60) && reports(after: 31).isEmpty)
    #expect(reports(after: 60) == [.failed(reason: "the storage does not answer")])
    release.post()
    #expect(thread.stop() && reports(after: 61) == [.saved, .saved] && saved == state(2))
    #expect(thread.overdue == nil)
  }

  @Test("W3: the answer to one save does not stand for the next, which hangs")
  func hangsAfterAnAnswer() {
    let storage = AwkwardStorage()
    let (first, releaseFirst) = storage.holdNextWrite()
    let thread = StorageThread(StateStore(path: path, storage: storage))
    thread.start()
    thread.save(state(1), at: .powerOn)
    first.wait()
    thread.save(state(2), at: .powerOn + .seconds(1))
    let (second, releaseSecond) = storage.holdNextWrite()
    releaseFirst.post()
    second.wait()
    #expect(thread.takeReports(at: .powerOn + .seconds(2)) == [.saved])
    #expect(thread.overdue == .powerOn + .seconds(32))
    releaseSecond.post()
    #expect(thread.stop() && thread.takeReports(at: .powerOn + .seconds(3)) == [.saved] && thread.overdue == nil)
  }

  // MARK: - The ledger

  private func store(_ storage: AwkwardStorage) -> LedgerStore {
    LedgerStore(KeptDatabase(folder: folder.path, storage: storage, system: StorageVFS(storage), pause: {}))
  }

  private func kept() throws -> Ledger? {
    let store = store(AwkwardStorage())
    try store.read()
    return store.takeSaved().ledger
  }

  @Test("J4: a ledger is written before the state that waits, and the newest alone: its report stands for all")
  func ledgerFirst() throws {
    let (isHeld, release) = (Semaphore(), Semaphore())
    let (storage, ledgerStorage, countsStorage) = (AwkwardStorage(), AwkwardStorage(), AwkwardStorage())
    let others = try TemporaryFolder()
    let counts = KeptDatabase(
      folder: others.path, storage: countsStorage, system: StorageVFS(countsStorage), pause: {})
    let moment = CountingMoment(instant: .powerOn, local: nil)
    let written = Locked<[String]>([])
    func note(_ name: String) { written.withLock { if $0.last != name { $0.append(name) } } }
    ledgerStorage.beforeWrite = { note("ledger") }
    countsStorage.beforeWrite = { note("counts") }
    storage.beforeWrite = {
      storage.beforeWrite = { note("state") }
      note("state")
      isHeld.post()
      release.wait()
    }
    let ledgers = LedgerWriter(store(ledgerStorage))
    let thread = StorageThread(StateStore(path: path, storage: storage), CountsStore(counts), ledgers)
    thread.start()
    thread.save(state(1), ListeningCounts(after: nil, seed: 4, at: moment), at: .powerOn)
    isHeld.wait()
    // The storage hangs, and none of these waits for it.
    thread.save(state(2), at: .powerOn)
    for number in 1...3 { thread.keep(Ledger(credits: number), number: number) }
    #expect(ledgers.reports.takeAll() == [])
    release.post()
    #expect(thread.stop())
    #expect(written.withLock { $0 } == ["state", "ledger", "counts", "state"])
    #expect(ledgers.reports.takeAll() == [.kept(3)] && thread.takeReports(at: .powerOn) == [.saved, .saved])
    #expect(try kept() == Ledger(credits: 3) && saved == state(2))
  }

  @Test("J4: a ledger that is asked for just before the end is written, however soon the end comes")
  func lastLedger() throws {
    for number in 0..<50 {
      let store = store(AwkwardStorage())
      try store.read()
      let ledgers = LedgerWriter(store)
      let thread = StorageThread(StateStore(path: path), nil, ledgers)
      thread.start()
      thread.keep(Ledger(credits: number), number: number)
      #expect(thread.stop())
      #expect(ledgers.reports.takeAll() == [.kept(number)])
      #expect(try kept() == Ledger(credits: number))
    }
  }

  @Test("J4: a ledger that cannot be written is reported with its number, and wakes whoever waits for it")
  func failedLedger() {
    let storage = AwkwardStorage()
    storage.createFailure = EROFS
    let ledgers = LedgerWriter(store(storage))
    let thread = StorageThread(StateStore(path: path), nil, ledgers)
    thread.start()
    thread.keep(Ledger(), number: 7)
    var polled = pollfd(fd: ledgers.reports.signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    #expect(poll(&polled, 1, Self.patience) == 1)
    let reason = "\(folder.path)/jackdaw.sqlite: unable to open database file"
    #expect(ledgers.reports.takeAll() == [.failed(7, reason: reason)])
    #expect(thread.stop())
  }

  @Test("J7: while the storage hangs, whoever asks what is heard most waits for nothing, and is answered behind it")
  func ranking() throws {
    let storage = AwkwardStorage()
    let (isHeld, release) = storage.holdNextWrite()
    let kept = CountsStore(KeptDatabase(folder: folder.path))
    let thread = StorageThread(StateStore(path: path, storage: storage), kept)
    thread.start()
    thread.save(state(1), at: .powerOn)
    isHeld.wait()
    var counts = ListeningCounts(after: nil, seed: 1, at: CountingMoment(instant: .powerOn, local: nil))
    for name in ["a", "b", "b"] { counts.count(.start(name), at: CountingMoment(instant: .powerOn, local: nil)) }
    let tracks = TrackList(["a", "b", "c"].map { Track(path: $0, name: $0) })
    for _ in 1...3 {
      thread.rankings.ask(counts, among: tracks)
      thread.wake()
    }
    #expect(thread.rankings.takeReports() == [])
    release.post()
    var found: [RankingReport] = []
    while found.isEmpty {
      var polled = pollfd(fd: thread.reports.signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
      if poll(&polled, 1, Self.patience) == 0 { break }
      _ = thread.reports.takeAll()
      found += thread.rankings.takeReports()
    }
    #expect(thread.stop())
    #expect(found == [.ranked(["b", "a"])])
  }
}
