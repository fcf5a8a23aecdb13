import AudioSession
import Files

/// Hears what comes out of one port, and writes it down: frame *n* is what was audible at *n / rate* since power on.
public final class PortTap {
  public let port: Port
  private let rate: Int
  private let wav: WAVWriter?
  /// Frames of time passed, heard or silent.
  private var position = 0
  /// The last frame that was not silence.
  private var lastSound: Int?
  /// Frames that were not silence.
  public private(set) var soundingFrames = 0
  /// Gets all that is heard: interleaved stereo frames, how many, and the first one's number since power on.
  public var onSound: ((UnsafePointer<Int16>, _ frames: Int, _ start: Int) -> Void)?
  private static let silence = [Int16](repeating: 0, count: 8_192)

  public init(port: Port, rate: Int, wav: WAVWriter?) {
    self.port = port
    self.rate = rate
    self.wav = wav
  }

  /// Hears `frames` stereo frames, the first of them at frame `start` since power on.
  func hear(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int) {
    pass(until: start)
    UnsafeRawPointer(samples).withMemoryRebound(to: UInt32.self, capacity: frames) { listen($0, frames, at: start) }
    wav?.write(samples, frames: frames)
    onSound?(samples, frames, start)
    position = start + frames
  }

  /// Hears `frames` stereo frames of `rate` Hz, the first of them at that rate's frame `start` since power on. Of each
  /// of its own frames it hears the one that sounds at that moment.
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

  /// The first frame of ours that is not before a frame of `rate` Hz.
  private func ownFrame(_ frame: Int, _ rate: Int) -> Int { (frame * self.rate + rate - 1) / rate }

  /// Both samples of a frame at once, in a bare loop: this runs for every frame of every unoptimised test.
  private func listen(_ frames: UnsafePointer<UInt32>, _ count: Int, at start: Int) {
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

  /// Nothing was heard from where we are until `frame`.
  private func pass(until frame: Int) {
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

  public func finish(at frame: Int) throws(FileError) {
    pass(until: frame)
    try wav?.finish()
  }
}
