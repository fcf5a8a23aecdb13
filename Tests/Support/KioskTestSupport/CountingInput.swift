import AudioSession
import Board
import CLinux
import Glibc

/// An input whose frames carry their number since the start, at the pace of a clock or without any.
final class CountingInput: CaptureOpener {
  /// Frames a second that it really delivers; 0: as many as are read.
  var speed = CountingInput.rate
  /// What the device runs at, whatever was asked for.
  var rate = CountingInput.rate
  /// Whether it has a descriptor to poll.
  var polls = false
  var refusesToOpen = false
  var refusesToStart = false
  /// Gone from now on.
  var isLost = false
  /// Frames that nobody read in time.
  var lostFrames = 0
  /// Delivers nothing from now on.
  var isStuck = false
  private(set) var openings = 0
  private(set) var closings = 0
  /// Frames that were read since the last start.
  fileprivate(set) var read = 0
  fileprivate let clock: any BoardClock

  static let rate = 8_000

  init(clock: any BoardClock) { self.clock = clock }

  func open(input: InputPort, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any CapturePCM {
    if refusesToOpen { throw error(.open) }
    openings += 1
    return Device(self)
  }

  fileprivate func error(_ operation: PCMError.Operation) -> PCMError {
    PCMError(operation: operation, device: "mic", code: ENODEV, message: "No such device")
  }

  private final class Device: CapturePCM {
    let input: CountingInput
    let signal: CInt = eventfd(0, CInt(EFD_NONBLOCK))
    var origin = Instant.powerOn

    init(_ input: CountingInput) { self.input = input }

    deinit { Glibc.close(signal) }

    var format: PCMFormat { PCMFormat(rate: input.rate, bufferFrames: 2 * input.rate) }
    var pollDescriptors: [PollDescriptor] {
      input.polls ? [PollDescriptor(fileDescriptor: signal, events: CShort(POLLIN))] : []
    }
    var lostFrames: Int { input.lostFrames }

    func isReady(_ revents: UnsafeBufferPointer<CShort>) -> Bool { true }

    func start() throws(PCMError) {
      if input.refusesToStart { throw input.error(.start) }
      origin = input.clock.now
      input.read = 0
    }

    func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(PCMError) -> Int {
      if input.isLost { throw input.error(.read) }
      if input.isStuck { return 0 }
      let there = input.speed == 0 ? Int.max : (input.clock.now - origin).frames(rate: input.speed) - input.read
      let count = max(0, min(frames, there))
      for frame in 0..<count {
        let number = input.read + frame
        samples[2 * frame] = Int16(truncatingIfNeeded: number)
        samples[2 * frame + 1] = Int16(truncatingIfNeeded: number >> 16)
      }
      input.read += count
      return count
    }

    func close() { input.closings += 1 }
  }
}
