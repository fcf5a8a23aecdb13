import PacedPCM

/// A sound card that plays when the test says so (Tests/Plugins/PacedPCM).
public final class PacedCard {
  private let raw: OpaquePointer

  /// nil without memory.
  public init?() {
    guard let raw = paced_new() else { return nil }
    self.raw = raw
  }

  /// Only after every PCM that was opened on it is closed.
  deinit { paced_free(raw) }

  /// What it can do from the next opening on.
  public var traits: paced_traits {
    get { paced_traits_of(raw).pointee }
    set { paced_traits_of(raw).pointee = newValue }
  }

  public var counts: paced_counts { paced_counts_of(raw) }

  /// Opens it. Returns the PCM, which the caller closes, or a positive `errno`.
  public func open(_ stream: snd_pcm_stream_t) -> (pcm: OpaquePointer?, code: CInt) {
    var pcm: OpaquePointer?
    let result = paced_open(raw, &pcm, stream)
    return result == 0 ? (pcm, 0) : (nil, -result)
  }

  /// A mishap, as Tests/Plugins/PacedPCM/faults.c words it; whether it is one.
  @discardableResult public func suffer(_ fault: String) -> Bool { paced_command(raw, fault) == 0 }

  /// Moves its clock to this many nanoseconds.
  public func setTime(_ nanoseconds: Int64) { paced_set_time(raw, nanoseconds) }

  /// Plays up to `frames` queued frames at once; returns how many.
  @discardableResult public func play(_ frames: Int) -> Int { paced_play(raw, frames) }

  /// Lets the card record samples in its own format; returns how many frames it could hold.
  @discardableResult public func hear<Sample>(_ samples: [Sample], channels: Int = 2) -> Int {
    let frames = samples.count / channels
    return samples.withUnsafeBytes { paced_hear(raw, $0.baseAddress, frames) }
  }

  /// Makes its descriptor readable, whatever the buffer says.
  public func wake() { paced_wake(raw) }

  /// What was played, as samples of the device's format, from the sample with that index on.
  public func heard<Sample>(as type: Sample.Type = Int16.self, from first: Int = 0) -> [Sample] {
    var bytes = 0
    guard let start = paced_heard(raw, &bytes) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: bytes).bindMemory(to: Sample.self).dropFirst(first))
  }

  /// Its log.
  public var events: [PacedEvent] {
    var bytes = 0
    guard let start = paced_told(raw, &bytes) else { return [] }
    let text = String(decoding: UnsafeRawBufferPointer(start: start, count: bytes), as: UTF8.self)
    return text.split(separator: "\n").compactMap { PacedEvent($0) }
  }
}
