import AudioSession
import Files
import Jukebox
import TestSupport
import Testing

@testable import KioskTestSupport
@testable import Storage

/// The counters beside the state, with the power cut at every write.
@Suite struct CountsStoreTests {
  private func moment(_ day: Int) -> CountingMoment {
    let first = CalendarDay(year: 2026, month: 3, day: 1)
    let date = (0..<day).reduce(first) { day, _ in day.next }
    return CountingMoment(instant: .powerOn + .seconds(day), local: .init(day: date, second: 3_600))
  }

  /// All starts that a report would show.
  private func starts(_ disk: PowerCuts.Disk) -> Int? {
    let found = CountsStore(folder: "", storage: JournalStorage(disk)).readAll()
    if case .unreadable = found.current { return nil }
    if case .unreadable = found.past { return nil }
    return CountedHistory.all(current: found.current.content?.current, past: found.past.content)
      .reduce(0) { $0 + $1.sum.starts }
  }

  @Test("N1: what was counted comes back as it was")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let store = CountsStore(folder: folder.path)
    guard case .nothing = store.read() else { throw StorageError(path: "", code: 0) }
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    for name in ["a \"quoted\"\n\u{1B}", "b=c.mp3", "ß", "\u{e9}", "e\u{301}"] {
      counts.count(.start(name), at: moment(0))
      counts.count(.heard(name, milliseconds: 1_234), at: moment(0))
      for leaving in Leaving.allCases { counts.count(.left(name, leaving, tenth: 3), at: moment(0)) }
    }
    for key in BoardCount.allCases { counts.count(.board(key), at: moment(0)) }
    #expect(store.write(counts) == .saved && store.write(counts) == .unchanged)
    #expect(CountsStore(folder: folder.path).read().content == counts.saved)
    let old = counts.current
    counts.count(.start("a"), at: moment(1))
    #expect(store.write(counts) == .saved && store.forgettable == [old.id])
    let found = CountsStore(folder: folder.path).readAll()
    #expect(found.current.content == counts.saved && found.past.content?.recent == [old])
  }

  @Test("N2: wherever the power is cut, at most one save is lost, and nothing is counted twice")
  func powerCuts() {
    var disks: Set<PowerCuts.Disk> = []
    // Several starts, of which every third is on a new day, so that both files are written.
    check([:], holding: 0, day: 0, cuts: 3, &disks)
    #expect(disks.count > 20)
  }

  private func check(
    _ disk: PowerCuts.Disk, holding number: Int, day: Int, cuts: Int, _ seen: inout Set<PowerCuts.Disk>
  ) {
    guard cuts > 0, seen.insert(disk).inserted else { return }
    let storage = JournalStorage(disk)
    let store = CountsStore(folder: "", storage: storage)
    let saved = store.read().content
    var counts = ListeningCounts(after: saved, seed: 5, at: moment(day))
    var model = PowerCuts(disk)
    var done = 0
    var safe = number
    for step in 1...3 {
      counts.count(.start("a"), at: moment(day + step / 2))
      let isSaved = store.write(counts) == .saved
      #expect(isSaved)
      for operation in storage.operations[done...] {
        model.take(operation)
        cut(model, safe...number + step, day, "after \(operation.name) of start \(number + step)", cuts, &seen)
      }
      done = storage.operations.count
      safe = number + step
      cut(model, safe...safe, day + step / 2, "after start \(number + step)", cuts, &seen)
      counts.forget(store.forgettable)
    }
  }

  private func cut(
    _ model: PowerCuts, _ allowed: ClosedRange<Int>, _ day: Int, _ moment: String, _ cuts: Int,
    _ seen: inout Set<PowerCuts.Disk>
  ) {
    for disk in model.disks {
      let found = starts(disk)
      #expect(
        found.map(allowed.contains) ?? false, "\(moment): \(found.map(String.init) ?? "unreadable"), not \(allowed)")
      if let found { check(disk, holding: found, day: day, cuts: cuts - 1, &seen) }
    }
  }

  @Test("N2: a history that cannot be written keeps the period that is over until it can")
  func failing() throws {
    let bench = AwkwardStorage()
    let folder = try TemporaryFolder()
    let store = CountsStore(folder: folder.path, storage: bench)
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    counts.count(.start("a"), at: moment(0))
    #expect(store.write(counts) == .saved)
    counts.count(.start("a"), at: moment(1))
    bench.room = 10
    guard case .failed = store.write(counts) else { throw StorageError(path: "", code: 0) }
    #expect(store.forgettable.isEmpty)
    bench.room = .max
    #expect(store.write(counts) == .saved && store.forgettable.count == 1)
    let found = CountsStore(folder: folder.path).readAll()
    #expect(found.past.content?.recent.first?.sum.starts == 1 && found.current.content?.current.sum.starts == 1)
  }

  @Test(
    "N1: any damage is an error with its line and field",
    arguments: [
      ("", "is empty, expected counters"), ("version = 1\n", "periods: missing, expected the current period"),
      ("version = 7\n", ":1: version: 7 is out of range, expected 1...2"),
      ("version = 1\n[[periods]]\n", "periods.id: missing"),
      (
        "version = 1\n[[periods]]\nid = 1\nday = \"2026-02-30\"\n",
        ":4: periods.day: found \"2026-02-30\", expected a day"
      ),
      ("version = 1\n[[periods]]\nid = 1\nhours = [1]\n", ":4: periods.hours: found 1 numbers, expected 24"),
      ("version = 1\n[[periods]]\nid = 1\n[periods.tracks]\na = \"1 -2\"\n", ":5: periods.tracks.a: expected 19 whole"),
    ])
  func damage(text: String, message: String) {
    let bytes = text.isEmpty ? [] : StateText.sealed(Array(text.utf8))
    do throws(FileError) {
      _ = try ListeningCounts.Saved(bytes, file: "c")
      Issue.record("read")
    } catch {
      #expect(error.description.contains(message), "\(error)")
    }
  }

  @Test("N3: twenty thousand lines are written and read again")
  func size() throws {
    var periods: [CountedPeriod] = []
    var day = CalendarDay(year: 2026, month: 1, day: 1)
    for id in 0..<10 {
      var period = CountedPeriod(id: id, span: .day(day))
      for name in 0..<1_900 {
        period.add(TrackCounts(), of: "a folder/a track with a name of usual length \(name).mp3")
      }
      periods.append(period)
      day = day.next
    }
    let history = CountedHistory(periods)
    let bytes = history.bytes
    #expect(bytes.count < 3_000_000)
    #expect(try CountedHistory(bytes, file: "c") == history)
  }
}
