import AudioSession

/// Where in the current track the listener is: a frame that was heard, and since when sound runs on from it.
struct Playhead: Hashable, Sendable {
  private(set) var frame = 0
  private(set) var runningSince: Instant?
  /// Counts what a clock that only runs on would not know: tracks and streams that begin, skips, and sleeps. It wraps.
  private(set) var jumps: UInt8 = 0

  /// Sound runs since `instant`, from `frame` on.
  mutating func run(from frame: Int, since instant: Instant) {
    self.frame = frame
    runningSince = instant
  }

  /// What sounds fades out at one port and in at another: until that is done, it goes on from where it began (R5.1).
  mutating func fade(at now: Instant, rate: Int) {
    if runningSince != nil { run(from: frame(at: now, rate: rate), since: now) }
  }

  /// A track or another stream begins, or the operator has gone elsewhere.
  mutating func jump() { jumps &+= 1 }

  mutating func stand(at frame: Int) {
    self.frame = frame
    runningSince = nil
  }

  /// Nothing was heard for this long.
  mutating func skip(_ pause: Duration) {
    guard let since = runningSince else { return }
    runningSince = since + pause
    jump()
  }

  /// The frame heard at `now`, by the board's clock; the engine's next report puts it right to the frame. While sound
  /// fades in, as it does anywhere but at the start of a track, it is the frame at which that began.
  func frame(at now: Instant, rate: Int) -> Int {
    guard let since = runningSince else { return frame }
    let heard = max(0, now.frame(rate: rate) - since.frame(rate: rate))
    return frame > 0 && heard < Fade.time.frames(rate: rate) - 1 ? frame : frame + heard
  }
}
