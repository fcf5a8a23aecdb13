import AudioSession
import Glibc
import Jukebox
import Testing

@testable import KioskTestSupport

/// Every way in which a recording does not begin, or ends by itself.
@Suite struct FaultTests {
  private let rate = CountingInput.rate

  @Test("C6: a recording that cannot begin reports the reason and leaves nothing behind")
  func cannotBegin() throws {
    func failure(_ prepare: (RecordingBench) -> Void) throws -> String? {
      let bench = try RecordingBench()
      prepare(bench)
      bench.send(.start)
      #expect(bench.names == [] && bench.reports.count == 1)
      #expect(bench.input.openings == bench.input.closings)
      guard case .failed(let reason) = bench.reports.first else { return nil }
      return reason.replacing(bench.path, with: "DIR")
    }
    #expect(try failure { $0.input.refusesToOpen = true } == "mic: open: No such device")
    #expect(try failure { $0.input.refusesToStart = true } == "mic: start: No such device")
    #expect(try failure { $0.storage.createFailure = EROFS } == "DIR/\(RecordingBench.name): Read-only file system")
    #expect(try failure { $0.storage.createFailure = EACCES } == "DIR/\(RecordingBench.name): Permission denied")
    #expect(
      try failure { $0.storage.free = 1_100 } == "DIR: No space left on device (1100 bytes free, 1000 stay so)")
    #expect(try failure { $0.storage.room = 5 } == "DIR/\(RecordingBench.name): No space left on device")
    #expect(try failure { $0.storage.room = 60 } == "DIR/\(RecordingBench.name): No space left on device")
    let deaf = try RecordingBench(input: nil)
    deaf.send(.start)
    #expect(deaf.reports == [.failed(reason: "the board has no input")])
  }

  @Test("C6: a lost device ends the recording with everything that it delivered")
  func inputLost() throws {
    let bench = try RecordingBench()
    bench.send(.start, then: .milliseconds(1_700))
    bench.input.isLost = true
    bench.pass(.milliseconds(200))
    let frames = bench.input.read
    #expect(bench.reports.last == .stopped(file: RecordingBench.name, frames: frames, lost: 0, fault: .inputLost))
    let wav = try bench.wav()
    #expect(wav.frames == frames && frames >= rate * 16 / 10 && wav.isWhole)
    #expect(bench.names == [RecordingBench.name])
    bench.input.isLost = false
    bench.send(.start)
    #expect(bench.reports.last == .started(file: "2026-01-01 12-00-01.wav"))
  }

  @Test("C6: a device that delivers nothing counts as lost after five seconds")
  func stuck() throws {
    for polls in [false, true] {
      let bench = try RecordingBench()
      bench.input.polls = polls
      bench.send(.start, then: .seconds(1))
      bench.service()
      bench.input.isStuck = true
      bench.pass(.milliseconds(4_500))
      #expect(bench.reports.count == 1)
      bench.pass(.seconds(1))
      #expect(
        bench.reports.last == .stopped(file: RecordingBench.name, frames: rate, lost: 0, fault: .inputLost))
    }
  }

  @Test("C6: the time that a slow storage takes does not count as silence of the device")
  func slowStorage() throws {
    let bench = try RecordingBench()
    bench.send(.start, then: .seconds(1))
    // It has overrun, and has nothing when it is read at last.
    bench.input.isStuck = true
    bench.clock.advance(to: .powerOn + .seconds(8))
    bench.service()
    #expect(bench.reports.count == 1)
    bench.pass(.milliseconds(4_900))
    #expect(bench.reports.count == 1)
    bench.pass(.milliseconds(200))
    #expect(bench.reports.last == .stopped(file: RecordingBench.name, frames: rate, lost: 0, fault: .inputLost))
  }

  @Test("C6: frames that the device lost are reported")
  func overrun() throws {
    let bench = try RecordingBench()
    bench.send(.start, then: .seconds(1))
    bench.input.lostFrames = 77
    bench.send(.stop)
    #expect(bench.reports.last == .stopped(file: RecordingBench.name, frames: rate, lost: 77, fault: nil))
  }

  @Test("C6: a recording ends before it uses the space that must stay free")
  func floor() throws {
    let bench = try RecordingBench(floor: 1_000_000)
    bench.send(.start, then: .milliseconds(700))
    bench.storage.free = 1_000_000 + rate * 4
    bench.pass(.seconds(2))
    #expect(
      bench.reports.last == .stopped(file: RecordingBench.name, frames: rate, lost: 0, fault: .diskFull))
    #expect(try bench.wav().isWhole)
  }

  @Test("C6: a disk that is full within a frame leaves whole frames and a right header", arguments: 0..<9)
  func fullDisk(extra: Int) throws {
    let bench = try RecordingBench()
    bench.send(.start, then: .milliseconds(550))
    bench.storage.room = 4_000 + extra
    bench.pass(.seconds(2))
    guard case .stopped(_, let frames, let lost, .diskFull) = bench.reports.last else {
      Issue.record("\(bench.reports)")
      return
    }
    #expect(frames == (rate / 2 + 1_000 + extra / 4))
    #expect(frames + lost == bench.input.read && lost > 0)
    let wav = try bench.wav()
    #expect(wav.frames == frames && wav.isWhole)
    #expect(bench.names == [RecordingBench.name])
  }

  @Test("C6: when storage takes no more, what it has is kept and the rest is reported as lost")
  func writeFailed() throws {
    for (code, fault) in [(EROFS, RecorderFault.writeFailed), (EIO, .writeFailed), (EDQUOT, .diskFull)] {
      let bench = try RecordingBench()
      bench.send(.start, then: .milliseconds(2_500))
      bench.storage.writeFailure = code
      bench.pass(.seconds(1))
      let lost = bench.input.read - 5 * rate / 2
      #expect(
        bench.reports.last == .stopped(file: RecordingBench.name, frames: 5 * rate / 2, lost: lost, fault: fault))
      #expect(try bench.wav().isWhole)
      #expect(bench.input.closings == 1)
    }
  }

  @Test("C6: what could not be synced does not count as kept")
  func syncFailed() throws {
    let bench = try RecordingBench()
    bench.send(.start, then: .milliseconds(2_600))
    bench.storage.syncFailure = EIO
    bench.send(.stop)
    let kept = 5 * rate / 2
    #expect(
      bench.reports.last
        == .stopped(file: RecordingBench.name, frames: kept, lost: rate / 10, fault: .writeFailed))
    let wav = try bench.wav()
    #expect(wav.frames == kept && wav.isWhole)
  }

  @Test("C6: what a sync has failed to write while it recorded does not count as kept, though the next sync succeeds")
  func syncFailedOnce() throws {
    let bench = try RecordingBench()
    bench.send(.start, then: .milliseconds(2_600))
    bench.storage.syncFailuresLeft = 1
    bench.pass(.seconds(1))
    let kept = 5 * rate / 2
    let lost = bench.input.read - kept
    #expect(
      bench.reports.last == .stopped(file: RecordingBench.name, frames: kept, lost: lost, fault: .writeFailed))
    #expect(bench.storage.syncFailuresLeft == 0 && lost >= rate / 2)
    let wav = try bench.wav()
    #expect(wav.frames == kept && wav.isWhole)
  }

  @Test("C6: a folder that vanishes ends the recording; nothing of it counts as kept")
  func vanished() throws {
    let bench = try RecordingBench(folderName: "stick")
    bench.send(.start, then: .milliseconds(1_200))
    bench.removeAll()
    bench.pass(.seconds(1))
    let read = bench.input.read
    #expect(
      bench.reports.last == .stopped(file: RecordingBench.name, frames: 0, lost: read, fault: .writeFailed))
    bench.send(.start)
    #expect(bench.reports.last == .started(file: "2026-01-01 12-00-02.wav"))
    bench.send(.stop)
    bench.removeAll()
  }

  @Test("C6: the size limit ends a recording at the last whole frame below it", arguments: [48, 100_000, 100_003])
  func sizeLimit(bytes: Int) throws {
    let bench = try RecordingBench(sizeLimit: bytes)
    bench.send(.start, then: .seconds(5))
    let frames = (bytes - 44) / 4
    #expect(
      bench.reports.last == .stopped(file: RecordingBench.name, frames: frames, lost: 0, fault: .sizeLimit))
    let wav = try bench.wav()
    #expect(wav.frames == frames && wav.isWhole)
    bench.send(.stop)
    #expect(bench.reports.count == 2)
  }

  @Test("C6: a limit that leaves no room for a frame ends the recording at once")
  func noRoom() throws {
    let bench = try RecordingBench(sizeLimit: 10)
    bench.send(.start)
    #expect(bench.reports.last == .stopped(file: RecordingBench.name, frames: 0, lost: 0, fault: .sizeLimit))
    #expect(try bench.wav().frames == 0)
  }
}
