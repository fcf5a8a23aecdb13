import Jukebox

extension Player {
  /// A report of the engine in the brain's vocabulary; nil if it does not concern the brain.
  func translated(_ report: EngineReport) -> AudioReport? {
    switch report {
    case .playback(.cueEnded(let id)):
      guard let cueFault, cueFault.id == id else { return .playback(.cueEnded(id: id)) }
      return .cueFailed(id: id, reason: cueFault.reason)
    case .playback(let report): return .playback(report)
    case .outputLost(let position):
      // The command to leave that port may still be on its way.
      guard let soundingPort, soundingPort != port else { return .outputLost(reason: outputFailure, position) }
      return .leftOutputLost(soundingPort, reason: outputFailure, position)
    case .cueFailed(let id, let wasLost):
      return .cueFailed(id: id, reason: wasLost ? outputFailure : "no output")
    case .moved, .released, .stale, .cueStale, .cuePaused: return nil
    }
  }

  private var outputFailure: String { engine.failure.withLock { $0?.description } ?? "unknown" }
}
