import AudioSession

/// The track that is listened to, from its first frame until it is left. A pause, a hold and a power cut do not end that:
/// what goes on afterwards is not a new start.
struct Listening: Hashable, Sendable {
  private struct Listen: Hashable, Sendable {
    /// The track's in the library.
    @NameOfFile var name: String
    /// The frame up to which `heard` counts.
    var frame: Int
    /// The furthest frame heard.
    var furthest: Int
    /// Frames heard. A report of the engine may take some of them back, because it knows better than the clock.
    var heard = 0
    /// How many milliseconds of them were reported.
    var reported = 0
    /// The private port was pulled out since it sounded last.
    var isUnplugged = false
    /// Its decoder has met a place after which there is nothing.
    var isBroken = false
  }

  private var listen: Listen?
  /// `Playhead.jumps` when the frame was noted last.
  private var jumps: UInt8 = 0

  /// The name of the track; nil while nothing is listened to.
  var name: String? { listen?.name }

  /// Frames of it that were heard.
  var heard: Int { listen?.heard ?? 0 }

  /// A track begins at a frame, or is found there at power on.
  mutating func open(_ name: String, at frame: Int, jumps: UInt8) {
    listen = Listen(name: name, frame: frame, furthest: frame)
    self.jumps = jumps
  }

  /// The listener is at this frame now. What lies between it and the frame before was heard, unless the place has jumped.
  mutating func move(to frame: Int, jumps: UInt8) {
    defer { self.jumps = jumps }
    guard var listen else { return }
    if jumps == self.jumps { listen.heard += frame - listen.frame }
    listen.frame = frame
    listen.furthest = max(listen.furthest, frame)
    self.listen = listen
  }

  mutating func note(isUnplugged: Bool, isRunning: Bool) {
    if isUnplugged { listen?.isUnplugged = true }
    if isRunning { listen?.isUnplugged = false }
  }

  mutating func noteBreak(of name: String) {
    if listen?.name.fileName == FileName(name) { listen?.isBroken = true }
  }

  /// Returns how many milliseconds were heard and not reported yet.
  mutating func takeHeard(rate: Int) -> Int {
    guard let listen else { return 0 }
    let whole = listen.heard * 1_000 / rate - listen.reported
    guard whole > 0 else { return 0 }
    self.listen?.reported += whole
    return whole
  }

  /// Ends it. Returns how it ended in truth, and the tenth of the track that was reached.
  /// - Parameter frames: the length of the track; nil: not known.
  mutating func close(_ leaving: Leaving, frames: Int?) -> (leaving: Leaving, tenth: Int?)? {
    guard let listen else { return nil }
    self.listen = nil
    let isAtEnd = leaving == .ended && !listen.isBroken
    let tenth = frames.flatMap { $0 > 0 ? min(9, listen.furthest * 10 / $0) : nil }
    let how =
      isAtEnd ? leaving : listen.isBroken && leaving == .ended ? .failed : listen.isUnplugged ? .unplugged : leaving
    return (how, isAtEnd ? 9 : tenth)
  }
}
