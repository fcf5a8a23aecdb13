@testable import Jukebox
@testable import JukeboxTestSupport

extension AudioReport {
  /// The stream that the report is about, if any.
  var stream: UInt8? {
    switch self {
    case .playback(.started(let id, _, _)), .playback(.silenced(let id, _)), .playback(.began(let id, _, _)),
      .playback(.ended(let id)), .opened(let id, _, _), .measured(let id, _, _), .failed(let id, _, _, _),
      .brokeOff(let id, _, _), .storageFailed(let id, _, _):
      id
    case .playback(.underrun), .playback(.queueGrown), .playback(.outputRestored), .playback(.outputChanged),
      .playback(.cueStarted),
      .playback(.cueEnded), .outputLost, .leftOutputLost, .otherOutputLost, .otherOutputRestored, .cueFailed:
      nil
    }
  }

  /// The cue that the report is about, if any, as it was spoken.
  var cue: UInt8? {
    switch self {
    case .playback(.cueStarted(let id, _)), .playback(.cueEnded(let id)), .cueFailed(let id, _): id
    case .playback, .opened, .measured, .failed, .brokeOff, .storageFailed, .outputLost, .leftOutputLost,
      .otherOutputLost, .otherOutputRestored:
      nil
    }
  }

  /// Whether the report is about the loss or return of the output.
  var isOfOutput: Bool {
    switch self {
    case .outputLost, .playback(.outputRestored): true
    case .playback, .opened, .measured, .failed, .brokeOff, .storageFailed, .leftOutputLost, .otherOutputLost,
      .otherOutputRestored, .cueFailed:
      false
    }
  }
}
