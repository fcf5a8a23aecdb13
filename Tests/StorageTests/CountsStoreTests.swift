import AudioSession
import Jukebox
import Simulator
import TestSupport
import Testing
import Threads

@testable import KioskTestSupport
@testable import Storage

extension KeptDatabase {
  /// A database in a storage of a test.
  convenience init(on storage: any Storage) {
    self.init(folder: "", storage: storage, system: StorageVFS(storage), pause: {})
  }
}

/// The counters in the database, with the power cut at every write.
@Suite struct CountsStoreTests {
  private func moment(_ day: Int) -> CountingMoment {
    let first = CalendarDay(year: 2026, month: 3, day: 1)
    let date = (0..<day).reduce(first) { day, _ in day.next }
    return CountingMoment(instant: .powerOn + .seconds(day), local: .init(day: date, second: 3_600))
  }

  /// All starts that a report would show, as a firmware finds them that starts on this disk.
  private func starts(_ disk: PowerCuts.Disk) -> Int? {
    let storage = JournalStorage(disk)
    guard let found = try? CountsStore(KeptDatabase(on: storage)).all() else { return nil }
    // Nothing may be kept aside, either: what is damaged is lost.
    if storage.names(in: "").contains(where: { $0.contains(".unread") }) { return nil }
    return CountedHistory(found).periods.reduce(0) { $0 + $1.sum.starts }
  }

  private func start(_ folder: TemporaryFolder) -> CountsStore { CountsStore(KeptDatabase(folder: folder.path)) }

