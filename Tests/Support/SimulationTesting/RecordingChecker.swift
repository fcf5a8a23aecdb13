import AudioSession
import Files
import Jukebox

/// Checks the file of every recording that the log reports as complete (C rows).
struct RecordingChecker {
  let folder: String
  let rate: Int
  private var running: (file: String, since: Instant)?
  /// Since the recording began, something other than a power cut may have shortened it.
  var isDisturbed = false
  private var cut: (file: String, frames: Int)?

  init(folder: String, rate: Int) {
    self.folder = folder
    self.rate = rate
  }

  mutating func cutPower(at now: Instant) {
    guard let running else { return }
    if !isDisturbed { cut = (running.file, (now - running.since).frames(rate: rate)) }
    self.running = nil
  }

  mutating func check(_ event: Event, at now: Instant) -> Mismatch? {
    if event.name == .recordingStarted {
      running = event["file"].map { ($0, now) }
      isDisturbed = false
    }
    return event.name == .recordingStopped ? checkStop(event) : nil
  }

  private mutating func checkStop(_ event: Event) -> Mismatch? {
    let isCut = event["reason"] == "power-cut"
    if !isCut { running = nil }
    guard let file = event["file"], let frames = event["frames"].flatMap({ Int($0) }) else { return nil }
    if isCut, let cut, cut.file == file, frames < cut.frames - 11 * rate / 10 {
      return Mismatch("C5", "\(cut.frames) frames were recorded before the power cut, \(frames) are left")
    }
    cut = nil
    return frames == 0 && isCut ? nil : checkFile(FileAccess.join(folder, file), frames: frames)
  }

  private func checkFile(_ path: String, frames: Int) -> Mismatch? {
    let row = "C2"
    guard let bytes = try? FileAccess.read(path, atMost: 1 << 28) else {
      return Mismatch(row, "\(path) does not exist")
    }
    if bytes.count != WAVHeader.bytes + frames * WAVHeader.bytesPerFrame {
      return Mismatch(row, "\(path) has \(bytes.count) bytes, which are not \(frames) frames")
    }
    return Array(bytes.prefix(WAVHeader.bytes)) == WAVHeader.encode(rate: rate, frames: frames)
      ? nil : Mismatch(row, "\(path) has a header that is not of \(frames) frames")
  }
}
