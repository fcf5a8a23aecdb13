/// How much a piece of decoding may take before its process is ended. Opening a track, a seek and about a second of
/// frames are one piece each, and so is half a minute on the way to a place that only decoding finds.
public struct DecoderLimits: Hashable, Sendable {
  /// Processor time. Hundreds of times what a second of music takes on the slowest board.
  public var processor = Duration.seconds(2)
  /// Time by the clock, for storage that has to spin up or fails.
  public var storage = Duration.seconds(10)
  /// Time by the clock for a file that was waited for in vain just now: storage that had to spin up has done so. It is less
  /// than what is decoded ahead, so that nobody hears the wait.
  public var storageAgain = Duration.seconds(1)
  /// Processor time added to a seek for each MiB of the file, which may have to be searched from its beginning. To measure
  /// a file, ten times as much is added. Time by the clock grows by ten times what processor time does.
  public var perMebibyte = Duration.milliseconds(10)
  /// How long a decoder may go on with what nobody waits for, while something else waits to be decoded.
  public var grace = Duration.milliseconds(100)

  public init() {}

  /// The most data that the process may have, in bytes. Two of them and the firmware fit into `MemoryMax` of
  /// jackdaw.service, so that a file meets this limit and not the kernel's.
  static let memory: UInt = 96 << 20

  /// What a piece of work may take.
  struct Allowance: Hashable {
    var processor: Duration
    var storage: Duration
  }

  /// - Parameters:
  ///   - size: of the file, in bytes.
  ///   - isAgain: whether it was waited for in vain just now.
  func allowance(for work: DecoderRequest.Work, size: Int, isAgain: Bool = false) -> Allowance {
    let factor: Int
    switch work {
    case .read, .close: factor = 0
    case .open, .seek: factor = 1
    case .inspect, .inspectHeaders: factor = 10
    }
    let added = perMebibyte * (factor * (size >> 20))
    let storage = isAgain ? min(storage, storageAgain) : storage
    return Allowance(processor: processor + added, storage: storage + added * 10)
  }
}

/// A decoder that died or was ended while it worked on a file.
public struct DecoderFault: Hashable, Sendable, CustomStringConvertible {
  public var path: String
  /// One clause, e.g. `the decoder died (signal 11)`.
  public var reason: String
  /// Whether it was the file's doing; not where its storage did not answer, or the process was killed from outside.
  public var isOfFile = true

  public var description: String { "\(path): \(reason)" }
}
