import Board
import Driver
import Jukebox

/// The timer of the cues that are spoken at a time of the day. Control thread.
final class DailyTimer {
  /// Readable when `takeDue` has to be called, and after the system has slept.
  var fileDescriptor: CInt { timer.fileDescriptor }
  private let clock: any WallClock
  private let timer = WallTimer()
  private var schedule: DailySchedule
  private var isArmed = false

  init(cues: [Cue], clock: any WallClock) {
    self.clock = clock
    schedule = DailySchedule(cues: cues, zone: .system)
  }

  /// Returns the cues that are due now, each once: as what the brain is to be told.
  func takeDue() -> [Input] {
    guard !isArmed || hasRung() else { return [] }
    isArmed = true
    let now = clock.now
    let isKnown = clock.trust > .unknown
    let due = schedule.due(at: now, isKnown: isKnown)
    // Also armed if no cue has a time, as it wakes the control thread after a sleep; once a day costs nothing.
    timer.arm(at: schedule.next(after: now) ?? now.seconds + 86_400)
    return due.map { $0.input(isKnown: isKnown) }
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
