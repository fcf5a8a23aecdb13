import AudioSession

/// Counts what is heard (N1), as steps for whoever adds them up. The brain itself keeps only the track at hand.
extension MusicPlayer {
  /// Sound has run on until `instant`: what was heard of it counts, before anything moves the place.
  mutating func countHeard(until instant: Instant) {
    listening.move(to: frame(at: instant), jumps: playhead.jumps)
  }

  /// After every input.
  mutating func settleCounting(at now: Instant) {
    countHeard(until: now)
    listening.note(isUnplugged: transport.playback == .unplugged, isRunning: playhead.runningSince != nil)
  }

  /// A track sounds from `frame` on. If it is the one that was listened to before a pause or a power cut, that is no
  /// new start.
  mutating func countBeginning(of track: TrackID, at frame: Int, _ turn: inout MusicTurn) {
    // A track that plays by itself does not count: nobody has come to hear it (J6).
    let name = isAttracting ? "" : name(of: track)
    if name.isEmpty || listening.name.fileName == FileName(name) { return }
    // What could not be opened again was left without a word of anybody.
    countLeaving(.failed, &turn)
    listening.open(name, at: frame, jumps: playhead.jumps)
    turn.append(.count(.start(name)))
  }

  /// Where the current track, if it is listened to, is left. Call it before the queue moves.
  mutating func countLeaving(_ leaving: Leaving, _ turn: inout MusicTurn) {
    guard let name = listening.name else { return }
    reportHeard(&turn)
    let track = queue.track.flatMap { FileName(self.name(of: $0)) == FileName(name) ? $0 : nil }
    let frames = track.flatMap { stream.tags[$0]?.frames }
    guard let end = listening.close(leaving, frames: frames) else { return }
    turn.append(.count(.left(name, end.leaving, tenth: end.tenth)))
  }

  /// The last frame of the current track was heard at `instant`.
  mutating func countEnd(at instant: Instant, _ turn: inout MusicTurn) {
    countHeard(until: instant)
    countLeaving(.ended, &turn)
  }

  /// Hands on what was heard until now.
  mutating func reportHeard(_ turn: inout MusicTurn) {
    guard let name = listening.name else { return }
    let milliseconds = listening.takeHeard(rate: options.rate)
    if milliseconds > 0 { turn.append(.count(.heard(name, milliseconds: milliseconds))) }
  }
}
