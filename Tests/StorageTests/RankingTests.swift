import AudioSession
import Jukebox
import TestSupport
import Testing

@testable import Storage

/// Which tracks were heard most, by the rows of a real database and by what is not written yet.
@Suite struct RankingTests {
  private let tracks = TrackList((0..<12).map { Track(path: "/m/\($0)", name: "\($0).mp3") })

  private func date(_ day: Int) -> CalendarDay {
    (0..<day).reduce(CalendarDay(year: 2025, month: 11, day: 20)) { day, _ in day.next }
  }

  private func moment(_ day: Int?, at second: Int = 0) -> CountingMoment {
    CountingMoment(
      instant: .powerOn + .seconds(second), local: day.map { .init(day: date($0), second: 40_000) })
  }

  /// What somebody finds who has noted every start with its day.
  private func expected(_ starts: [(day: Int, name: String)], on today: Int) -> RankingReport {
    var sums: [String: Int] = [:]
    for start in starts where (today - 89...today).contains(start.day) { sums[start.name, default: 0] += 1 }
    let known = sums.filter { sum in tracks.contains { $0.name == sum.key } }
    return .ranked(known.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key))
  }

  @Test("J7: over 100 days the starts of the last 90 count, those that are not saved yet too")
  func hundredDays() throws {
    let folder = try TemporaryFolder()
    var store = CountsStore(KeptDatabase(folder: folder.path))
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    var random = SplitMix64(state: 11)
    var starts: [(day: Int, name: String)] = []
    for day in 0..<100 {
      for _ in 0..<(random.next() % 9) {
        // Two of them are no longer there.
        let name = "\(min(random.next() % 14, random.next() % 14)).mp3"
        counts.count(.start(name), at: moment(day))
        starts.append((day, name))
        if random.next() % 2 == 0 { #expect(store.write(counts) == .saved) }
        if random.next() % 3 == 0 { counts.forget(store.forgettable) }
        #expect(store.rank(counts, among: tracks) == expected(starts, on: day), "day \(day)")
      }
      guard day % 7 == 0 else { continue }
      _ = store.write(counts)
      store = CountsStore(KeptDatabase(folder: folder.path))
      counts = ListeningCounts(after: try store.read(), seed: 5, at: moment(day))
    }
    guard case .ranked(let names) = expected(starts, on: 99) else { return }
    #expect(names.count > 8 && expected(starts, on: 99) != expected(starts, on: 189))
  }

  @Test("J7: a clock that is set back and forth changes no count of a day")
  func clockSetBack() throws {
    let folder = try TemporaryFolder()
    let store = CountsStore(KeptDatabase(folder: folder.path))
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(50))
    var random = SplitMix64(state: 12)
    var starts: [(day: Int, name: String)] = []
    for step in 0..<300 {
      let (day, name) = (Int(random.next() % 140), "\(random.next() % 12).mp3")
      counts.count(.start(name), at: moment(day))
      starts.append((day, name))
      if random.next() % 3 > 0 { #expect(store.write(counts) == .saved) }
      counts.forget(store.forgettable)
      // More that end than wait for a storage are lost.
      if counts.finished.count > 6 { _ = store.write(counts) }
      #expect(store.rank(counts, among: tracks) == expected(starts, on: day), "step \(step)")
    }
  }

  @Test("J7: without a clock what was counted since the last day counts, and the 90 days are those until that day")
  func noClock() throws {
    let folder = try TemporaryFolder()
    let store = CountsStore(KeptDatabase(folder: folder.path))
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(nil))
    #expect(store.rank(counts, among: tracks) == .ranked([]))
    func powerOn(_ day: Int?, _ names: String...) throws {
      counts = ListeningCounts(after: try store.read(), seed: 5, at: moment(day))
      for name in names { counts.count(.start(name), at: moment(day, at: 90_000)) }
      #expect(store.write(counts) == .saved)
    }
    try powerOn(nil, "5.mp3", "5.mp3", "5.mp3")
    #expect(store.rank(counts, among: tracks) == .ranked(["5.mp3"]))
    try powerOn(0, "6.mp3")
    try powerOn(95, "1.mp3", "2.mp3")
    try powerOn(nil, "2.mp3")
    #expect(store.rank(counts, among: tracks) == .ranked(["2.mp3", "1.mp3"]))
    try powerOn(nil, "3.mp3", "3.mp3", "3.mp3")
    #expect(store.rank(counts, among: tracks) == .ranked(["3.mp3", "2.mp3", "1.mp3"]))
    let next = CountsStore(KeptDatabase(folder: folder.path))
    #expect(next.rank(counts, among: tracks) == .ranked(["3.mp3", "2.mp3", "1.mp3"]))
  }

  @Test("J7: counters that cannot be read are reported, with the reason")
  func unreadable() throws {
    let store = CountsStore(KeptDatabase(folder: "/nowhere/at/all"))
    let counts = ListeningCounts(after: nil, seed: 5, at: moment(0))
    guard case .failed(let reason) = store.rank(counts, among: tracks) else {
      Issue.record("no failure")
      return
    }
    #expect(reason.contains("unable to open database file"))
  }
}
