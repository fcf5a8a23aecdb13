import AudioSession
import Board

/// What a cable from an output to an input shows of the output. The times count the input's own delay, too.
public struct LoopFigures: Hashable, Sendable {
  /// From the call that starts the device to the first sound.
  public var start: Duration
  /// From the call that stops it to the last sound.
  public var silence: Duration
  /// Whether frames that are queued can be taken back while it plays.
  public var takesBack: Bool
  /// The shallowest queue that did not run dry; nil: all that were tried did.
  public var safeQueue: Duration?
}

/// Measures an output that is connected to an input by a cable: it plays a tone and listens. No thread of its own, and
/// not for the audio thread, as it waits and allocates.
public final class LoopMeasurement {
  /// Queues to try, the shallowest first; each is filled up whenever half of it was played, for `trial`.
  public static let queues = [5, 10, 20, 30, 50, 100, 200].map { Duration.milliseconds($0) }
  private static let trial = Duration.seconds(2)
  private static let step = Duration.milliseconds(1)
  /// Until a start or stop must have been heard.
  private static let patience = Duration.milliseconds(600)
  private static let readMost = 4_096

  private let output: any PCM
  private let input: any CapturePCM
  private let wait: (Duration) -> Void
  private let memory: UnsafeMutablePointer<Int16>
  /// One buffer of 1 kHz at a quarter of full scale.
  private let tone: [Int16]
  private var threshold = Int.max
  /// What has come in on the left channel since the last mark: how many frames, which of them was the first above the
  /// threshold, the one behind the last, and the loudest.
  private var heard = (frames: 0, first: Int?.none, end: 0, peak: 0)

  /// - Parameter wait: returns after that time.
  public init(output: any PCM, input: any CapturePCM, wait: @escaping (Duration) -> Void) {
    self.output = output
    self.input = input
    self.wait = wait
    memory = .allocate(capacity: 2 * Self.readMost)
    let half = max(1, output.format.rate / 2_000)
    tone = (0..<2 * output.format.bufferFrames).map { ($0 / 2 / half) % 2 == 0 ? 8_000 : -8_000 }
  }

  deinit { memory.deallocate() }

  /// Plays for some seconds; nil: nothing of the tone came in. The output has to be prepared and empty, and is so
  /// afterwards.
  public func run() throws(PCMError) -> LoopFigures? {
    try input.start()
    try learnNoise()
    guard let start = try measureStart() else {
      try makeEmpty()
      return nil
    }
    let silence = try measureSilence()
    let takesBack = try tryTakingBack()
    var safeQueue: Duration?
    for queue in Self.queues where safeQueue == nil {
      if try survives(queue) { safeQueue = queue }
    }
    return LoopFigures(start: start, silence: silence, takesBack: takesBack, safeQueue: safeQueue)
  }
}

extension LoopMeasurement {
  /// How loud the input is without a tone.
  private func learnNoise() throws(PCMError) {
    try pass(.milliseconds(200))
    threshold = max(300, 4 * heard.peak)
  }

  private func measureStart() throws(PCMError) -> Duration? {
    try fill(Self.trial)
    try mark()
    try output.start()
    for _ in 0..<Int(Self.patience / Self.step) {
      try pass(Self.step)
      if let first = heard.first { return duration(first) }
      try fill(Self.trial)
    }
    return nil
  }

  private func measureSilence() throws(PCMError) -> Duration {
    for _ in 0..<50 {
      try pass(Self.step)
      try fill(Self.trial)
    }
    try mark()
    try output.stop()
    try pass(Self.patience)
    try output.recover()
    return duration(heard.end)
  }

  private func tryTakingBack() throws(PCMError) -> Bool {
    try fill(Self.trial)
    try output.start()
    try pass(.milliseconds(50))
    let taken = output.rewind(output.format.bufferFrames, isUrgent: false)
    let isRunning = try output.status().state == .running
    try makeEmpty()
    return taken > 0 && isRunning
  }

  private func survives(_ queue: Duration) throws(PCMError) -> Bool {
    try fill(queue)
    try output.start()
    var isRunning = true
    for _ in 0..<Int(Self.trial / (queue / 2)) where isRunning {
      try pass(queue / 2)
      isRunning = try output.status().state == .running
      if isRunning { try fill(queue) }
    }
    try makeEmpty()
    return isRunning
  }

  private func makeEmpty() throws(PCMError) {
    try output.stop()
    try output.recover()
  }

  /// Writes the tone until that much is queued, or the buffer is full.
  private func fill(_ queue: Duration) throws(PCMError) {
    let wanted = min(Int(queue / .seconds(1) * Double(output.format.rate)), output.format.bufferFrames)
    let missing = wanted - (try output.status().queued)
    if missing > 0 { _ = try output.write(tone, frames: missing) }
  }

  private func duration(_ frames: Int) -> Duration { .seconds(1) * frames / input.format.rate }

  /// From now on, what comes in counts from its first frame.
  private func mark() throws(PCMError) {
    try listen()
    heard = (0, nil, 0, 0)
  }

  /// Listens for that long.
  private func pass(_ time: Duration) throws(PCMError) {
    var left = time
    while left > .zero {
      wait(min(left, Self.step))
      left -= Self.step
      try listen()
    }
  }

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
