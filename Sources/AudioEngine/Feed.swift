import RealtimeAudio
import Synchronization
import Threads

/// What lies between a decoder and the voice of the engine that it fills: frames, where tracks begin in them, and who
/// is to be woken.
package final class Feed: Sendable {
  /// The rings' signals; all engines of one audio thread may share them.
  package struct Signals: Sendable {
    /// Raised for the audio thread: a command waits, or a decoder has news.
    package let audio = Signal()
    /// Raised for the decode thread: there is room in a ring, or a command.
    package let decode = Signal()
    /// Raised for the control thread: a report waits.
    package let report = Signal()

    package init() {}
  }

  let ring: FrameRing
  let markers = SPSCRing<Marker>(capacity: 64, filler: .none)
  let signals: Signals
  /// Whether the decoder is to wake the engine when it has written.
  private let wantsFrames = Atomic<Bool>(false)

  init(capacity: Int, signals: Signals) {
    ring = FrameRing(capacity: capacity)
    self.signals = signals
  }

  /// Decode thread: frames were written; wakes the engine if it waits for some.
  func framesWritten() {
    if wantsFrames.exchange(false, ordering: .acquiringAndReleasing) { signals.audio.raise() }
  }

  /// Audio thread: to be told of the next frames. The ring has to be looked at after this: what came before is not told.
  func askForFrames() { _ = wantsFrames.exchange(true, ordering: .acquiringAndReleasing) }
}
