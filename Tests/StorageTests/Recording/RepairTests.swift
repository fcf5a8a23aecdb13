import Files
import Glibc
import Jukebox
import Testing

@testable import KioskTestSupport

/// Recordings that the storage does not let be repaired at once.
@Suite struct RepairTests {
  private let bench: RecordingBench
  private let old = "2025-12-31 12-00-00.wav"

  init() throws {
    bench = try RecordingBench()
    try bench.put(WAVHeader.encode(rate: 8_000, frames: 0) + [1, 2, 3, 4, 5], in: old)
    try bench.put("\(old)\n8000\n", in: ".recording")
  }

  private func unrepaired(_ code: CInt) -> RecorderReport {
    .unrepaired(file: old, reason: "\(bench.path)/\(old): \(String(cString: strerror(code)))")
  }

  enum Refusal: CaseIterable { case readOnly, truncating, writing, syncing, opening }

  private func refuse(_ refusal: Refusal?) -> CInt {
    bench.storage.writeFailure = refusal == .readOnly ? EROFS : nil
    bench.storage.truncateFailure = refusal == .truncating ? EIO : nil
    bench.storage.overwriteFailure = refusal == .writing ? ENOSPC : nil
    bench.storage.syncFailure = refusal == .syncing ? EIO : nil
    bench.storage.openFailure = refusal == .opening ? (old, EMFILE) : nil
    return switch refusal {
    case .readOnly: EROFS
    case .truncating, .syncing: EIO
    case .writing: ENOSPC
    case .opening: EMFILE
    case nil: 0
    }
  }

  @Test(
    "C5: a repair that meets an error is reported and leaves the marker to the next start", arguments: Refusal.allCases)
  func nextStart(refusal: Refusal) throws {
    let code = refuse(refusal)
    bench.restart()
    #expect(bench.reports == [unrepaired(code)] && bench.names == [".recording", old])
    _ = refuse(nil)
    bench.restart()
    #expect(bench.reports == [.recovered(file: old, frames: 1)] && bench.names == [old])
    #expect(try bench.wav(old).frames == 1)
  }

  @Test(
    "C5: while the kiosk runs, the repair is tried again a minute later, two, four, up to an hour, and reported once")
  func backOff() throws {
    _ = refuse(.truncating)
    bench.restart()
    bench.service()
    bench.pass(.seconds(10 * 3_600))
    #expect(bench.reports == [unrepaired(EIO)])
    #expect(bench.services == 1 + 6 + 8)
    _ = refuse(.writing)
    bench.pass(.seconds(3_600))
    #expect(bench.reports == [unrepaired(EIO), unrepaired(ENOSPC)])
    _ = refuse(nil)
    bench.pass(.seconds(3_600))
    #expect(bench.reports.last == .recovered(file: old, frames: 1) && bench.reports.count == 3)
    let services = bench.services
    bench.pass(.seconds(10 * 3_600))
    #expect(bench.services == services)
  }

  @Test("C5: the repair is tried before the next recording begins")
  func beforeTheNext() throws {
    _ = refuse(.truncating)
    bench.restart()
    _ = refuse(nil)
    bench.send(.start)
    #expect(
      Array(bench.reports.dropFirst()) == [.recovered(file: old, frames: 1), .started(file: RecordingBench.name)])
  }

  @Test("C5: a repair that falls due while another one is recorded is tried as soon as its end was reported")
  func afterTheEnd() throws {
    _ = refuse(.opening)
    bench.restart()
    bench.send(.start, then: .seconds(200))
    _ = refuse(nil)
    bench.send(.stop)
    guard case .stopped(RecordingBench.name, _, 0, nil)? = bench.reports.last else {
      Issue.record("\(bench.reports)")
      return
    }
    bench.pass(.zero)
    #expect(bench.reports.last == .recovered(file: old, frames: 1))
  }

  @Test(
    "C5: a recording that still cannot be repaired does not keep others from being made, and is not given up for them")
  func beside() throws {
    bench.storage.openFailure = (old, EIO)
    bench.restart()
    for _ in 0..<2 {
      bench.send(.start, then: .seconds(100))
      #expect(bench.names.contains(".recording") && bench.names.contains(".recording-1"))
      bench.send(.stop)
    }
    #expect(bench.reports.count == 5 && bench.reports.first == unrepaired(EIO))
    bench.storage.openFailure = nil
    bench.restart()
    #expect(bench.reports == [.recovered(file: old, frames: 1)])
    #expect(bench.names.filter { $0.hasPrefix(".") } == [])
  }

  @Test("C5: a marker that cannot be read is kept")
  func unreadableMarker() throws {
    bench.storage.openFailure = (".recording", EIO)
    bench.restart()
    #expect(bench.reports == [.unrepaired(file: ".recording", reason: "\(bench.path)/.recording: Input/output error")])
    // A new one takes neither its marker nor its name.
    bench.send(.start)
    #expect(bench.names.contains(".recording-1"))
    bench.send(.stop)
    bench.storage.openFailure = nil
    bench.restart()
    #expect(bench.reports == [.recovered(file: old, frames: 1)])
  }

  @Test("C5: with nine recordings that cannot be repaired, others are made all the same, and the newest is given up")
  func tooMany() throws {
    let eighth = "2024-12-31 12-00-00.wav"
    try bench.put(WAVHeader.encode(rate: 8_000, frames: 0) + [1, 2, 3, 4, 5], in: eighth)
    for number in 1...8 { try bench.put("\(number == 8 ? eighth : old)\n8000\n", in: ".recording-\(number)") }
    bench.storage.openFailure = ("-12-31 12-00-00.wav", EIO)
    bench.restart()
    bench.send(.start)
    #expect(bench.reports.last == .started(file: RecordingBench.name))
    bench.send(.stop)
    bench.storage.openFailure = nil
    bench.restart()
    #expect(Set(bench.reports) == [.recovered(file: old, frames: 1)])
    #expect(try bench.names.sorted() == [eighth, old, RecordingBench.name] && bench.wav(old).frames == 1)
  }
}
