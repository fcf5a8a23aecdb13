import AudioSession
import Testing

@testable import Jukebox

@Suite struct SaveScheduleTests {
  private func at(_ seconds: Int64) -> Instant { .powerOn + .seconds(seconds) }

  @Test("a change waits two seconds, and those after it wait no longer")
  func gathering() {
    var schedule = SaveSchedule(interval: .seconds(60), at: at(0))
    #expect(schedule.due == nil)
    schedule.change(at: at(5))
    #expect(schedule.due == at(7))
    schedule.change(at: at(6))
    #expect(schedule.due == at(7))
  }

  @Test("a change comes before the save that would have been due anyway, never after it")
  func earlier() {
    var schedule = SaveSchedule(interval: .seconds(60), at: at(0))
    schedule.goOn(at: at(1))
    #expect(schedule.due == at(60))
    schedule.change(at: at(59))
    #expect(schedule.due == at(60))
    schedule.change(at: at(10))
    #expect(schedule.due == at(12))
    schedule.goOn(at: at(11))
    #expect(schedule.due == at(12))
  }

  @Test("however often something changes, there is one save an interval on the average, and none later than that")
  func average() {
    var schedule = SaveSchedule(interval: .seconds(60), at: at(0))
    var saves: [Int64] = []
    for second in 0..<3_600 {
      schedule.change(at: at(Int64(second)))
      guard let due = schedule.due, due <= at(Int64(second)) else { continue }
      schedule.saved(at: at(Int64(second)))
      saves.append(Int64(second))
    }
    #expect(saves.prefix(6) == [2, 5, 8, 11, 14, 62])
    #expect(saves.count == 5 + 59)
    #expect(zip(saves, saves.dropFirst()).allSatisfy { $1 - $0 <= 60 })
  }

  @Test("a pause of five intervals gives back what a hurry has spent")
  func refilled() {
    var schedule = SaveSchedule(interval: .seconds(60), at: at(0))
    for _ in 0..<5 { schedule.saved(at: at(10)) }
    schedule.change(at: at(20))
    #expect(schedule.due == at(70))
    schedule.saved(at: at(70))
    schedule.change(at: at(1_000))
    #expect(schedule.due == at(1_002))
  }

  @Test("N6, W1: what is saved at once beyond a hurry lets no later change wait for more than an interval")
  func beyondHurry() {
    var schedule = SaveSchedule(interval: .seconds(60), at: at(0))
    for _ in 0..<9 { schedule.saved(at: at(10)) }
    schedule.change(at: at(20))
    #expect(schedule.due == at(70))
  }
}
