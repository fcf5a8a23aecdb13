import AudioSession
import Board
import Jukebox

extension CountingMoment {
  /// Now, by both clocks; without a local time where nobody knows it.
  package init(_ now: Instant, _ clock: any WallClock) {
    let isKnown = clock.trust > .unknown
    self.init(instant: now, local: isKnown ? Local(clock.now) : nil)
  }
}

extension CountingMoment.Local {
  init(_ time: WallTime) {
    self.init(
      day: CalendarDay(time),
      second: (time.hour * 60 + time.minute) * 60 + time.second)
  }
}

extension CalendarDay {
  init(_ time: WallTime) { self.init(year: time.year, month: time.month, day: time.day) }
}
