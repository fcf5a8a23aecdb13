import Board
import Jukebox

/// Everything that the brain is told because of the time of day: opening hours, and cues. It has no clock of its own.
package struct ClockSchedule {
  private var hours: HoursClock
  private var cues: DailySchedule

  package init(_ hours: HoursSettings?, cues: [Cue], zone: LocalZone) {
    self.hours = HoursClock(hours, zone: zone)
    self.cues = DailySchedule(cues: cues, zone: zone)
  }

  /// What the brain has to know at power on.
  package mutating func hours(at now: WallTime, isKnown: Bool) -> HoursReport? {
    hours.report(at: now, isKnown: isKnown)
  }

  /// The second at which something is due next if nobody sets the clock; nil: never.
  package mutating func next(after now: WallTime) -> Int? {
    [hours.next(after: now), cues.next(after: now)].compactMap { $0 }.min()
  }

  /// What is due now. The hours come first: a cue at the minute of opening is spoken.
  package mutating func due(at now: WallTime, isKnown: Bool) -> [Input] {
    let news = hours.news(at: now, isKnown: isKnown).map { Input.hours($0) }
    return (news.map { [$0] } ?? []) + cues.due(at: now, isKnown: isKnown).map { $0.input(isKnown: isKnown) }
  }
}
