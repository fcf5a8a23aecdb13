/// The one place where the log says that music starts, pauses, goes on and stops.
extension MusicPlayer {
  /// Compares what is true of the music with what the log has said, and returns the difference.
  ///
  /// Called wherever a change is complete, with what it was, so that the line follows the lines that led to it; and after
  /// every input, for the holds that end without an event of their own.
  mutating func compare(after change: PlaybackChange? = nil, _ turn: inout MusicTurn) {
    let isHeard = playhead.runningSince != nil
    guard let line = log.takeLine(for: transport.playback, isHeard: isHeard, after: change) else { return }
    switch line {
    case .started, .resumed:
      // The frame that was heard first, which may be some while ago.
      guard let track = queue.track else { return }
      turn.append(.playback(line, track: number(of: track), frame: playhead.frame))
    case .paused(.unplugged(let loss)):
      turn.append(.playback(line, track: nil, frame: loss.hold.frame))
    case .paused, .stopped: turn.append(.playback(line, track: nil, frame: frame(at: turn.now)))
    }
  }
}
