import Board
import Driver
import Jukebox

/// The cues that are spoken at a time of the day. Control thread.
final class DailyTimer {
  /// Readable when it is worth asking what is due, and after the system has slept.
  var fileDescriptor: CInt { timer.fileDescriptor }
  private let clock: any WallClock
  private let timer = WallTimer()
  private var schedule: DailySchedule
  private var isArmed = false

  init(cues: [Cue], clock: any WallClock) {
    self.clock = clock
    schedule = DailySchedule(cues: cues, zone: .system)
  }

  /// The cues that are due now, each told once.
  func takeDue() -> [Int] {
    guard !isArmed || timer.hasRung() else { return [] }
    isArmed = true
    let now = clock.now
    let due = schedule.due(at: now)
    // Without a time it still rings when the system wakes; once a day is no burden.
    timer.arm(at: schedule.next(after: now) ?? now.seconds + 86_400)
    return due
  }
}
