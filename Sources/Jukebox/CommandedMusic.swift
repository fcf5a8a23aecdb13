/// The last commands to the engine about the music.
struct CommandedEngine: Hashable, Sendable {
  private(set) var isSounding = false
  /// The stream whose last frame the engine has still to name.
  private(set) var silenced: UInt8?
  /// Nothing sounds, and where that ended is known.
  var isSilent: Bool { !isSounding && silenced == nil }
  /// Output and decoder were closed for the time of an interruption.
  private(set) var isReleased = false

  mutating func play() {
    isSounding = true
    silenced = nil
    isReleased = false
  }

  /// - Parameter stream: the one that was sounding; nil: it was unloaded.
  mutating func silence(_ stream: UInt8?) {
    isSounding = false
    silenced = stream
  }

  /// The engine has named the frame that a stream fell silent at.
  mutating func confirmSilence(of stream: UInt8) { if silenced == stream { silenced = nil } }

  /// With its output, the engine has lost what it had still to name.
  mutating func outputLost() { silenced = nil }

  /// The engine fell silent by itself: nothing is left to silence.
  mutating func ended() { isSounding = false }

  mutating func release() { isReleased = true }
}
