import RealtimeAudio
import Synchronization
import Threads

/// What a decoder fills and the engine plays: the frames of one voice, and where tracks begin in them. One decode
/// thread writes, one audio thread reads.
package final class StreamBuffer: Sendable {
  let ring: FrameRing
  let boundaries = SPSCRing<TrackBoundary>(capacity: 64, filler: .none)
  let signals: EngineSignals
  /// Whether the decoder is to wake the engine when it has written.
  private let wantsFrames = Atomic<Bool>(false)

  init(capacity: Int, signals: EngineSignals) {
    ring = FrameRing(capacity: capacity)
    self.signals = signals
  }

  /// Decode thread: frames were written; wakes the engine if it waits for some.
  func framesWritten() {
    if wantsFrames.exchange(false, ordering: .acquiringAndReleasing) { signals.audio.raise() }
  }

  /// Audio thread: asks to be woken by the next frames. Read the ring after this call, as frames that came before it
  /// wake nobody.
  func askForFrames() { _ = wantsFrames.exchange(true, ordering: .acquiringAndReleasing) }
}
