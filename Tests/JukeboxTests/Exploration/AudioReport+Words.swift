@testable import Jukebox

extension AudioReport {
  /// The stream that the report is about, if any.
  var stream: UInt8? {
    switch self {
    case .started(let id, _, _), .silenced(let id, _), .opened(let id, _, _), .began(let id, _, _),
      .failed(let id, _, _), .brokeOff(let id, _, _), .ended(let id):
      id
    case .underrun, .outputLost, .outputRestored, .outputChanged, .otherOutputLost, .otherOutputRestored, .clipStarted,
      .clipEnded, .clipFailed:
      nil
    }
  }

  /// The clip that the report is about, if any.
  var clip: UInt8? {
    switch self {
    case .clipStarted(let clip, _), .clipEnded(let clip), .clipFailed(let clip, _): clip
    case .started, .silenced, .opened, .began, .failed, .brokeOff, .ended, .underrun, .outputLost, .outputRestored,
      .outputChanged, .otherOutputLost, .otherOutputRestored:
      nil
    }
  }

  /// Whether the report is about the loss or return of the output.
  var isOfOutput: Bool {
    switch self {
    case .outputLost, .outputRestored: true
    case .started, .silenced, .opened, .began, .failed, .brokeOff, .ended, .underrun, .outputChanged,
      .otherOutputLost, .otherOutputRestored, .clipStarted, .clipEnded, .clipFailed:
      false
    }
  }
}
