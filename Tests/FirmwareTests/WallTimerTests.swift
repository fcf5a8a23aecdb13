import AudioSession
import Board
import Glibc
import Jukebox
import Testing
import Threads

@testable import Firmware

@Suite struct WallTimerTests {
  private let boardClock = MonotonicClock(startsNow: true)

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

  @Test("N5.1: a clock that was set while the timer was being armed is told of at once, and once")
  func setMeanwhile() {
    let answers = Locked([ECANCELED, 0])
    let timer = WallTimer { descriptor, second in
      let answer = answers.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
      _ = WallTimer.setKernelTimer(descriptor, to: second)
      return answer
    }
    timer.arm(at: SystemWallClock().now.seconds + 86_400)
    #expect(isReadable(timer.fileDescriptor))
    #expect(timer.ring() == .clockSet && timer.ring() == .nothing)
    timer.arm(at: 1)
    #expect(timer.ring() == .due)
  }

  @Test("a cue of this minute is due at the start, once, and the timer waits for the next day")
  func daily() {
    let clock = StillWallClock()
    let time = TimeOfDay(hour: clock.now.hour, minute: clock.now.minute)
    var settings = Settings()
    settings.timetable = [TimetableEntry(.cue("b"), .at([time]))]
    let daily = DailyTimer(settings, clock: clock, boardClock: boardClock)
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
    let daily = DailyTimer(settings, clock: StillWallClock(), boardClock: boardClock)
    #expect(daily.begin().hours == .known(isWithin: true, until: nil))
    #expect(daily.takeDue() == [] && !isReadable(daily.fileDescriptor))
    settings.hours = HoursSettings(WeekCalendar())
    let closed = DailyTimer(settings, clock: StillWallClock(), boardClock: boardClock)
    #expect(closed.takeDue() == [.hours(.known(isWithin: false, until: nil))] && closed.takeDue() == [])
    #expect(DailyTimer(Settings(), clock: StillWallClock(), boardClock: boardClock).begin().hours == nil)
  }

  /// Somebody has set it this often.
  private final class CountingWallClock: WallClock {
    let now = SystemWallClock().now
    let settings = Locked(0)
    func noteSet() { settings.withLock { $0 += 1 } }
  }

  private final class SleepingClock: BoardClock {
    let slept = Locked(Duration.zero)
    let now = Instant.powerOn
    var boot: Instant { now + slept.withLock { $0 } }
  }

  @Test("N5.1: nobody has set the clock where the system was only asleep")
  func asleep() {
    let (clock, board) = (CountingWallClock(), SleepingClock())
    let daily = DailyTimer(Settings(), clock: clock, boardClock: board)
    for (slept, set) in [(0, 1), (3_600, 1), (3_600, 2), (3_601, 2)] {
      board.slept.withLock { $0 = .seconds(slept) }
      #expect(daily.note(.clockSet) && clock.settings.withLock { $0 } == set, "\(slept)")
    }
    // It slept through a moment at which something is due.
    board.slept.withLock { $0 = .seconds(4_000) }
    #expect(daily.note(.due) && daily.note(.clockSet) && clock.settings.withLock { $0 } == 3)
    #expect(!daily.note(.nothing))
  }
}
