import AudioSession

/// The one place where the log says that music starts, pauses, goes on and stops.
/// Changes: `playbackLog`.
extension Jukebox {
  /// Compares what is true of the music with what the log has said, and logs the difference.
  ///
  /// Called wherever a change is complete, with what it was, so that the line follows the lines that led to it; and after
  /// every input, for the holds that end without an event of their own.
  mutating func logPlayback(after change: PlaybackChange? = nil, _ turn: inout Turn) {
    let isHeard = playhead.runningSince != nil
    guard let line = playbackLog.takeLine(for: transport.playback, isHeard: isHeard, after: change) else { return }
    let frame = frame(at: turn.now)
    switch line {
    case .started(let cause): logSound(.playbackStarted, cause, &turn)
    case .resumed(let cause): logSound(.playbackResumed, cause, &turn)
    case .paused(.unplugged(let loss)):
      turn.log(
        .playbackPaused, .info,
        [
          "cause": PauseCause.unplugged(loss).logged, "from": loss.from.rawValue, "route": routes.route.description,
          "frame": String(loss.hold.frame),
        ])
    case .paused(let cause):
      turn.log(
        .playbackPaused, .info, ["cause": cause.logged, "reason": cause.loggedReason, "frame": frame],
        mayTrigger: cause.mayTrigger)
    case .stopped(let cause): turn.log(.playbackStopped, .info, ["cause": cause.logged, "frame": frame])
    }
  }

  /// With the frame that was heard first, which may be some while ago.
  private func logSound(_ name: EventName, _ cause: StartCause, _ turn: inout Turn) {
    guard let track = queue.track else { return }
    let fields: KeyValuePairs<String, String?> = [
      "cause": cause.rawValue, "track": number(of: track), "route": routes.route.description,
      "frame": String(playhead.frame),
    ]
    turn.log(name, .info, fields, mayTrigger: cause.mayTrigger)
  }
}
