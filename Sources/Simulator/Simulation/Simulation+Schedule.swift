import AudioSession
import Jukebox

/// What happens at a time of the day, by the simulated calendar.
extension Simulation {
  /// When the next of it is due.
  var scheduleDue: Instant? {
    let now = wallClock.now
    guard driver != nil, let second = schedule.next(after: now) else { return nil }
    // The seconds of the calendar begin together with those of the board's clock.
    return Instant(nanoseconds: (clock.now.nanoseconds / 1_000_000_000 + Int64(second - now.seconds)) * 1_000_000_000)
  }

  /// The music is listed when it has not changed for a moment, or was asked for.
  func feedMusic() {
    guard let driver, let due = music.due, due <= clock.now else { return }
    driver.feed(.library(music.list()), at: clock.now)
  }

  func feedHeadsets() {
    guard let driver else { return }
    for report in headsets.takeReports(at: clock.now) { driver.feed(.headset(report), at: clock.now) }
  }

  func feedSchedule() {
    guard let driver else { return }
    let isKnown = wallClock.trust > .unknown
    for input in schedule.due(at: wallClock.now, isKnown: isKnown) {
      driver.feed(input, at: clock.now)
    }
  }
}
