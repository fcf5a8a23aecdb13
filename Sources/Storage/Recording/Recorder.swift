import AudioSession
import Board
import BoardFiles
import Files
import Glibc
import Jukebox

/// Records the input into WAV files, one at a time. It belongs to one thread: the recorder's on a board, the
/// simulation's own in virtual time. Every start is answered by exactly one `started` or `failed`, every `started` by
/// exactly one `stopped`, whatever happens in between.
public final class Recorder {
  /// What a recorder runs on.
  public struct Parts {
    public var settings: RecordingSettings
    /// nil: there is nothing to record from.
    public var input: InputDescription?
    public var opener: (any CaptureOpener)?
    /// The rate to ask of the device, Hz.
    public var rate: Int
    public var wallClock: any WallClock

    public init(
      settings: RecordingSettings, input: InputDescription?, opener: (any CaptureOpener)?, rate: Int,
      wallClock: any WallClock
    ) {
      self.settings = settings
      self.input = input
      self.opener = opener
      self.rate = rate
      self.wallClock = wallClock
    }
  }

  /// When `service` wants to be called again, unless a command comes first.
  package enum Wait: Hashable {
    case command
    case until(Instant)
    /// When one of `pollDescriptors` is ready, at the latest then.
    case device(Instant)
  }

  /// Between two calls, at most: a second is all that a power cut may cost (C5).
  private static let pause = Duration.milliseconds(100)
  /// What a card may take to write while nothing is read.
  private static let buffer = Duration.seconds(2)

  private let parts: Parts
  package let folder: RecordingFolder
  private let samples: UnsafeMutableBufferPointer<Int16>
  private var commands: [RecorderCommand] = []
  private var reports: [RecorderReport] = []
  private var take: Take?
  /// The file that was recorded last.
  private var ended: String?

  package convenience init(_ parts: Parts) {
    self.init(parts, storage: parts.settings.folder == nil ? MemoryStorage() : DiskStorage())
  }

  package init(_ parts: Parts, storage: any Storage) {
    self.parts = parts
    folder = RecordingFolder(path: parts.settings.folder ?? "", storage: storage)
    samples = .allocate(capacity: 2 * Take.chunk)
    samples.initialize(repeating: 0)
  }

  /// As after a power cut: what runs is neither ended nor reported.
  deinit {
    take?.pcm.close()
    samples.deallocate()
  }

  var isRecording: Bool { take != nil }

  /// To be polled while `service` waits for the device.
  package var pollDescriptors: [PollDescriptor] { take?.pcm.pollDescriptors ?? [] }

  /// What `poll(2)` answered for `pollDescriptors`.
  package func deviceWoke(_ revents: UnsafeBufferPointer<CShort>) { _ = take?.pcm.isReady(revents) }

  /// The first call of all, at power on: looks after what a power cut has left.
  package func recover() {
    guard let report = folder.recover() else { return }
    // A marker that could not be removed when its recording ended tells nothing new.
    if case .recovered(let file, _) = report, file == ended { return }
    reports.append(report)
  }

  package func post(_ command: RecorderCommand) { commands.append(command) }

  package func takeReports() -> [RecorderReport] {
    defer { reports.removeAll() }
    return reports
  }

  /// Does what is due: obeys, takes what the input has, writes it down. Blocks no longer than the storage does.
  package func service(at now: Instant) -> Wait {
    while !commands.isEmpty {
      switch commands.removeFirst() {
      case .start: start(at: now)
      case .stop: stop(at: now)
      }
    }
    work(at: now)
    return take?.wait(at: now, atMost: Self.pause) ?? .command
  }

  /// Ends what runs, with all that the input has given.
  package func stop(at now: Instant) {
    work(at: now)
    if take != nil { end(nil) }
  }

  // MARK: - Beginning

  private func start(at now: Instant) {
    if take != nil {
      reports.append(.failed(reason: "a recording is already running"))
      return
    }
    // What storage that could not be changed has kept us from, before its marker is written over.
    recover()
    do throws(RecordingFailure) {
      let take = try begin(at: now)
      self.take = take
      reports.append(.started(file: take.file.name))
    } catch {
      reports.append(.failed(reason: error.reason))
    }
  }

  private func begin(at now: Instant) throws(RecordingFailure) -> Take {
    guard let input = parts.input, let opener = parts.opener else {
      throw RecordingFailure(reason: "the board has no input")
    }
    try prepareFolder()
    let pcm: any CapturePCM
    do throws(PCMError) {
      pcm = try opener.open(input: input.port, name: input.pcm, rate: parts.rate, buffer: Self.buffer)
    } catch {
      throw RecordingFailure(reason: error.description)
    }
    let file: RecordingFile
    do throws(StorageError) {
      file = try folder.create(at: parts.wallClock.now, rate: pcm.format.rate)
    } catch {
      pcm.close()
      throw RecordingFailure(reason: error.description)
    }
    do throws(PCMError) {
      // Last of all: until the file is there, nobody would read.
      try pcm.start()
    } catch {
      pcm.close()
      folder.discard(file)
      throw RecordingFailure(reason: error.description)
    }
    return Take(pcm: pcm, file: file, sizeLimit: parts.settings.sizeLimit, at: now)
  }

  private func prepareFolder() throws(RecordingFailure) {
    do throws(StorageError) {
      try folder.storage.makeFolder(folder.path)
      let free = try folder.storage.freeBytes(in: folder.path)
      guard hasRoom(free, rate: parts.rate) else {
        let kept = parts.settings.freeSpaceFloor
        throw StorageError(path: folder.path, code: ENOSPC, detail: "\(free) bytes free, \(kept) stay so")
      }
    } catch {
      throw RecordingFailure(reason: error.description)
    }
  }

  // MARK: - Recording

  private func work(at now: Instant) {
    guard var take else { return }
    guard let base = samples.baseAddress else { return }
    var ending = take.capture(into: base, at: now)
    if ending == nil && take.isSyncDue { ending = sync(take) }
    self.take = take
    if let ending { end(ending) }
  }

  private func sync(_ take: Take) -> TakeEnding? {
    do throws(StorageError) {
      try take.file.sync()
      let free = try folder.storage.freeBytes(in: folder.path)
      return hasRoom(free, rate: take.rate) ? nil : TakeEnding(fault: .diskFull)
    } catch {
      return TakeEnding(error)
    }
  }

  /// Whether another second fits without touching the floor: it would be written before the next look.
  private func hasRoom(_ free: Int, rate: Int) -> Bool {
    free - parts.settings.freeSpaceFloor >= rate * WAVHeader.bytesPerFrame + WAVHeader.bytes
  }

  private func end(_ ending: TakeEnding?) {
    guard let take else { return }
    self.take = nil
    let deviceLost = take.pcm.lostFrames
    take.pcm.close()
    let error = take.file.finish()
    folder.close()
    let frames = take.file.frames
    ended = take.file.name
    reports.append(
      .stopped(
        file: take.file.name, frames: frames, lost: deviceLost + take.taken - frames,
        fault: ending?.fault ?? error.map { TakeEnding($0).fault }))
  }
}

/// Why nothing was recorded.
struct RecordingFailure: Error {
  var reason: String
}
