import AudioSession
import Files
import Jukebox

/// The recordings: every one that the log calls complete is (C rows).
struct Tapes {
  let folder: String
  let rate: Int
  private var running: (file: String, since: Instant)?
  /// Something else than a power cut was in the way since it began.
  var isDisturbed = false
  private var cut: (file: String, frames: Int)?

  init(folder: String, rate: Int) {
    self.folder = folder
    self.rate = rate
  }

  mutating func powerCut(at now: Instant) {
    guard let running else { return }
    if !isDisturbed { cut = (running.file, (now - running.since).frames(rate: rate)) }
    self.running = nil
  }

  mutating func objection(to event: Event, at now: Instant) -> Objection? {
    if event.name == .recordingStarted {
      running = event["file"].map { ($0, now) }
      isDisturbed = false
    }
    return event.name == .recordingStopped ? stopped(event) : nil
  }

  private mutating func stopped(_ event: Event) -> Objection? {
    let isCut = event["reason"] == "power-cut"
    if !isCut { running = nil }
    guard let file = event["file"], let frames = event["frames"].flatMap({ Int($0) }) else { return nil }
    if isCut, let cut, cut.file == file, frames < cut.frames - 11 * rate / 10 {
      return Objection("C5", "\(cut.frames) frames were recorded before the power cut, \(frames) are left")
    }
    cut = nil
    return frames == 0 && isCut ? nil : check(FileAccess.join(folder, file), frames: frames)
  }

  private func check(_ path: String, frames: Int) -> Objection? {
    let row = "C2"
    guard let bytes = try? FileAccess.read(path, atMost: 1 << 28) else { return Objection(row, "\(path) is not there") }
    if bytes.count != WAVHeader.bytes + frames * WAVHeader.bytesPerFrame {
      return Objection(row, "\(path) has \(bytes.count) bytes, which are not \(frames) frames")
    }
    return Array(bytes.prefix(WAVHeader.bytes)) == WAVHeader.encode(rate: rate, frames: frames)
      ? nil : Objection(row, "\(path) has a header that is not of \(frames) frames")
  }
}