  @Test("N1: what was counted comes back as it was")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let store = start(folder)
    #expect(try store.read() == nil)
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    for name in ["a \"quoted\"\n\u{1B}", "b=c.mp3", "ß", "\u{e9}", "e\u{301}"] {
      counts.count(.start(name), at: moment(0))
      counts.count(.heard(name, milliseconds: 1_234), at: moment(0))
      for leaving in Leaving.allCases { counts.count(.left(name, leaving, tenth: 3), at: moment(0)) }
    }
    for key in BoardCount.allCases { counts.count(.board(key), at: moment(0)) }
    #expect(store.write(counts) == .saved && store.write(counts) == .unchanged)
    #expect(try start(folder).read() == counts.saved)
    let old = counts.current
    counts.count(.start("a"), at: moment(1))
    #expect(store.write(counts) == .saved && store.forgettable == [old.id])
    #expect(try start(folder).read() == counts.saved && counts.saved.earlier == [old])
    #expect(try start(folder).all() == [old, counts.current])
  }

  @Test("N1: what another version of this program counts of the board does no harm")
  func unknown() throws {
    let folder = try TemporaryFolder()
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    counts.count(.board(.visits), at: moment(0))
    #expect(start(folder).write(counts) == .saved)
    let database = KeptDatabase(folder: folder.path)
    try database.use { (connection) throws(DatabaseError) in
      try connection.run("INSERT INTO board SELECT id, 'stamps', 7 FROM periods")
    }
    #expect(try CountsStore(database).read() == counts.saved)
    #expect(folder.names.sorted() == [KeptDatabase.name, KeptDatabase.name + "-journal"])
  }

  @Test("N1, W3: a period of a newer version is left out and left as it is, and keeps no other from being read")
  func unknownSpan() throws {
    for isNewest in [false, true] {
      let folder = try TemporaryFolder()
      var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
      for day in 0..<3 { counts.count(.start("a.mp3"), at: moment(day)) }
      #expect(start(folder).write(counts) == .saved)
      let notices = Locked<[String]>([])
      let database = KeptDatabase(
        folder: folder.path, onNotice: { notice in notices.withLock { $0.append(notice) } })
      let place = "(SELECT \(isNewest ? "max" : "min")(place) FROM periods)"
      try database.use { (connection) throws(DatabaseError) in
        try connection.execute("UPDATE periods SET span = 'week 2026-09' WHERE place = \(place)")
      }
      let store = CountsStore(database)
      let found = try store.read()
      #expect(found?.current == (isNewest ? nil : counts.current))
      #expect(try store.all().count == 2)
      #expect(
        notices.withLock { $0 } == ["1 of the periods counted are of a kind that this version does not know: left out"])
      var next = ListeningCounts(after: found, seed: 1 << 60, at: moment(3))
      next.count(.start("b.mp3"), at: moment(3))
      #expect(store.write(next) == .saved)
      var spans: [String] = []
      try database.use { (connection) throws(DatabaseError) in
        try connection.run("SELECT span FROM periods ORDER BY place") { spans.append($0.text(0)) }
      }
      let (first, week) = (isNewest ? "day 2026-03-01" : "week 2026-09", isNewest ? "week 2026-09" : "day 2026-03-03")
      #expect(spans == [first, "day 2026-03-02", week, "day 2026-03-04"])
      #expect(folder.names.sorted() == [KeptDatabase.name, KeptDatabase.name + "-journal"])
    }
  }

  @Test("N1: what is written after a save, row by row, is what was counted, in its order")
  func changes() throws {
    let folder = try TemporaryFolder()
    let store = start(folder)
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    var random = SplitMix64(state: 7)
    for step in 0..<300 {
      let name = "\(random.next() % 7)"
      switch random.next() % 4 {
      case 0: counts.count(.start(name), at: moment(step / 100))
      case 1: counts.count(.heard(name, milliseconds: step), at: moment(step / 100))
      case 2: counts.count(.left(name, .skipped, tenth: step % 10), at: moment(step / 100))
      default: counts.count(.board(.underruns), at: moment(step / 100))
      }
      #expect(store.write(counts) == .saved)
      #expect(try start(folder).read() == counts.saved, "after \(step)")
      counts.forget(store.forgettable)
    }
  }

  @Test("N3: of more names than a period has, those that are counted together are one row")
  func others() throws {
    let folder = try TemporaryFolder()
    let store = start(folder)
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    for name in 0..<CountedPeriod.mostNames { counts.count(.start("\(name)"), at: moment(0)) }
    #expect(store.write(counts) == .saved)
    for name in 0..<3 {
      counts.count(.start("new \(name)"), at: moment(0))
      #expect(store.write(counts) == .saved)
      #expect(try start(folder).read() == counts.saved)
    }
  }

  @Test("N2: wherever the power is cut, at most one save is lost, and nothing is counted twice")
  func powerCuts() {
    var disks: Set<PowerCuts.Disk> = []
    check([:], holding: 0, day: 0, cuts: 2, &disks)
    #expect(disks.count > 5)
  }

  private func check(
    _ disk: PowerCuts.Disk, holding number: Int, day: Int, cuts: Int, _ seen: inout Set<PowerCuts.Disk>
  ) {
    guard cuts > 0, seen.insert(disk).inserted else { return }
    let storage = JournalStorage(disk)
    let store = CountsStore(KeptDatabase(on: storage))
    let saved = (try? store.read()) ?? nil
    var counts = ListeningCounts(after: saved, seed: 5, at: moment(day))
    var model = PowerCuts(disk)
    var done = 0
    var safe = number
    // Several starts, of which every third is on a new day. After a cut, the first one shows what the recovery does.
    for step in 1...(cuts > 1 ? 3 : 1) {
      counts.count(.start("a"), at: moment(day + step / 2))
      let isSaved = store.write(counts) == .saved
      #expect(isSaved)
      var looked: Set<PowerCuts.Disk> = []
      for operation in storage.operations[done...] {
        model.take(operation)
        // While it recovers from a cut after a sync, the power is cut again.
        let others = operation.isSync ? cuts : 1
        let disks = others > 1 ? model.disks : model.disks.subtracting(looked)
        looked.formUnion(disks)
        cut(disks, safe...number + step, day, "after \(operation.name) of start \(number + step)", others, &seen)
      }
      done = storage.operations.count
      safe = number + step
      cut(model.disks, safe...safe, day + step / 2, "after start \(number + step)", cuts, &seen)
      counts.forget(store.forgettable)
    }
  }

  private func cut(
    _ disks: Set<PowerCuts.Disk>, _ allowed: ClosedRange<Int>, _ day: Int, _ moment: String, _ cuts: Int,
    _ seen: inout Set<PowerCuts.Disk>
  ) {
    for disk in disks where !seen.contains(disk) {
      let found = starts(disk)
      #expect(
        found.map(allowed.contains) ?? false, "\(moment): \(found.map(String.init) ?? "unreadable"), not \(allowed)")
      let isTorn = disk[KeptDatabase.name + "-journal"]?.isEmpty == false
      if let found, isTorn { check(disk, holding: found, day: day, cuts: cuts - 1, &seen) }
    }
  }

  @Test("N2, W3: on a full storage a period that is over waits until it can be written")
  func failing() throws {
    let bench = AwkwardStorage()
    let folder = try TemporaryFolder()
    let database = KeptDatabase(folder: folder.path, storage: bench, system: StorageVFS(bench), pause: {})
    let store = CountsStore(database)
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    counts.count(.start("a"), at: moment(0))
    #expect(store.write(counts) == .saved)
    counts.count(.start("a"), at: moment(1))
    bench.room = 10
    #expect(
      store.write(counts) == .failed(reason: "\(folder.path)/jackdaw.sqlite: database or disk is full"))
    #expect(store.forgettable.isEmpty)
    bench.room = .max
    #expect(store.write(counts) == .saved && store.forgettable.count == 1)
    #expect(try start(folder).all().map(\.sum.starts) == [1, 1])
  }

  @Test("N3: twenty thousand lines are written and read again, and the oldest are counted together")
  func size() throws {
    let folder = try TemporaryFolder()
    let store = start(folder)
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    for day in 0..<16 {
      for name in 0..<1_900 { counts.count(.start("a folder/a track of usual length \(name).mp3"), at: moment(day)) }
      #expect(store.write(counts) == .saved)
      counts.forget(store.forgettable)
    }
    let all = try start(folder).all()
    #expect(all.reduce(0) { $0 + $1.sum.starts } == 16 * 1_900 && all.last == counts.current)
    // Beside those that the fleet may still be told of.
    let young = ListeningCounts.mostEarlier + 1
    #expect(all.dropLast(young).reduce(0) { $0 + $1.names.count } <= CountedHistory.mostLines)
    #expect(all.first?.span == .month(CalendarDay(year: 2026, month: 3, day: 1)))
  }

  @Test("F8.1, N3: what the fleet may still be told keeps its numbers, also where a day has two periods")
  func toldAgain() throws {
    let folder = try TemporaryFolder()
    var told: [Int: CountedPeriod] = [:]
    var saved: ListeningCounts.Saved?
    for day in [0, 1, 1, 1, 1, 2, 3] {
      // Without a clock each boot begins a period, until the time is known.
      var counts = ListeningCounts(after: saved, seed: 5, at: CountingMoment(instant: .powerOn, local: nil))
      counts.count(.start("a"), at: CountingMoment(instant: .powerOn, local: nil))
      counts.count(.start("a"), at: moment(day))
      let store = start(folder)
      #expect(store.write(counts) == .saved)
      saved = try start(folder).read()
      for period in saved?.earlier ?? [] {
        #expect(told[period.id] == nil || told[period.id] == period, "\(period.id) on day \(day)")
        told[period.id] = period
      }
    }
    #expect(try start(folder).all().reduce(0) { $0 + $1.sum.starts } == 14)
  }
}
