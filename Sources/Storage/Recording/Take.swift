import AudioSession
import Board
import Files
import Jukebox

/// Why a recording ends by itself.
struct TakeEnding: Hashable {
  var fault: RecorderFault

  init(fault: RecorderFault) { self.fault = fault }

  init(_ error: StorageError) { fault = error.isFull ? .diskFull : .writeFailed }
}

/// One recording that runs: from a device into a file.
struct Take {
  /// Frames that are read and written in one go.
  static let chunk = 8_192
  /// A device that has given nothing for so long, though it was asked, is as good as gone.
  private static let patience = Duration.seconds(5)
  /// Who asks less often was held up by the storage, and the device has run over meanwhile: that it has nothing just now
  /// says nothing about it.
  private static let longestPause = Duration.seconds(1)
  /// A descriptor that was ready for nothing may be so again at once: it is left alone for this long.
  private static let rest = Duration.milliseconds(20)

  let pcm: any CapturePCM
  let file: RecordingFile
  /// Frames that came from the device.
  private(set) var taken = 0
  private let mostFrames: Int
  private let startedAt: Instant
  private var lastSound: Instant
  private var lastLook: Instant
  /// Whether the last look has brought anything.
  private var hasGiven = false
  var rate: Int { pcm.format.rate }

  init(pcm: any CapturePCM, file: RecordingFile, sizeLimit: Int, at now: Instant) {
    self.pcm = pcm
    self.file = file
    let limit = (sizeLimit - WAVHeader.bytes) / WAVHeader.bytesPerFrame
    mostFrames = sizeLimit > 0 ? min(max(0, limit), WAVHeader.mostFrames) : WAVHeader.mostFrames
    startedAt = now
    lastSound = now
    lastLook = now
  }

  /// Half a second is not on the storage yet.
  var isSyncDue: Bool { file.frames - file.syncedFrames >= rate / 2 }

  /// Takes what the device has and appends it to the file; says why that was the last time, if it was.
  mutating func capture(into samples: UnsafeMutablePointer<Int16>, at now: Instant) -> TakeEnding? {
    if now - lastLook > Self.longestPause { lastSound = now }
    lastLook = now
    let before = taken
    defer { hasGiven = taken > before }
    // Not for ever, should a device not know an end: commands wait meanwhile.
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

  /// When to look again.
  func wait(at now: Instant, atMost pause: Duration) -> Recorder.Wait {
    if isPaced { return hasGiven ? .device(now + pause) : .until(now + Self.rest) }
    let next = dueFrames(at: now) + max(1, pause.frames(rate: rate))
    return .until(startedAt + .covering(frames: next, rate: rate))
  }

  /// Whether the device itself tells when frames wait. One that only time can tell about may have frames without end:
  /// it is read no faster than sound goes.
  private var isPaced: Bool { !pcm.pollDescriptors.isEmpty }

  private func dueFrames(at now: Instant) -> Int { (now - startedAt).frames(rate: rate) }

  private func isSilent(at now: Instant) -> Bool { now - lastSound >= Self.patience }
}
