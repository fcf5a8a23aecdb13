import AudioSession
import Board
import Files
import Glibc

/// The microphone of a simulated board: delivers silence until it is fed with a WAV file, and then that file in a loop.
/// Frame *n* of the file is heard *n / rate* after the call of `feed`, recorded or not.
public final class VirtualMicrophone: CaptureOpener {
  private struct Source {
    var sound: WAVSound
    var from: Instant
  }

  private let clock: any BoardClock
  private var sources: [Source] = []
  private var isThere = true
  /// How often it was unplugged: captures that were opened before the last time fail.
  private(set) var losses = 0

  public init(clock: any BoardClock) { self.clock = clock }

  /// Replaces the sound from now on.
  public func feed(_ sound: WAVSound) { sources.append(Source(sound: sound, from: clock.now)) }

  /// Unplugs it: open captures fail from now on.
  public func unplug() {
    isThere = false
    losses += 1
  }

  /// Plugs it in again; it has to be reopened.
  public func plugIn() { isThere = true }

  public func open(
    input: InputPort, name: String, rate: Int, buffer: Duration
  ) throws(PCMError) -> any CapturePCM {
    guard isThere else { throw PCMError(operation: .open, device: name, code: ENODEV, message: "no such device") }
    let format = PCMFormat(rate: rate, bufferFrames: buffer.frames(rate: rate))
    return VirtualCapture(name: name, format: format, clock: clock, microphone: self)
  }

  /// Copies the sound of the frames `range`, counted from power on at `rate` Hz, into `samples`.
  func copySound(_ range: Range<Int>, rate: Int, into samples: UnsafeMutablePointer<Int16>) {
    for place in 0..<(2 * range.count) { samples[place] = 0 }
    for (index, source) in sources.enumerated() where source.sound.frames > 0 {
      let from = source.from.frame(rate: rate)
      let until = index + 1 < sources.count ? sources[index + 1].from.frame(rate: rate) : Int.max
      let (own, frames) = (source.sound.rate, source.sound.frames)
      source.sound.samples.withUnsafeBufferPointer { sound in
        for frame in max(range.lowerBound, from)..<max(range.lowerBound, from, min(range.upperBound, until)) {
          // Taking the nearest sample is good enough for a simulation.
          let nearest = own == rate ? frame &- from : ((frame &- from) &* own &+ rate / 2) / rate
          let place = 2 &* (nearest % frames)
          samples[2 &* (frame &- range.lowerBound)] = sound[place]
          samples[2 &* (frame &- range.lowerBound) &+ 1] = sound[place &+ 1]
        }
      }
    }
  }
}

/// An open virtual microphone: delivers frames at the pace of the clock, with a buffer that overruns.
private final class VirtualCapture: CapturePCM {
  let format: PCMFormat
  var pollDescriptors: [PollDescriptor] { [] }
  private(set) var lostFrames = 0
  private let name: String
  private let clock: any BoardClock
  private let microphone: VirtualMicrophone
  /// The next frame to read, counted from power on; nil before the start.
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
    microphone.copySound(position..<(position + count), rate: format.rate, into: samples)
    self.position = position + count
    return count
  }

  func close() { position = nil }

  private func check(_ operation: PCMError.Operation) throws(PCMError) {
    guard microphone.losses != losses else { return }
    throw PCMError(operation: operation, device: name, code: ENODEV, message: "no such device")
  }
}
