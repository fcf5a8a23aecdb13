import AudioSession

/// The commands to the engine about the music.
extension MusicPlayer {
  /// - Parameter edge: when the plug moved that silences it, if one did.
  mutating func silence(edge: Instant?, _ turn: inout MusicTurn) {
    // The engine will report exactly which frame was heard last; the clock's estimate stands until then.
    playhead.stand(at: frame(at: edge ?? turn.now))
    turn.append(.command(.silence(edge: edge)))
    engine.silence(stream.isLoaded ? stream.id : nil)
  }

  mutating func sound(_ turn: inout MusicTurn) {
    if !stream.isLoaded, let track = queue.track {
      turn.append(.command(.load(stream: stream.load(track), Position(track: track, frame: playhead.frame))))
    }
    turn.append(.command(.play))
    engine.play()
  }

  /// Output and decoder are closed as soon as it is known where to go on (I11).
  mutating func releaseForInterruption(_ turn: inout MusicTurn) {
    guard !transport.interruptions.isEmpty, engine.isSilent, !engine.isReleased else { return }
    engine.release()
    stream.renew()
    turn.append(.command(.release))
  }
}
