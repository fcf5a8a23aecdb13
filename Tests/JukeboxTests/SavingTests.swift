import AudioSession
import Testing

@testable import Jukebox

@Suite struct SavingTests {
  private func at(_ seconds: Int64) -> Instant { .powerOn + .seconds(seconds) }

  private func state(
    frame: Int = 0, intent: Intent = .playing, played: Int = 0, isMoving: Bool = true, jumps: UInt8 = 0,
    doneCues: [DoneCue] = []
  ) -> SaveableState {
    let state = SavedState(
      volumes: [:], track: "1", frame: frame, intent: intent, port: .speaker, played: played, doneCues: doneCues)
    return SaveableState(state, isMoving: isMoving, isAskedFor: false, jumps: jumps)
  }

  @Test("what is there at power on is no change, and a change is saved two seconds after it")
  func change() {
    var saving = Saving(interval: .seconds(60), at: at(0))
    saving.compare(state(intent: .paused), isSounding: false, at: at(0))
    #expect(saving.due == nil)
    saving.compare(state(intent: .paused), isSounding: false, at: at(1))
    #expect(saving.due == nil)
    saving.compare(state(intent: .stopped), isSounding: false, at: at(5))
    #expect(saving.due == at(7))
    saving.compare(state(intent: .stopped), isSounding: false, at: at(6))
    #expect(saving.due == at(7))
  }

  @Test("N6: a cue that is done for the day is saved at once, also where saves were many")
  func doneCue() {
    var saving = Saving(interval: .seconds(60), at: at(0))
    saving.compare(state(), isSounding: true, at: at(0))
    for _ in 0..<9 { saving.begin(at: at(5)) }
    let done = DoneCue(
      cue: "a", date: CalendarDay(year: 2026, month: 1, day: 1), times: [TimeOfDay(hour: 1, minute: 2)])
    saving.compare(state(jumps: 1, doneCues: [done]), isSounding: true, at: at(6))
    #expect(saving.due == at(6))
    saving.begin(at: at(6))
    saving.compare(state(jumps: 1, doneCues: [done]), isSounding: false, at: at(7))
    #expect(saving.due == nil)
  }

  @Test("the place in the track is worth a save of its own where it rests or jumps, not where it moves on")
  func place() {
    var saving = Saving(interval: .seconds(60), at: at(0))
    saving.compare(state(frame: 1), isSounding: true, at: at(0))
    #expect(saving.due == at(60))
    saving.compare(state(frame: 2, played: 1), isSounding: true, at: at(1))
    #expect(saving.due == at(60))
    saving.compare(state(frame: 3, jumps: 1), isSounding: true, at: at(2))
    #expect(saving.due == at(4))
    saving.begin(at: at(4))
    saving.compare(state(frame: 4, isMoving: false, jumps: 1), isSounding: false, at: at(5))
    #expect(saving.due == at(7))
  }

  @Test("W3: a failure is tried again, and reported once until saving works")
  func failure() {
    var saving = Saving(interval: .seconds(60), at: at(0))
    saving.begin(at: at(10))
    saving.failed(at: at(10))
    #expect(saving.due == at(70))
    #expect(!saving.hasReportedFailure)
    saving.reportFailure()
    #expect(saving.hasReportedFailure)
    saving.succeeded()
    #expect(!saving.hasReportedFailure)
  }
}
