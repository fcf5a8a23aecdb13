import AudioSession

/// Another place of the current track (T6).
/// Changes: `transport`, `stream`.
extension Jukebox {
  mutating func seek(_ seek: Seek, _ turn: inout Turn) {
    guard let track = queue.track else { return }
    let heard = playhead.frame(at: turn.now, rate: configuration.rate)
    let frame = seek.frame(from: heard, length: stream.tags[track]?.frames, rate: configuration.rate)
    pauseLoss(answer: .seek, &turn)
    // What is stopped stands at the start of its track; this waits elsewhere.
    if transport.intent == .stopped { transport.intent = .paused }
    turn.log(.playbackMoved, .info, ["track": number(of: track), "from": String(heard), "frame": String(frame)])
    stand(elsewhereAt: frame)
    stream.renew()
  }
}
