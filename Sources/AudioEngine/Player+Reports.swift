import Jukebox

extension Player {
  /// A report of the engine in the brain's vocabulary; nil if it does not concern the brain.
  func translated(_ report: EngineReport) -> AudioReport? {
    switch report {
    case .started(let stream, let position, let at): return .started(stream: stream, position, at: at)
    case .silenced(let stream, let position): return .silenced(stream: stream, position)
    case .began(let stream, let position, let at): return .began(stream: stream, position, at: at)
    case .ended(let stream): return .ended(stream: stream)
    case .underrun(let position): return .underrun(position)
    case .outputLost(let position): return .outputLost(reason: outputFailure, position)
    case .outputRestored: return .outputRestored
    case .outputChanged(let rate, let bufferFrames, let position):
      return .outputChanged(rate: rate, bufferFrames: bufferFrames, position)
    case .clipStarted(let clip, let at): return .clipStarted(clip: clip, at: at)
    case .clipEnded(let clip):
      guard let clipFault, clipFault.clip == clip else { return .clipEnded(clip: clip) }
      return .clipFailed(clip: clip, reason: clipFault.reason)
    case .clipFailed(let clip, let wasLost):
      return .clipFailed(clip: clip, reason: wasLost ? outputFailure : "no output")
    case .released, .stale, .clipStale, .clipPaused: return nil
    }
  }

  private var outputFailure: String { engine.failure.withLock { $0?.description } ?? "unknown" }
}
