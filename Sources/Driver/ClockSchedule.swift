import Board
import Jukebox

/// Everything that the brain gets because of the time of day: opening and quiet hours, and the timetable. It has no
/// clock of its own.
package struct ClockSchedule {
  private var hours: HoursClock
  private var quiet: HoursClock
  private var timetable: TimetableClock

  package init(_ settings: Settings, zone: LocalZone) {
    hours = HoursClock(settings.hours?.calendar, zone: zone)
    quiet = HoursClock(settings.quiet?.calendar, zone: zone)
    timetable = TimetableClock(settings.timetable, hours: settings.hours?.calendar, zone: zone)
  }

  /// What the brain has to know at power on.
  package mutating func begin(
    at now: WallTime, isKnown: Bool
  ) -> (hours: HoursReport?, quiet: HoursReport?, timetable: TimetableState?) {
    (
      hours.report(at: now, isKnown: isKnown), quiet.report(at: now, isKnown: isKnown),
      timetable.state(at: now, isKnown: isKnown)
    )
  }

  /// The second at which something is due next if nobody sets the clock; nil: never.
  package mutating func next(after now: WallTime) -> Int? {
    [hours.next(after: now), quiet.next(after: now), timetable.next(after: now)].compactMap { $0 }.min()
  }

  /// What is due now. It gets quiet before anything else, so that nothing begins louder. Playlist and volume come before an
  /// opening, whose music begins with them, and after a closing, which they do not disturb; what is done once comes
  /// after both, so that a cue and a start at the minute of opening are obeyed.
  package mutating func due(at now: WallTime, isKnown: Bool) -> [Input] {
    let quieter = quiet.news(at: now, isKnown: isKnown).map { [Input.quiet($0)] } ?? []
    let report = hours.news(at: now, isKnown: isKnown)
    if timetable.isAtRest(at: now, isKnown: isKnown) { return quieter + (report.map { [.hours($0)] } ?? []) }
    let state = timetable.news(at: now, isKnown: isKnown).map { Input.timetable($0) }
    let isOpening = report?.isWithin == true
    let hours = report.map { Input.hours($0) }
    let first = isOpening ? [state, hours] : [hours, state]
    let moments = timetable.due(at: now, isKnown: isKnown)
    return quieter + first.compactMap { $0 } + moments.map { isKnown ? .scheduled($0) : .missed($0) }
  }
}
