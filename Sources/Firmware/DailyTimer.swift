import Board
import Driver
import Jukebox

/// The timer of what happens at a time of the day. Control thread.
final class DailyTimer {
  /// Readable when `takeDue` has to be called, and after the system has slept.
  var fileDescriptor: CInt { timer.fileDescriptor }
  private let clock: any WallClock
  private let timer = WallTimer()
  private var schedule: ClockSchedule
  private var isArmed = false

  init(_ settings: Settings, clock: any WallClock) {
    self.clock = clock
    schedule = ClockSchedule(settings, zone: .system)
  }

  /// What the brain has to know at power on.
  func begin() -> (hours: HoursReport?, quiet: QuietReport?, timetable: TimetableState?) {
    schedule.begin(at: clock.now, isKnown: clock.trust > .unknown)
  }

  /// Returns what is due now, each once: as what the brain is to be told.
  func takeDue() -> [Input] {
    guard !isArmed || hasRung() else { return [] }
    isArmed = true
    let now = clock.now
    let due = schedule.due(at: now, isKnown: clock.trust > .unknown)
    // Also armed if nothing has a time, as it wakes the control thread after a sleep; once a day costs nothing.
    timer.arm(at: schedule.next(after: now) ?? now.seconds + 86_400)
    return due
  }

  private func hasRung() -> Bool {
    switch timer.ring() {
    case .nothing: return false
    case .due: return true
    case .clockSet:
      clock.noteSet()
      return true
    }
  }
}
