import AudioSession
import Board
import BoardFiles
import Files
import Glibc
import Jukebox

/// The settings, device and clock of a recorder.
public struct RecorderParts {
  public var settings: RecordingSettings
  /// nil where the board has no input.
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

/// When `Recorder.service` must be called again, unless a command comes first.
package enum RecorderWait: Hashable {
  case command
  case until(Instant)
  /// When one of `pollDescriptors` is ready, and at that instant at the latest.
  case device(Instant)
}

/// Records the input into WAV files, one at a time. It belongs to one thread: the recorder thread on a board, the
/// simulation's own in virtual time. Every start leads to exactly one `started` or `failed` report, and every `started`
/// to exactly one `stopped`, whatever happens in between.
public final class Recorder {
  /// The longest pause between two calls of `service`: a power cut may cost one second at most (C5).
  private static let pause = Duration.milliseconds(100)
  /// The device's buffer. It must last while a slow storage keeps the recorder from reading.
  private static let buffer = Duration.seconds(2)
  /// How often old recordings are looked for.
  private static let day = Duration.seconds(86_400)
  /// How often they are looked for while the clock may be wrong.
  private static let hour = Duration.seconds(3_600)

  private let parts: RecorderParts
  package let folder: RecordingFolder
  private let samples: UnsafeMutableBufferPointer<Int16>
  private var commands: [RecorderCommand] = []
  private var reports: [RecorderReport] = []
  private var take: Take?
  /// The name of the last finished recording.
  private var ended: String?
  private var repairs = RepairSchedule()
  /// When to look for old recordings again; nil: they are kept.
  private var nextRemoval: Instant?

  package convenience init(_ parts: RecorderParts) {
    self.init(parts, storage: parts.settings.folder == nil ? MemoryStorage() : DiskStorage())
  }

  package init(_ parts: RecorderParts, storage: any Storage) {
    self.parts = parts
    folder = RecordingFolder(path: parts.settings.folder ?? "", storage: storage)
    samples = .allocate(capacity: 2 * Take.chunk)
    samples.initialize(repeating: 0)
  }

  /// Leaves a running recording as a power cut would: neither finished nor reported.
  deinit {
    take?.pcm.close()
    samples.deallocate()
  }

  /// The descriptors to poll while `service` waits for the device.
  package var pollDescriptors: [PollDescriptor] { take?.pcm.pollDescriptors ?? [] }

  /// Passes on the events that `poll(2)` returned for `pollDescriptors`.
  package func deviceWoke(_ revents: UnsafeBufferPointer<CShort>) { _ = take?.pcm.isReady(revents) }

  /// Repairs the recordings that power cuts interrupted. Must be the first call after power on. What the storage does not
  /// let be repaired is tried again, later and later, and before the next recording begins. Then removes old recordings,
  /// now and once a day.
  package func recover(at now: Instant) {
    let found = folder.recover().filter { report in
      // The marker of a finished recording could not be removed; that recording was reported already.
      if case .recovered(let file, _) = report { file != ended } else { true }
    }
    reports += repairs.note(found, at: now)
    if nextRemoval == nil { removeOld(at: now) }
  }

  private func removeOld(at now: Instant) {
    guard let retention = parts.settings.retention else { return }
    // A clock that is wrong would have them all removed.
    guard parts.wallClock.trust == .synchronised else {
      nextRemoval = now + Self.hour
      return
    }
    nextRemoval = now + Self.day
    let limit = parts.wallClock.now.earlier(by: Int(retention.components.seconds))
    reports += folder.removeRecordings(before: limit.fileStamp, but: repairs.waiting)
  }

  package func post(_ command: RecorderCommand) { commands.append(command) }

  package func takeReports() -> [RecorderReport] {
    defer { reports.removeAll() }
    return reports
  }

  /// Obeys the commands, reads the input and writes it to the file. Blocks no longer than the storage does.
  package func service(at now: Instant) -> RecorderWait {
    while !commands.isEmpty {
      switch commands.removeFirst() {
      case .start: start(at: now)
      case .stop: stop(at: now)
      }
    }
    // While there is something to report, this waits for the next call, which follows at once: the music waits for the
    // report of an end. The marker of a recording that runs is not left over.
    if take == nil, reports.isEmpty, let due = repairs.due, due <= now { recover(at: now) }
    // To remove many may take longer than the buffer of the device lasts.
    if take == nil, reports.isEmpty, let due = nextRemoval, due <= now { removeOld(at: now) }
    work(at: now)
    let due = [repairs.due, nextRemoval].compactMap { $0 }.min()
    return take?.wait(at: now, atMost: Self.pause) ?? due.map { .until($0) } ?? .command
  }

  /// Ends a running recording with everything that the input has delivered.
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
    // At power on the storage may have been read-only. Repair now, before the marker is overwritten.
    recover(at: now)
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
      file = try folder.create(
        at: parts.wallClock.now, isKnown: parts.wallClock.trust > .unknown, rate: pcm.format.rate)
    } catch {
      pcm.close()
      throw RecordingFailure(reason: error.description)
    }
    do throws(PCMError) {
      // The device starts last: nothing reads it until the file exists.
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

  /// Whether another second of sound fits above `freeSpaceFloor`: that much is written before the next check.
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

/// Why a recording could not begin.
struct RecordingFailure: Error {
  var reason: String
}
