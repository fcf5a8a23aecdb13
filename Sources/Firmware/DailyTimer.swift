import AudioSession
import Board
import Driver
import Jukebox

/// The timer of what happens at a time of the day. Control thread.
final class DailyTimer {
  /// Readable when `takeDue` has to be called, and after the system has slept.
  var fileDescriptor: CInt { timer.fileDescriptor }
  private let clock: any WallClock
  private let boardClock: any BoardClock
  private var sleepDetector = SleepDetector()
  private let timer = WallTimer()
  private var schedule: ClockSchedule
  private var isArmed = false

  init(_ settings: Settings, clock: any WallClock, boardClock: any BoardClock) {
    (self.clock, self.boardClock) = (clock, boardClock)
    schedule = ClockSchedule(settings, zone: .system)
    _ = hasSlept()
  }

  /// What the brain has to know at power on.
  func begin() -> (hours: HoursReport?, quiet: HoursReport?, timetable: TimetableState?) {
    schedule.begin(at: clock.now, isKnown: clock.trust > .unknown)
  }

  /// Returns what is due now, each once, as inputs of the brain.
  func takeDue() -> [Input] {
    guard !isArmed || note(timer.ring()) else { return [] }
    isArmed = true
    let now = clock.now
    let due = schedule.due(at: now, isKnown: clock.trust > .unknown)
    // Also armed if nothing has a time, because it wakes the control thread after a sleep; once a day costs nothing.
    timer.arm(at: schedule.next(after: now) ?? now.seconds + 86_400)
    return due
  }

  /// Returns whether the time has to be looked at.
  func note(_ ring: WallTimer.Ring) -> Bool {
    if ring == .nothing { return false }
    // The kernel says the same where the system was only asleep, which sets no clock right.
    if !hasSlept(), ring == .clockSet { clock.noteSet() }
    return true
  }

  /// Since the timer rang last.
  private func hasSlept() -> Bool { sleepDetector.detectSleep(boot: boardClock.boot, monotonic: boardClock.now) }
}
