import Files
import Glibc
import Jukebox
import Testing

@testable import KioskTestSupport

/// How recordings begin and end when all is well; `FaultTests` has the rest.
@Suite struct EndingTests {
  private let rate = CountingInput.rate

  @Test("C1, C2: what the input gives between start and stop is in the file, frame by frame, named by the time")
  func startAndStop() throws {
    let bench = try RecordingBench()
    bench.send(.start)
    #expect(bench.reports == [.started(file: RecordingBench.name)])
    #expect(bench.names == [".recording", RecordingBench.name])
    bench.pass(.milliseconds(3_210))
    bench.send(.stop)
    let frames = rate * 3_210 / 1_000
    #expect(bench.reports.last == .stopped(file: RecordingBench.name, frames: frames, lost: 0, fault: nil))
    #expect(bench.reports.count == 2)
    let wav = try bench.wav()
    #expect(wav.frames == frames && wav.isWhole && wav.rate == rate)
    #expect(bench.names == [RecordingBench.name])
    #expect(bench.input.openings == 1 && bench.input.closings == 1)
  }

  @Test("C1: the file has the rate that the device runs at")
  func otherRate() throws {
    let bench = try RecordingBench()
    bench.input.rate = 11_025
    bench.input.speed = 11_025
    bench.send(.start, then: .seconds(2))
    bench.send(.stop)
    let wav = try bench.wav()
    #expect(wav.rate == 11_025 && wav.frames == 22_050 && wav.isWhole)
  }

  @Test("C2: a recording that is stopped at once is a valid file without a frame")
  func empty() throws {
    let bench = try RecordingBench()
    bench.send(.start, .stop)
    #expect(bench.reports.last == .stopped(file: RecordingBench.name, frames: 0, lost: 0, fault: nil))
    #expect(try bench.wav().frames == 0)
  }

  @Test("C1: a second recording in the same second gets a number, and so does one whose name is taken")
  func collisions() throws {
    let bench = try RecordingBench()
    try bench.put("not ours", in: "2026-01-01 12-00-00 2.wav")
    for _ in 0..<3 { bench.send(.start, .stop) }
    let started = bench.reports.compactMap { report in
      if case .started(let file) = report { file } else { nil }
    }
    #expect(started == [RecordingBench.name, "2026-01-01 12-00-00 3.wav", "2026-01-01 12-00-00 4.wav"])
    #expect(try FileAccess.read("\(bench.path)/2026-01-01 12-00-00 2.wav") == Array("not ours".utf8))
    for name in started { #expect(try bench.wav(name).frames == 0) }
  }

  @Test("C1: a start while a recording runs fails, and the recording goes on; a stop without one does nothing")
  func twice() throws {
    let bench = try RecordingBench()
    bench.send(.stop)
    #expect(bench.reports == [])
    bench.send(.start, then: .seconds(1))
    bench.send(.start)
    #expect(bench.reports.last == .failed(reason: "a recording is already running"))
    bench.pass(.seconds(1))
    bench.send(.stop, .stop)
    #expect(bench.reports.count == 3)
    #expect(try bench.wav().frames == 2 * rate)
  }

  @Test("C1: the folder is made, but not the one above it")
  func makesFolder() throws {
    let bench = try RecordingBench(folderName: "new")
    bench.send(.start, .stop)
    #expect(bench.names == [RecordingBench.name])
    bench.removeAll()
    let far = try RecordingBench(folderName: "no/new")
    far.send(.start)
    #expect(far.reports == [.failed(reason: "\(far.path): No such file or directory")])
  }
}

extension RecordingBench {
  func put(_ text: String, in name: String) throws { try put(Array(text.utf8), in: name) }

  func put(_ bytes: [UInt8], in name: String) throws {
    let file = try #require(fopen("\(path)/\(name)", "wb"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  /// Removes the folder with everything in it.
  func removeAll() {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
