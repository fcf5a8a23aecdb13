import AudioSession
import Board
import BoardFiles
import CLinux
import Files
import Glibc
import Jukebox
import TestSupport
import Testing

@testable import Firmware
@testable import KioskTestSupport
@testable import Storage

/// The recorder on its real thread and clock. Every step waits for a report, none for time.
@Suite struct RecorderThreadTests {
  private let folder: TemporaryFolder
  private let clock = MonotonicClock(startsNow: true)
  private let input: CountingInput
  private let thread: RecorderThread

  init() throws {
    folder = try TemporaryFolder()
    input = CountingInput(clock: clock)
    let parts = RecorderParts(
      settings: RecordingSettings(folder: folder.path, sizeLimit: 0, freeSpaceFloor: 0),
      input: InputDescription(port: .microphone, pcm: "mic"), opener: input, rate: CountingInput.rate,
      wallClock: SystemWallClock())
    thread = RecorderThread(Recorder(parts), clock: clock)
  }

  private func nextReport() -> RecorderReport? {
    var polled = pollfd(fd: thread.reports.signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    ppoll(&polled, 1, nil, nil)
    return thread.reports.takeAll().first
  }

  private func check(_ report: RecorderReport?, _ name: String) throws {
    guard case .stopped(name, let frames, 0, nil)? = report else {
      Issue.record("\(String(describing: report))")
      return
    }
    let wav = try ParsedWAV("\(folder.path)/\(name)")
    #expect(wav.frames == frames && wav.isWhole)
    #expect(folder.names == [name])
  }

  @Test("C1, C2: start and stop through the thread make a file named by the local time")
  func startAndStop() throws {
    thread.start()
    defer { thread.stop() }
    thread.post(.start)
    guard case .started(let name)? = nextReport() else {
      Issue.record("not started")
      return
    }
    #expect(RecordingFolder.isOurs(name))
    thread.post(.stop)
    try check(nextReport(), name)
  }

  @Test("C2: the end of the program ends the recording, complete and reported")
  func end() throws {
    input.polls = true
    thread.start()
    thread.post(.start)
    guard case .started(let name)? = nextReport() else {
      Issue.record("not started")
      return
    }
    thread.stop()
    try check(thread.reports.takeAll().first, name)
  }

  @Test("C2: a storage that hangs does not hold the end for longer than it is told to wait")
  func hangs() {
    let storage = AwkwardStorage()
    let (isHeld, release) = storage.holdNextWrite()
    let parts = RecorderParts(
      settings: RecordingSettings(folder: folder.path, sizeLimit: 0, freeSpaceFloor: 0),
      input: InputDescription(port: .microphone, pcm: "mic"), opener: input, rate: CountingInput.rate,
      wallClock: SystemWallClock())
    let thread = RecorderThread(Recorder(parts, storage: storage), clock: clock)
    thread.start()
    thread.post(.start)
    isHeld.wait()
    let began = ContinuousClock.now
    #expect(!thread.stop(within: .zero) && ContinuousClock.now - began < .seconds(5))
    release.post()
    // It still ends the recording, before the folder goes.
    var polled = pollfd(fd: thread.reports.signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    var reports: [RecorderReport] = []
    while reports.count < 2, poll(&polled, 1, 20_000) > 0 { reports += thread.reports.takeAll() }
    #expect(reports.count == 2)
  }

  @Test("C5: what a power cut has left is recovered before the first command")
  func recovery() throws {
    let name = RecordingBench.name
    let frames: [Int16] = (0..<10).flatMap { [Int16($0), 0] }
    let bytes = WAVHeader.encode(rate: 8_000, frames: 0) + frames.withUnsafeBytes { Array($0) } + [1]
    for (file, bytes) in [(name, bytes), (".recording", Array("\(name)\n8000\n".utf8))] {
      let descriptor = open("\(folder.path)/\(file)", O_WRONLY | O_CREAT, 0o600)
      #expect(write(descriptor, bytes, bytes.count) == bytes.count)
      close(descriptor)
    }
    thread.start()
    thread.post(.start)
    #expect(nextReport() == .recovered(file: name, frames: 10))
    thread.stop()
    #expect(try ParsedWAV("\(folder.path)/\(name)").isWhole)
  }
}
