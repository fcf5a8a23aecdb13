import Files
import Glibc
import Jukebox
import Testing

@testable import KioskTestSupport

/// Recordings that get old. The bench begins at noon of 2026-01-01.
@Suite struct RetentionTests {
  private let bench: RecordingBench
  private let recording = WAVHeader.encode(rate: 8_000, frames: 1) + [1, 2, 3, 4]
  private let month = Duration.seconds(30 * 86_400)

  init() throws { bench = try RecordingBench(retention: month) }

  private func removed(_ name: String) -> RecorderReport { .removed(file: name, error: nil) }

  @Test("C7: at the start, recordings older than the retention are removed, to the second of their names")
  func start() throws {
    let old = ["2025-12-02 11-59-59 2.wav", "2025-12-02 11-59-59.wav"]
    let young = ["2025-12-02 12-00-00.wav", "2026-01-01 11-59-59.wav", "2099-01-01 00-00-00.wav"]
    for name in old + young { try bench.put(recording, in: name) }
    bench.restart()
    #expect(bench.reports == old.map(removed) && bench.names == young)
  }

  @Test("C7: files that are not recordings of ours stay, whatever they are called")
  func foreign() throws {
    let name = "2000-01-01 12-00-00.wav"
    var stereo = recording
    stereo[22] = 1
    try bench.put(stereo, in: name)
    for other in ["2000-01-01.wav", "song.wav", "2000-01-01 12-00-00.mp3", "2000-01-01 12-00-00 copy.wav"] {
      try bench.put(recording, in: other)
    }
    try bench.put(recording, in: "target")
    symlink("target", "\(bench.path)/2000-01-01 12-00-01.wav")
    mkdir("\(bench.path)/2000-01-01 12-00-02.wav", 0o755)
    let before = bench.names
    bench.restart()
    #expect(bench.reports == [] && bench.names == before)
  }

  @Test("N5: while the clock may be wrong nothing is removed, and it is looked at again every hour")
  func unknownClock() throws {
    for name in ["2025-11-01 12-00-00.wav", "2025-11-01 12-00-01 undated.wav", "2025-11-01 12-00-01 undated 2.wav"] {
      try bench.put(recording, in: name)
    }
    bench.wallClock.forget()
    bench.wallClock.advance(days: 365 * 100)
    bench.restart()
    bench.service()
    #expect(bench.reports == [] && bench.names.count == 3)
    bench.wallClock.advance(days: -365 * 100)
    bench.wallClock.set(TimeOfDay(hour: 12, minute: 0))
    bench.pass(.seconds(3_600))
    #expect(bench.reports == [removed("2025-11-01 12-00-00.wav")] && bench.names.count == 2)
  }

  @Test("C7: while the kiosk runs, it looks once a day")
  func daily() throws {
    bench.restart()
    bench.service()
    try bench.put(recording, in: "2025-12-02 13-00-00.wav")
    try bench.put(recording, in: "2025-12-04 13-00-00.wav")
    bench.pass(.seconds(86_400 - 1))
    #expect(bench.reports == [])
    bench.pass(.seconds(1))
    #expect(bench.reports == [removed("2025-12-02 13-00-00.wav")])
    bench.pass(.seconds(2 * 86_400))
    #expect(bench.reports.last == removed("2025-12-04 13-00-00.wav") && bench.services == 4)
  }

  @Test("C7: none is removed while one is recorded, and those that are due are as soon as its end was reported")
  func whileRecording() throws {
    let old = "2025-12-02 13-00-00.wav"
    bench.restart()
    bench.service()
    try bench.put(recording, in: old)
    bench.pass(.seconds(86_400 - 1))
    bench.send(.start, then: .seconds(2))
    let new = "2026-01-02 11-59-59.wav"
    #expect(bench.reports == [.started(file: new)] && bench.names == [".recording", old, new])
    bench.send(.stop)
    // The music waits for this report, and to remove many takes long.
    guard case .stopped(new, _, 0, nil)? = bench.reports.last else {
      Issue.record("\(bench.reports)")
      return
    }
    #expect(bench.names == [old, new])
    bench.pass(.zero)
    #expect(bench.reports.last == removed(old) && bench.names == [new])
  }

  @Test("C7: what is being written or waits for its repair is not removed, and is removed later")
  func inUse() throws {
    let bench = try RecordingBench(retention: .seconds(1))
    let torn = "2000-01-01 12-00-00.wav"
    try bench.put(recording, in: torn)
    try bench.put("\(torn)\n8000\n", in: ".recording")
    bench.storage.truncateFailure = EIO
    bench.restart()
    bench.pass(.seconds(86_400 - 5))
    bench.send(.start)
    // The look a day after the start comes while it is written.
    bench.pass(.seconds(7))
    let name = "2026-01-02 11-59-55.wav"
    #expect(bench.names == [".recording", ".recording-1", torn, name])
    bench.storage.truncateFailure = nil
    bench.send(.stop, then: .seconds(2 * 86_400))
    #expect(bench.names == [])
  }

  @Test("C7: one that cannot be removed is reported, and nothing is removed without the setting")
  func refused() throws {
    let name = "2000-01-01 12-00-00.wav"
    try bench.put(recording, in: name)
    bench.storage.writeFailure = EROFS
    bench.restart()
    #expect(bench.reports == [.removed(file: name, error: "\(bench.path)/\(name): Read-only file system")])
    let keeping = try RecordingBench()
    try keeping.put(recording, in: name)
    keeping.restart()
    keeping.service()
    keeping.pass(.seconds(5 * 86_400))
    #expect(keeping.reports == [] && keeping.names == [name] && keeping.services == 1)
  }
}
