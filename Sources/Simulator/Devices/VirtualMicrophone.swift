import AudioSession
import Board
import Files
import Glibc

/// The microphone of a simulated board: hears a WAV file from the moment it is fed with it, again and again; silence
/// before. Frame *n* of the file is what it hears *n / rate* after that moment, recorded or not.
public final class VirtualMicrophone: CaptureOpener {
  private struct Feed {
    var sound: WAVSound
    var from: Instant
  }

  private let clock: any BoardClock
  private var feeds: [Feed] = []
  private var isThere = true
  /// How often it was pulled out: who opened it before the last time has it no more.
  private(set) var losses = 0

  public init(clock: any BoardClock) { self.clock = clock }

  /// From now on it hears this file, instead of the one before.
  public func feed(_ path: String) throws(FileError) { feed(try WAVSound.read(path)) }

  public func feed(_ sound: WAVSound) { feeds.append(Feed(sound: sound, from: clock.now)) }

  /// Somebody pulls it out.
  public func lose() {
    isThere = false
    losses += 1
  }

  /// It is back; who had it open has to open it again.
  public func restore() { isThere = true }

  public func open(
    input: InputPort, name: String, rate: Int, buffer: Duration
  ) throws(PCMError) -> any CapturePCM {
    guard isThere else { throw PCMError(operation: .open, device: name, code: ENODEV, message: "no such device") }
    let format = PCMFormat(rate: rate, bufferFrames: buffer.frames(rate: rate))
    return VirtualCapture(name: name, format: format, clock: clock, microphone: self)
  }

  /// What it hears in the frames of `range`, counted from power on at `rate`.
  func hear(_ range: Range<Int>, rate: Int, into samples: UnsafeMutablePointer<Int16>) {
    for place in 0..<(2 * range.count) { samples[place] = 0 }
    for (index, feed) in feeds.enumerated() where feed.sound.frames > 0 {
      let from = feed.from.frame(rate: rate)
      let until = index + 1 < feeds.count ? feeds[index + 1].from.frame(rate: rate) : Int.max
      feed.sound.samples.withUnsafeBufferPointer { source in
        let (own, frames) = (feed.sound.rate, feed.sound.frames)
        for frame in max(range.lowerBound, from)..<max(range.lowerBound, from, min(range.upperBound, until)) {
          // The nearest sample is good enough for a simulation.
          let nearest = own == rate ? frame &- from : ((frame &- from) &* own &+ rate / 2) / rate
          let place = 2 &* (nearest % frames)
          samples[2 &* (frame &- range.lowerBound)] = source[place]
          samples[2 &* (frame &- range.lowerBound) &+ 1] = source[place &+ 1]
        }
      }
    }
  }
}

/// The virtual microphone as it is open: with a buffer that overruns, at the pace of the clock.
private final class VirtualCapture: CapturePCM {
  let format: PCMFormat
  var pollDescriptors: [PollDescriptor] { [] }
  private(set) var lostFrames = 0
  private let name: String
  private let clock: any BoardClock
  private let microphone: VirtualMicrophone
  /// The next frame to be read, counted from power on; nil before the start.
  private var position: Int?
  private let losses: Int

  init(name: String, format: PCMFormat, clock: any BoardClock, microphone: VirtualMicrophone) {
    self.name = name
    self.format = format
    self.clock = clock
    self.microphone = microphone
    losses = microphone.losses
  }

  func isReady(_ revents: UnsafeBufferPointer<CShort>) -> Bool { false }

  func start() throws(PCMError) {
    try check(.start)
    position = clock.now.frame(rate: format.rate)
  }

  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(PCMError) -> Int {
    try check(.read)
    guard var position else { return 0 }
    let now = clock.now.frame(rate: format.rate)
    let overrun = max(0, now - position - format.bufferFrames)
    lostFrames += overrun
    position += overrun
    let count = max(0, min(frames, now - position))
    microphone.hear(position..<(position + count), rate: format.rate, into: samples)
    self.position = position + count
    return count
  }

  func close() { position = nil }

  private func check(_ operation: PCMError.Operation) throws(PCMError) {
    guard microphone.losses != losses else { return }
    throw PCMError(operation: operation, device: name, code: ENODEV, message: "no such device")
  }
}
