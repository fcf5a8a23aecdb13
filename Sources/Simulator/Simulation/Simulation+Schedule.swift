import AudioSession
import Jukebox

/// Cues at a time of the day, by the simulated calendar.
extension Simulation {
  /// When one is due next.
  var scheduleMoment: Instant? {
    let now = wallClock.now
    guard driver != nil, let second = schedule.next(after: now) else { return nil }
    // The calendar's seconds begin where the board's do.
    return Instant(nanoseconds: (clock.now.nanoseconds / 1_000_000_000 + Int64(second - now.seconds)) * 1_000_000_000)
  }

  func feedSchedule() {
    guard let driver else { return }
    for cue in schedule.due(at: wallClock.now) { driver.feed(.scheduled(cue: cue), at: clock.now) }
  }
}
