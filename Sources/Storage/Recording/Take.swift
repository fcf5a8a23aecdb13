import AudioSession
import Board
import Files
import Jukebox

/// Why a recording ends without a command.
struct TakeEnding: Hashable {
  var fault: RecorderFault

  init(fault: RecorderFault) { self.fault = fault }

  init(_ error: StorageError) { fault = error.isFull ? .diskFull : .writeFailed }
}

/// A running recording: reads a device and appends to a file. The recorder's thread.
struct Take {
  /// The most frames that are read and written at once.
  static let chunk = 8_192
  /// A device that delivers nothing for this long, though it is read regularly, counts as lost.
  private static let silenceLimit = Duration.seconds(5)
  /// After a longer pause between two reads, which a slow storage causes, the device has overrun, and an empty read does
  /// not mean that it is lost.
  private static let longestPause = Duration.seconds(1)
  /// After a read that returned nothing the descriptor may be ready again at once: it is not polled for this long.
  private static let emptyReadPause = Duration.milliseconds(20)

  let pcm: any CapturePCM
  let file: RecordingFile
  /// Frames read from the device.
  private(set) var taken = 0
  private let mostFrames: Int
  private let startedAt: Instant
  private var lastSound: Instant
  private var lastCall: Instant
  /// Whether the last call of `capture` read any frames.
  private var hasGiven = false
  var rate: Int { pcm.format.rate }

  init(pcm: any CapturePCM, file: RecordingFile, sizeLimit: Int, at now: Instant) {
    self.pcm = pcm
    self.file = file
    let limit = (sizeLimit - WAVHeader.bytes) / WAVHeader.bytesPerFrame
    mostFrames = sizeLimit > 0 ? min(max(0, limit), WAVHeader.mostFrames) : WAVHeader.mostFrames
    startedAt = now
    lastSound = now
    lastCall = now
  }

  /// Whether at least half a second of the file is not synced yet.
  var isSyncDue: Bool { file.frames - file.syncedFrames >= rate / 2 }

  /// Reads what the device has and appends it to the file. Returns why the recording ends, nil while it goes on.
  mutating func capture(into samples: UnsafeMutablePointer<Int16>, at now: Instant) -> TakeEnding? {
    if now - lastCall > Self.longestPause { lastSound = now }
    lastCall = now
    let before = taken
    defer { hasGiven = taken > before }
    // Bounded, because commands wait meanwhile and a device might always have more frames.
    var left = isPaced ? 2 * pcm.format.bufferFrames : dueFrames(at: now) - taken
    while true {
      if file.frames >= mostFrames { return TakeEnding(fault: .sizeLimit) }
      let wanted = min(Self.chunk, left, mostFrames - file.frames)
      guard wanted > 0 else { return nil }
      do throws(PCMError) {
        let count = try pcm.read(into: samples, frames: wanted)
        if count <= 0 { return isSilent(at: now) ? TakeEnding(fault: .inputLost) : nil }
        taken += count
        left -= count
        lastSound = now
        if let error = file.append(samples, frames: count).error { return TakeEnding(error) }
      } catch {
        return TakeEnding(fault: .inputLost)
      }
    }
  }

  /// When to call `capture` again.
  func wait(at now: Instant, atMost pause: Duration) -> RecorderWait {
    if isPaced { return hasGiven ? .device(now + pause) : .until(now + Self.emptyReadPause) }
    let next = dueFrames(at: now) + max(1, pause.frames(rate: rate))
    return .until(startedAt + .covering(frames: next, rate: rate))
  }

  /// Whether the device has descriptors that report waiting frames. A device without them may have frames without end,
  /// so it is read no faster than real time.
  private var isPaced: Bool { !pcm.pollDescriptors.isEmpty }

  private func dueFrames(at now: Instant) -> Int { (now - startedAt).frames(rate: rate) }

  private func isSilent(at now: Instant) -> Bool { now - lastSound >= Self.silenceLimit }
}
