import Jukebox

extension Player {
  /// A report of the engine in the brain's vocabulary; nil if it does not concern the brain.
  func translated(_ report: EngineReport) -> AudioReport? {
    switch report {
    case .playback(.clipEnded(let clip)):
      guard let clipFault, clipFault.clip == clip else { return .playback(.clipEnded(clip: clip)) }
      return .clipFailed(clip: clip, reason: clipFault.reason)
    case .playback(let report): return .playback(report)
    case .outputLost(let position): return .outputLost(reason: outputFailure, position)
    case .clipFailed(let clip, let wasLost):
      return .clipFailed(clip: clip, reason: wasLost ? outputFailure : "no output")
    case .moved, .released, .stale, .clipStale, .clipPaused: return nil
    }
  }

  private var outputFailure: String { engine.failure.withLock { $0?.description } ?? "unknown" }
}
