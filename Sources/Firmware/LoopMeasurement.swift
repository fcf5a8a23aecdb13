import Board

/// What a cable from an output to an input shows of the output. The times count the input's own delay, too.
public struct LoopFigures: Hashable, Sendable {
  /// The time from the call that starts the device to the first sound.
  public var start: Duration
  /// The time from the call that stops it to the last sound.
  public var silence: Duration
  /// Whether frames that are queued can be rewound while it plays.
  public var takesBack: Bool
  /// The shallowest queue that did not run dry; nil: all that were tried did.
  public var safeQueue: Duration?
}

/// Measures an output that is connected to an input by a cable: it plays a tone and listens. It has no thread of its
/// own, and the audio thread must not call it, because it waits and allocates.
public final class LoopMeasurement {
  /// Queues to try, the shallowest first; each is filled up whenever half of it was played, for `trial`.
  public static let queues = [5, 10, 20, 30, 50, 100, 200].map { Duration.milliseconds($0) }
  private static let trial = Duration.seconds(2)
  /// How long it may take until a start or stop is heard.
  private static let patience = Duration.milliseconds(600)

  private let output: any PCM
  private let listener: LoopListener
  /// One buffer of the tone.
  private let tone: [Int16]

  /// - Parameter wait: returns after that time.
  public init(output: any PCM, input: any CapturePCM, wait: @escaping (Duration) -> Void) {
    self.output = output
    listener = LoopListener(input, wait: wait)
    tone = (0..<2 * output.format.bufferFrames).map { LoopTone.sample($0 / 2, rate: output.format.rate) }
  }

  /// Plays for some seconds; nil: nothing of the tone came in. The output has to be prepared and empty, and is so
  /// afterwards.
  public func run() throws(PCMError) -> LoopFigures? {
    try listener.start()
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
  private func measureStart() throws(PCMError) -> Duration? {
    try fill(Self.trial)
    try listener.mark()
    try output.start()
    for _ in 0..<Int(Self.patience / LoopListener.step) {
      try listener.pass(LoopListener.step)
      if let first = listener.first { return first }
      try fill(Self.trial)
    }
    return nil
  }

  private func measureSilence() throws(PCMError) -> Duration {
    for _ in 0..<50 {
      try listener.pass(LoopListener.step)
      try fill(Self.trial)
    }
    try listener.mark()
    try output.stop()
    try listener.pass(Self.patience)
    try output.recover()
    return listener.end
  }

  private func tryTakingBack() throws(PCMError) -> Bool {
    try fill(Self.trial)
    try output.start()
    try listener.pass(.milliseconds(50))
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
      try listener.pass(queue / 2)
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
}
