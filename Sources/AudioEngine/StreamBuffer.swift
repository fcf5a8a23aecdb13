import RealtimeAudio
import Synchronization
import Threads

/// What a decoder fills and the engine plays: the frames of one voice, and where tracks begin in them. One decode
/// thread writes, one audio thread reads.
package final class StreamBuffer: Sendable {
  let ring: FrameRing
  let boundaries = SPSCRing<TrackBoundary>(capacity: 64, filler: .none)
  let signals: EngineSignals
  /// Raised for the thread that writes.
  let decode: Signal
  /// Whether the decoder is to wake the engine when it has written.
  private let wantsFrames = Atomic<Bool>(false)

  /// - Parameter decode: the one of `signals` that wakes the thread which writes.
  init(capacity: Int, signals: EngineSignals, decode: Signal) {
    ring = FrameRing(capacity: capacity)
    self.signals = signals
    self.decode = decode
  }

  /// Decode thread: frames were written; wakes the engine if it waits for some.
  func framesWritten() {
    if wantsFrames.exchange(false, ordering: .acquiringAndReleasing) { signals.audio.raise() }
  }

  /// Audio thread: asks to be woken by the next frames. Read the ring after this call, because frames that came before
  /// it wake nobody.
  func askForFrames() { _ = wantsFrames.exchange(true, ordering: .acquiringAndReleasing) }
}
