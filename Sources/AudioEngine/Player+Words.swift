import AudioSession
import Jukebox

extension Player {
  /// A report of the engine in the brain's words; nil: not its business.
  func translated(_ report: EngineReport) -> AudioReport? {
    switch report {
    case .started(let stream, let track, let frame, let at):
      return .started(stream: stream, Position(track: track, frame: frame), at: Instant(nanoseconds: at))
    case .silenced(let stream, let track, let frame):
      return .silenced(stream: stream, Position(track: track, frame: frame))
    case .began(let stream, let track, let frame, let at):
      return .began(stream: stream, Position(track: track, frame: frame), at: Instant(nanoseconds: at))
    case .ended(let stream): return .ended(stream: stream)
    case .underrun: return .underrun
    case .outputLost(_, let track, let frame):
      return .outputLost(reason: outputFailure, track < 0 ? nil : Position(track: track, frame: frame))
    case .outputRestored: return .outputRestored
    case .outputChanged(let rate, let bufferFrames, let track, let frame):
      let position = track < 0 ? nil : Position(track: track, frame: frame)
      return .outputChanged(rate: rate, bufferFrames: bufferFrames, position)
    case .clipStarted(let clip, let at): return .clipStarted(clip: clip, at: Instant(nanoseconds: at))
    case .clipEnded(let clip):
      guard let clipFault, clipFault.clip == clip else { return .clipEnded(clip: clip) }
      return .clipFailed(clip: clip, reason: clipFault.reason)
    case .clipFailed(let clip, let wasLost):
      return .clipFailed(clip: clip, reason: wasLost ? outputFailure : "no output")
    case .released, .stale, .clipStale, .hushed: return nil
    }
  }

  private var outputFailure: String { engine.failure.withLock { $0?.description } ?? "unknown" }
}
