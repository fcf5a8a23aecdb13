import AudioSession
import Board
import BoardFiles
import Files
import Glibc
import Jukebox
import TestSupport
import Testing

@testable import KioskTestSupport
@testable import Simulator
@testable import Storage

/// Recordings after a power cut.
@Suite struct PowerCutTests {
  private let rate = CountingInput.rate
  private let name = RecordingBench.name

  @Test("C5: a power cut at any moment costs less than a second, and the rest is a valid file")
  func anyMoment() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      let moment = Duration.milliseconds(Int.random(in: 0...4_000, using: &random))
      let cut = try Cut(after: moment)
      let given = cut.input.read
      let reports = cut.recover()
      guard case .recovered(name, let frames)? = reports.first else {
        // Before the first half second, the file holds nothing.
        #expect(reports == [] && moment < .seconds(1), "\(moment): \(reports)")
        continue
      }
      #expect(frames <= given && given - frames < rate, "\(moment)")
      #expect(FileAccess.names(in: cut.folder.path).contains(".recording") == false)
      if frames == 0 { continue }
      let wav = try ParsedWAV("\(cut.folder.path)/\(name)")
      #expect(wav.frames == frames && wav.isWhole, "\(moment)")
    }
  }

  /// A recorder on storage that loses what was not synced, with a power cut after some time.
  private final class Cut {
    let folder: TemporaryFolder
    let input: CountingInput
    private let parts: RecorderParts
    private let storage = SimulatedStorage(on: DiskStorage())

    init(after moment: Duration) throws {
      folder = try TemporaryFolder()
      let clock = VirtualClock()
      input = CountingInput(clock: clock)
      parts = RecorderParts(
        settings: RecordingSettings(folder: folder.path, sizeLimit: 0, freeSpaceFloor: 0),
        input: InputDescription(port: .microphone, pcm: "mic"), opener: input, rate: CountingInput.rate,
        wallClock: VirtualWallClock(clock: clock))
      let recorder = Recorder(parts, storage: storage)
      recorder.post(.start)
      var wait = recorder.service(at: clock.now)
      while case .until(let next) = wait, next <= .powerOn + moment {
        clock.advance(to: next)
        wait = recorder.service(at: clock.now)
      }
      storage.cutPower()
    }

    func recover() -> [RecorderReport] {
      let recorder = Recorder(parts, storage: storage)
      recorder.recover(at: .powerOn)
      return recorder.takeReports()
    }
  }

  @Test("C5: killed between any two changes of the storage, it leaves whole files and no marker after the next start")
  func killed() throws {
    for changes in 0..<40 {
      let bench = try RecordingBench()
      bench.storage.changesLeft = changes
      bench.send(.start, then: .seconds(2))
      bench.send(.stop)
      bench.storage.changesLeft = .max
      bench.restart()
      let names = FileAccess.names(in: bench.path).filter { $0 != "." && $0 != ".." }
      #expect(names == [] || names == [name], "\(changes)")
      if names == [name] { #expect(try bench.wav().isWhole, "\(changes)") }
    }
  }

  @Test("C5: a file that breaks off anywhere is cut to whole frames, whatever its header says", arguments: 0..<70)
  func torn(size: Int) throws {
    let bench = try RecordingBench()
    let frames: [Int16] = (0..<10).flatMap { [Int16($0), 0] }
    let whole = WAVHeader.encode(rate: 8_000, frames: 1_000) + frames.withUnsafeBytes { Array($0) }
    try bench.put(Array(whole.prefix(size)), in: name)
    try bench.put("\(name)\n8000\n", in: ".recording")
    bench.restart()
    let kept = max(0, (size - 44) / 4)
    #expect(bench.reports == [.recovered(file: name, frames: kept)])
    #expect(bench.names == (kept == 0 ? [] : [name]))
    if kept > 0 {
      let wav = try bench.wav()
      #expect(wav.frames == kept && wav.isWhole && wav.rate == 8_000)
    }
    bench.restart()
    #expect(bench.reports == [])
  }

  @Test("C5: a header that never reached the storage is made anew with the rate in the marker")
  func lostHeader() throws {
    let bench = try RecordingBench()
    try bench.put([UInt8](repeating: 0, count: 44 + 403), in: name)
    try bench.put("\(name)\n22050\n", in: ".recording")
    bench.restart()
    #expect(bench.reports == [.recovered(file: name, frames: 100)])
    #expect(try bench.wav().rate == 22_050)
  }

  @Test(
    "C5: a marker that is not ours does no harm",
    arguments: [
      "", "\n", "garbage", "../outside.wav\n8000\n", "/etc/passwd\n", ".recording\n", "other.wav\n8000\n",
      "2026-01-01 12-00-00.wav/../other.wav\n8000\n", "2026-01-01 12-00-00 foreign.wav\n8000\n", "\u{0}\u{1}\u{7f}",
      "2026-01-01 12-00-00 2.wav\n8000\n", "2026-01-01 12-00-07.wav\n8000\n", "2026-01-01 12-00-00\n8000\n",
    ])
  func foreignMarker(text: String) throws {
    let bench = try RecordingBench(folderName: "recordings")
    mkdir(bench.path, 0o755)
    defer { bench.removeAll() }
    // A WAV of another program, and a text, under names that a marker might contain.
    var foreign = WAVHeader.encode(rate: 8_000, frames: 3) + [UInt8](repeating: 7, count: 21)
    foreign[22] = 1
    let files = ["other.wav", "2026-01-01 12-00-00 foreign.wav", "2026-01-01 12-00-00 2.wav", "../outside.wav"]
    for file in files { try bench.put(foreign, in: file) }
    defer { unlink("\(bench.path)/../outside.wav") }
    try bench.put(text, in: ".recording")
    bench.restart()
    #expect(bench.reports == [])
    for file in files { #expect(try FileAccess.read("\(bench.path)/\(file)") == foreign) }
    #expect(bench.names == files.dropLast().sorted())
  }

  @Test("C5: a link in place of the recording is not followed")
  func link() throws {
    let bench = try RecordingBench()
    let outside = WAVHeader.encode(rate: 8_000, frames: 3) + [UInt8](repeating: 7, count: 21)
    try bench.put(outside, in: "target")
    symlink("target", "\(bench.path)/\(name)")
    try bench.put("\(name)\n8000\n", in: ".recording")
    bench.restart()
    #expect(bench.reports == [])
    #expect(try FileAccess.read("\(bench.path)/target") == outside)
  }

  @Test("C5: a marker that outlives its recording does not report a power cut")
  func staleMarker() throws {
    let bench = try RecordingBench()
    bench.send(.start, then: .seconds(1))
    bench.storage.writeFailure = EROFS
    bench.pass(.seconds(1))
    #expect(bench.reports.count == 2 && bench.names.contains(".recording"))
    bench.storage.writeFailure = nil
    bench.send(.start)
    #expect(bench.reports.last == .started(file: "2026-01-01 12-00-02.wav"))
    #expect(bench.reports.count == 3)
  }

  @Test("C5: without a folder, the counting survives a power cut as far as it would have on storage")
  func memory() throws {
    let clock = VirtualClock()
    let storage = SimulatedStorage(on: MemoryStorage())
    let parts = RecorderParts(
      settings: RecordingSettings(), input: InputDescription(port: .microphone, pcm: "mic"),
      opener: CountingInput(clock: clock), rate: rate, wallClock: VirtualWallClock(clock: clock))
    let recorder = Recorder(parts, storage: storage)
    recorder.post(.start)
    _ = recorder.service(at: clock.now)
    for tenth in 1...13 {
      clock.advance(to: .powerOn + .milliseconds(100 * tenth))
      _ = recorder.service(at: clock.now)
    }
    storage.cutPower()
    let next = Recorder(parts, storage: storage)
    next.recover(at: clock.now)
    #expect(next.takeReports() == [.recovered(file: name, frames: rate)])
  }
}
