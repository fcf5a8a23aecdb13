import AudioSession
import Files

/// Observes the sound of one port and writes it to a WAV: frame *n* is what was audible *n / rate* after power on. Belongs
/// to the thread that serves the port's device.
public final class PortTap {
  public let port: Port
  private let rate: Int
  private let wav: WAVWriter?
  /// Frames since power on that were taken, silence included.
  private var position = 0
  /// The last frame that was not silence.
  private var lastSound: Int?
  /// Frames that were not silence.
  public private(set) var soundingFrames = 0
  /// Called with everything that is audible: interleaved stereo frames, their number, and the first one's number since
  /// power on.
  public var onSound: ((UnsafePointer<Int16>, _ frames: Int, _ start: Int) -> Void)?
  private static let silence = [Int16](repeating: 0, count: 8_192)

  public init(port: Port, rate: Int, wav: WAVWriter?) {
    self.port = port
    self.rate = rate
    self.wav = wav
  }

  /// Takes `frames` stereo frames that are audible, the first of them at frame `start` since power on.
  func hear(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int) {
    takeSilence(until: start)
    UnsafeRawPointer(samples).withMemoryRebound(to: UInt32.self, capacity: frames) { countSound($0, frames, at: start) }
    wav?.write(samples, frames: frames)
    onSound?(samples, frames, start)
    position = start + frames
  }

  /// Takes `frames` stereo frames of `rate` Hz, the first of them at that rate's frame `start` since power on. Converts by
  /// taking, for each frame of its own rate, the frame that is audible at that moment.
  func hear(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int, rate: Int) {
    if rate == self.rate { return hear(samples, frames: frames, at: start) }
    let first = max(position, ownFrame(start, rate))
    let count = ownFrame(start + frames, rate) - first
    guard count > 0 else { return }
    let heard = [Int16](unsafeUninitializedCapacity: count * 2) { buffer, filled in
      for frame in 0..<count {
        let source = (first + frame) * rate / self.rate - start
        buffer[frame * 2] = samples[source * 2]
        buffer[frame * 2 + 1] = samples[source * 2 + 1]
      }
      filled = count * 2
    }
    hear(heard, frames: count, at: first)
  }

  /// The first frame at the tap's own rate that does not begin before `frame` at `rate` Hz.
  private func ownFrame(_ frame: Int, _ rate: Int) -> Int { (frame * self.rate + rate - 1) / rate }

  /// Counts the frames that are not silent. A bare loop that compares both samples at once, because it runs for every
  /// frame of unoptimised tests.
  private func countSound(_ frames: UnsafePointer<UInt32>, _ count: Int, at start: Int) {
    var sounding = 0
    var last = -1
    var frame = 0
    while frame < count {
      if frames[frame] != 0 {
        sounding &+= 1
        last = frame
      }
      frame &+= 1
    }
    soundingFrames += sounding
    if last >= 0 { lastSound = start + last }
  }

  /// Takes silence from the current position until `frame`.
  private func takeSilence(until frame: Int) {
    if let wav {
      var gap = frame - position
      while gap > 0 {
        let part = min(gap, Self.silence.count / 2)
        wav.write(Self.silence, frames: part)
        gap -= part
      }
    }
    position = max(position, frame)
  }

  /// Whether a sample other than 0 was audible within the given time before `frame`.
  public func heardSound(within time: Duration, before frame: Int) -> Bool {
    guard let lastSound else { return false }
    return lastSound >= frame - time.frames(rate: rate) && lastSound < frame
  }

  /// Takes silence until `frame` and completes the WAV; fails where it could not be written.
  public func finish(at frame: Int) throws(FileError) {
    takeSilence(until: frame)
    try wav?.finish()
  }
}
