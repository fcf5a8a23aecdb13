/// How the sleep timer ends the music (H5).
extension MusicPlayer {
  /// Whether it pauses after the track that is heard. What the decoder was sent of the next one is revoked.
  mutating func endsBehindTrack(_ ends: Bool) {
    guard queue.endsBehindTrack != ends else { return }
    queue.endBehindTrack(ends)
    if stream.isLoaded { stream.renew() }
  }

  /// Pauses where the music was heard at its own level last; nil: where it is.
  mutating func fallAsleep(at mark: SleepTimer.Mark?, _ turn: inout MusicTurn) {
    guard transport.intent == .playing else { return }
    forgetChoice()
    resolveLoss(answer: .pause, &turn)
    transport.intent = .paused
    if let mark, let place = queue.place(of: mark.track) {
      // The next track began during the fade.
      if place != queue.place {
        countLeaving(.stopped, &turn)
        queue.go(to: place)
        stream.unload()
      } else {
        stream.renew()
      }
      stand(elsewhereAt: mark.frame)
    }
    compare(after: .paused(.sleep), &turn)
  }

  /// The track has ended, and the next one waits.
  mutating func endedBehindTrack(_ next: Place, _ turn: inout MusicTurn) {
    noteTrackEnd(&turn)
    resolveLoss(answer: nil, &turn)
    queue.go(to: next)
    queue.beginRound(listed)
    rewindToStart()
    transport.intent = .paused
    turn.append(.ended)
    compare(after: .paused(.sleep), &turn)
  }
}
