import AudioSession
import Board
import Glibc
import Jukebox
import Testing

@testable import JukeboxRuntime

/// Every way in which a recording can begin and end.
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
    bench.send(.start)
    bench.pass(.seconds(2))
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

  @Test("C1: a start while a recording runs fails, and the recording goes on; a stop without one is nothing")
  func twice() throws {
    let bench = try RecordingBench()
    bench.send(.stop)
    #expect(bench.reports == [])
    bench.send(.start)
    bench.pass(.seconds(1))
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

  @Test("C6: where nothing can begin, the reason is told and nothing is left behind")
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
    #expect(try failure { $0.storage.room = 5 } == "DIR/.recording: No space left on device")
    #expect(try failure { $0.storage.room = 60 } == "DIR/\(RecordingBench.name): No space left on device")
    let deaf = try RecordingBench(input: nil)
    deaf.send(.start)
    #expect(deaf.reports == [.failed(reason: "the board has no input")])
  }

  @Test("C6: a device that goes ends the recording with all that it gave")
  func inputLost() throws {
    let bench = try RecordingBench()
    bench.send(.start)
    bench.pass(.milliseconds(1_700))
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

  @Test("C6: a device that gives nothing any more is given up after five seconds")
  func stuck() throws {
    for polls in [false, true] {
      let bench = try RecordingBench()
      bench.input.polls = polls
      bench.send(.start)
      bench.pass(.seconds(1))
      bench.service()
      bench.input.isStuck = true
      bench.pass(.milliseconds(4_500))
      #expect(bench.reports.count == 1)
      bench.pass(.seconds(1))
      #expect(
        bench.reports.last == .stopped(file: RecordingBench.name, frames: rate, lost: 0, fault: .inputLost))
    }
  }

  @Test("C6: the time that a slow storage takes is not held against the device")
  func slowStorage() throws {
    let bench = try RecordingBench()
    bench.send(.start)
    bench.pass(.seconds(1))
    // It has run over, and has nothing when somebody asks at last.
    bench.input.isStuck = true
    bench.clock.advance(to: .powerOn + .seconds(8))
    bench.service()
    #expect(bench.reports.count == 1)
    bench.pass(.milliseconds(4_900))
    #expect(bench.reports.count == 1)
    bench.pass(.milliseconds(200))
    #expect(bench.reports.last == .stopped(file: RecordingBench.name, frames: rate, lost: 0, fault: .inputLost))
  }

  @Test("C6: frames that the device lost are told")
  func overrun() throws {
    let bench = try RecordingBench()
    bench.send(.start)
    bench.pass(.seconds(1))
    bench.input.lostFrames = 77
    bench.send(.stop)
    #expect(bench.reports.last == .stopped(file: RecordingBench.name, frames: rate, lost: 77, fault: nil))
  }

  @Test("C6: a recording ends before it takes the space that is to stay free")
  func floor() throws {
    let bench = try RecordingBench(floor: 1_000_000)
    bench.send(.start)
    bench.pass(.milliseconds(700))
    bench.storage.free = 1_000_000 + rate * 4
    bench.pass(.seconds(2))
    #expect(
      bench.reports.last == .stopped(file: RecordingBench.name, frames: rate, lost: 0, fault: .diskFull))
    #expect(try bench.wav().isWhole)
  }

  @Test("C6: a disk that is full within a frame leaves whole frames and a right header", arguments: 0..<9)
  func fullDisk(extra: Int) throws {
    let bench = try RecordingBench()
    bench.send(.start)
    bench.pass(.milliseconds(550))
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

  @Test("C6: storage that takes nothing any more keeps what it has, and the rest is told as lost")
  func writeFailed() throws {
    for (code, fault) in [(EROFS, RecorderFault.writeFailed), (EIO, .writeFailed), (EDQUOT, .diskFull)] {
      let bench = try RecordingBench()
      bench.send(.start)
      bench.pass(.milliseconds(2_500))
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
    bench.send(.start)
    bench.pass(.milliseconds(2_600))
    bench.storage.syncFailure = EIO
    bench.send(.stop)
    let kept = 5 * rate / 2
    #expect(
      bench.reports.last
        == .stopped(file: RecordingBench.name, frames: kept, lost: rate / 10, fault: .writeFailed))
    let wav = try bench.wav()
    #expect(wav.frames == kept && wav.isWhole)
  }

  @Test("C6: a folder that vanishes ends the recording; nothing of it counts as kept")
  func vanished() throws {
    let bench = try RecordingBench(folderName: "stick")
    bench.send(.start)
    bench.pass(.milliseconds(1_200))
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
    bench.send(.start)
    bench.pass(.seconds(5))
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

extension RecordingBench {
  func put(_ text: String, in name: String) throws { try put(Array(text.utf8), in: name) }

  func put(_ bytes: [UInt8], in name: String) throws {
    guard let file = fopen("\(path)/\(name)", "wb") else { throw TemporaryFolder.Failure() }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw TemporaryFolder.Failure() }
  }

  /// Somebody removes the folder with all that is in it.
  func removeAll() {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
