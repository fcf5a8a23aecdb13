import AudioSession
import Board
import BoardFiles
import Jukebox
import Testing

@testable import KioskTestSupport
@testable import Storage

/// When the recorder reads, writes and sleeps.
@Suite struct PacingTests {
  private let rate = CountingInput.rate

  @Test("C1: a device that always has frames is read no faster than sound goes")
  func unpaced() throws {
    let bench = try RecordingBench()
    bench.input.speed = 0
    bench.send(.start, then: .milliseconds(1_234))
    bench.service()
    #expect(bench.input.read == rate * 1_234 / 1_000)
    bench.send(.stop)
    #expect(try bench.wav().frames == rate * 1_234 / 1_000)
  }

  @Test("C1: a device that signals waiting frames is read at its own pace")
  func fast() throws {
    let bench = try RecordingBench()
    bench.input.polls = true
    bench.input.speed = rate * 101 / 100
    bench.send(.start, then: .seconds(10))
    bench.send(.stop)
    let wav = try bench.wav()
    #expect(wav.frames == 10 * rate * 101 / 100 && wav.isWhole)
  }

  @Test("C1: a device with endless frames does not keep a command waiting for ever")
  func endless() throws {
    let bench = try RecordingBench()
    bench.input.polls = true
    bench.input.speed = 0
    bench.send(.start)
    bench.send(.stop)
    guard case .stopped(_, let frames, 0, nil) = bench.reports.last else {
      Issue.record("\(bench.reports)")
      return
    }
    #expect(frames <= 8 * bench.input.rate)
  }

  @Test("C5: every half second goes to the storage, with its header")
  func syncs() throws {
    let bench = try RecordingBench()
    bench.send(.start)
    for half in 1...20 {
      bench.pass(until: .powerOn + .milliseconds(500 * half))
      #expect(try bench.wav().frames == half * rate / 2)
    }
    // Two more writes: the empty header, and the marker.
    #expect(bench.storage.syncs == 22)
  }

  @Test("C1: while nothing is recorded, nothing wakes the recorder; while it records, ten times a second is enough")
  func sleep() throws {
    let bench = try RecordingBench()
    bench.service()
    #expect(bench.recorder.service(at: bench.clock.now) == .command)
    bench.send(.start)
    let before = bench.services
    bench.pass(.seconds(10))
    #expect(bench.services - before <= 101)
    bench.send(.stop)
    #expect(bench.recorder.service(at: bench.clock.now) == .command)
  }

  @Test("C1: a descriptor that is ready for nothing does not keep the recorder awake")
  func readyForNothing() throws {
    let bench = try RecordingBench()
    bench.input.polls = true
    bench.input.isStuck = true
    bench.send(.start)
    let start = bench.clock.now
    #expect(bench.recorder.service(at: start) == .until(start + .milliseconds(20)))
    bench.input.isStuck = false
    bench.clock.advance(to: start + .milliseconds(20))
    #expect(bench.recorder.service(at: bench.clock.now) == .device(start + .milliseconds(120)))
  }

  @Test("C1: a long sleep of the machine costs nothing that the device still has")
  func late() throws {
    let bench = try RecordingBench()
    bench.send(.start)
    bench.clock.advance(to: .powerOn + .seconds(30))
    bench.send(.stop)
    let wav = try bench.wav()
    #expect(wav.frames == 30 * rate && wav.isWhole)
  }

  @Test("C1: with no folder, frames are counted, and nothing is written")
  func uncounted() throws {
    let bench = try RecordingBench()
    let recorder = Recorder(
      RecorderParts(
        settings: RecordingSettings(), input: InputDescription(port: .microphone, pcm: "mic"), opener: bench.input,
        rate: rate, wallClock: bench.wallClock))
    for _ in 0..<2 {
      recorder.post(.start)
      _ = recorder.service(at: bench.clock.now)
    }
    bench.clock.advance(to: .powerOn + .seconds(2))
    recorder.post(.stop)
    recorder.post(.start)
    _ = recorder.service(at: bench.clock.now)
    #expect(
      recorder.takeReports() == [
        .started(file: RecordingBench.name), .failed(reason: "a recording is already running"),
        .stopped(file: RecordingBench.name, frames: 2 * rate, lost: 0, fault: nil),
        .started(file: "2026-01-01 12-00-02.wav"),
      ])
    #expect(bench.names == [])
  }
}
