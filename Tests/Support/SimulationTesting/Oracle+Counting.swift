import AudioSession
import Jukebox
import Simulator

/// The counters (N rows).
extension Oracle {
  public func counted(_ sum: TrackCounts, isRestored: Bool, at now: Instant) {
    self.now = now
    countSound()
    demand(isRestored ? counting.restore(sum) : counting.check(sum))
  }

  /// What was audible since the last time, on whichever port; and whether the kiosk said that it plays.
  func countSound() {
    let frames = probes.mapValues(\.musicFrames)
    let most = frames.map { port, frames in frames - countedFrames[port, default: 0] }.max() ?? 0
    countedFrames = frames
    restOfFrames += most * 1_000
    counting.noteSound(milliseconds: restOfFrames / kiosk.board.rate)
    restOfFrames %= kiosk.board.rate
    if let scene = lastScene, scene.status?.state == .playing { counting.notePlaying(now - scene.at) }
  }

  func count(_ event: Event) {
    counting.note(event)
    guard event.name == .stateRestored, event["frame"] != "0", event["intent"] != "stopped" else { return }
    // Power on resumes in the middle of a track.
    counting.noteRestored(event["track"].flatMap { Int($0) }.flatMap(playlists.file))
  }
}
