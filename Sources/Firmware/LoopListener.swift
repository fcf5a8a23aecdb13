import Board

/// Listens at an input that a cable leads to. Not for the audio thread, because it waits and allocates.
final class LoopListener {
  /// How often it listens.
  static let step = Duration.milliseconds(1)
  private static let readMost = 4_096

  /// The time from the last mark to the first sound; nil: there was none.
  var first: Duration? { heard.first.map(duration) }
  /// The time from the last mark to the end of the last sound.
  var end: Duration { duration(heard.end) }

  private let input: any CapturePCM
  private let wait: (Duration) -> Void
  private let memory: UnsafeMutablePointer<Int16>
  private var threshold = Int.max
  /// What has come in on the left channel since the last mark: how many frames, which of them was the first above the
  /// threshold, the one behind the last, and the loudest.
  private var heard = (frames: 0, first: Int?.none, end: 0, peak: 0)

  /// - Parameter wait: returns after that time.
  init(_ input: any CapturePCM, wait: @escaping (Duration) -> Void) {
    self.input = input
    self.wait = wait
    memory = .allocate(capacity: 2 * Self.readMost)
  }

  deinit { memory.deallocate() }

  /// Starts the input and learns how loud it is without a tone.
  func start() throws(PCMError) {
    try input.start()
    try pass(.milliseconds(200))
    threshold = max(300, 4 * heard.peak)
  }

  /// From now on, what comes in counts from its first frame.
  func mark() throws(PCMError) {
    try listen()
    heard = (0, nil, 0, 0)
  }

  /// Listens for that long.
  func pass(_ time: Duration) throws(PCMError) {
    var left = time
    while left > .zero {
      wait(min(left, Self.step))
      left -= Self.step
      try listen()
    }
  }

  private func duration(_ frames: Int) -> Duration { .seconds(1) * frames / input.format.rate }

  private func listen() throws(PCMError) {
    let taken = try input.read(into: memory, frames: Self.readMost)
    for frame in 0..<taken {
      let level = Int(memory[2 * frame].magnitude)
      heard.peak = max(heard.peak, level)
      if level > threshold {
        heard.first = heard.first ?? heard.frames
        heard.end = heard.frames + 1
      }
      heard.frames += 1
    }
  }
}
