import Board
import Glibc
import Jukebox
import Testing

@testable import Firmware

@Suite struct WallTimerTests {
  private func isReadable(_ descriptor: CInt) -> Bool {
    var polled = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 1
  }

  @Test("it rings once after its moment, and not before")
  func rings() {
    let timer = WallTimer()
    let now = SystemWallClock().now.seconds
    timer.arm(at: now + 86_400)
    #expect(!isReadable(timer.fileDescriptor) && timer.ring() == .nothing)
    timer.arm(at: now - 1)
    #expect(isReadable(timer.fileDescriptor) && timer.ring() != .nothing)
    #expect(!isReadable(timer.fileDescriptor) && timer.ring() == .nothing)
    timer.arm(at: 0)
    #expect(timer.ring() != .nothing)
  }

  @Test("a cue of this minute is due at the start, once, and the timer waits for the next day")
  func daily() {
    let clock = StillWallClock()
    let time = TimeOfDay(hour: clock.now.hour, minute: clock.now.minute)
    var settings = Settings()
    settings.timetable = [TimetableEntry(.cue("b"), .at([time]))]
    let daily = DailyTimer(settings, clock: clock)
    let today = CalendarDay(year: clock.now.year, month: clock.now.month, day: clock.now.day)
    guard case .scheduled(let moment)? = daily.takeDue().first else {
      Issue.record("nothing is due")
      return
    }
    #expect(moment.entry == 0 && moment.day == today && moment.time == time)
    #expect(daily.takeDue() == [])
    #expect(!isReadable(daily.fileDescriptor))
  }

  @Test("H1: what the clock says of the hours is told once, at power on or then, and the timer waits for a boundary")
  func hours() {
    let allDay = WeekCalendar.Range(from: .midnight, to: .midnight)
    let days = Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, [allDay]) })
    var settings = Settings()
    settings.hours = HoursSettings(WeekCalendar(days: days))
    let daily = DailyTimer(settings, clock: StillWallClock())
    #expect(daily.begin().hours == .known(isOpen: true, until: nil))
    #expect(daily.takeDue() == [] && !isReadable(daily.fileDescriptor))
    settings.hours = HoursSettings(WeekCalendar())
    let closed = DailyTimer(settings, clock: StillWallClock())
    #expect(closed.takeDue() == [.hours(.known(isOpen: false, until: nil))] && closed.takeDue() == [])
    #expect(DailyTimer(Settings(), clock: StillWallClock()).begin().hours == nil)
  }
}
