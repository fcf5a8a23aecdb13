import Jukebox

/// What the counters must show (N rows): counted from the log and from the samples of the ports, without the brain's
/// counting.
struct CountingModel {
  /// What was counted since the very beginning.
  private struct Sums {
    var starts = 0
    var ends = 0
    /// Milliseconds in which music was audible: at least these are heard.
    var audible = 0
    /// The time in which the kiosk said that it plays: no more is heard.
    var playing = Duration.zero
    /// Pauses, plugs and the like, each of which blurs both by a fade and a wait.
    var turns = 0
  }

  /// What each turn may blur, in milliseconds.
  private static let blur = 20
  /// What may be heard and not handed on to be saved.
  private let interval: Int

  private var sums = Sums()
  /// The same at the last save that succeeded: at least this is there after a power cut.
  private var saved = Sums()
  /// What was counted when the power was cut last.
  private var atCut = TrackCounts()
  private var broken: Set<String> = []
  /// The file of the track that has begun and was not left.
  private var open: String?

  init(interval: Duration) { self.interval = Int(interval / .milliseconds(1)) }

  mutating func note(_ event: Event) {
    switch event.name {
    case .trackStarted:
      // What was not left goes on, wherever somebody has sought it.
      if open != event["file"] { sums.starts += 1 }
      open = event["file"]
      sums.turns += 1
    case .trackEnded:
      if let file = event["file"], broken.remove(file) == nil { sums.ends += 1 }
      open = nil
    case .trackFailed: if event["frame"] != nil, let file = event["file"] { broken.insert(file) }
    case .playbackStopped: open = nil
    case .stateSaved: if event["error"] == nil { saved = sums }
    default: sums.turns += 1
    }
  }

  /// Somebody has skipped or chosen: whatever sounds from now on begins again, wherever that is.
  mutating func noteLeft() { open = nil }

  /// The track that power on goes on with, where it is one in its middle.
  mutating func noteRestored(_ file: String?) { open = file }

  mutating func noteSound(milliseconds: Int) { sums.audible += milliseconds }

  mutating func notePlaying(_ time: Duration) { sums.playing += time }

  /// Checks the counters just before the power is cut, or at the end.
  mutating func check(_ sum: TrackCounts) -> Mismatch? {
    atCut = sum
    if sum.starts != sums.starts { return Mismatch("N1", "\(sum.starts) starts are counted, expected \(sums.starts)") }
    if sum.ends != sums.ends { return Mismatch("N1", "\(sum.ends) ends are counted, expected \(sums.ends)") }
    let blur = Self.blur * (sums.turns + 1)
    let playing = Int(sums.playing / .milliseconds(1))
    if (sums.audible - blur - interval...playing + blur).contains(sum.milliseconds) { return nil }
    return Mismatch(
      "N1", "\(sum.milliseconds) ms are counted, \(sums.audible) were audible and it played for \(playing)")
  }

  /// Checks the counters at power on: nothing is counted twice, and at most what was not saved is lost.
  mutating func restore(_ sum: TrackCounts) -> Mismatch? {
    // A save holds all that was heard until then.
    let least = saved.audible - Self.blur * (saved.turns + 1)
    let isKept =
      (saved.starts...sums.starts).contains(sum.starts) && (saved.ends...sums.ends).contains(sum.ends)
      && sum.milliseconds >= least && sum.milliseconds <= atCut.milliseconds
    if !isKept {
      return Mismatch(
        "N2",
        "\(sum.starts) starts, \(sum.ends) ends and \(sum.milliseconds) ms are left, expected at least "
          + "\(saved.starts), \(saved.ends) and \(least), at most \(sums.starts), \(sums.ends) and "
          + "\(atCut.milliseconds)")
    }
    sums = Sums(starts: sum.starts, ends: sum.ends, audible: sum.milliseconds, playing: .milliseconds(sum.milliseconds))
    saved = sums
    broken = []
    open = nil
    return nil
  }
}
