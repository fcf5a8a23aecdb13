import AudioSession
import Jukebox
import Testing

@testable import SimulationTesting

@Suite struct DailyCueModelTests {
  /// Plays what happens at these seconds, on a clock that begins at 12:59:00, and returns the first mismatch.
  private func mismatch(_ steps: [(Int, String)], isStorageGood: Bool = true) -> Mismatch? {
    var model = DailyCueModel()
    model.setClock(to: TimeOfDay(hour: 12, minute: 59), second: 0, at: .powerOn)
    for (second, word) in steps {
      let now = Instant.powerOn + .seconds(second)
      var events: [Event] = []
      switch word {
      case "cut": model.cutPower()
      case "back": model.setClock(to: TimeOfDay(hour: 12, minute: 59), second: 0, at: now)
      case "begins": events = [Event(.cueStarted, .info, ["cue": DailyCueModel.cue])]
      case "ends": events = [Event(.cueEnded, .info, ["cue": DailyCueModel.cue])]
      case "other":
        events = [Event(.cueStarted, .info, ["cue": "welcome"]), Event(.cueEnded, .info, ["cue": "welcome"])]
      case "saved": events = [Event(.stateSaved, .debug, [:])]
      default: break
      }
      for event in events {
        if let found = model.check(event, isStorageGood: isStorageGood, at: now) { return found }
      }
    }
    return nil
  }

  @Test("N6: the cue of the day that is spoken again on that day is a mismatch, across power cuts and clocks set back")
  func again() {
    #expect(mismatch([(60, "begins"), (66, "ends"), (70, "begins")])?.row == "N6")
    #expect(mismatch([(60, "begins"), (66, "ends"), (67, "cut"), (70, "begins")])?.row == "N6")
    #expect(mismatch([(60, "begins"), (66, "ends"), (67, "back"), (68, "cut"), (127, "begins")])?.row == "N6")
  }

  @Test("N6: what a power cut has cut off, another cue, the next day, and a storage that fails, are none")
  func others() {
    #expect(mismatch([(60, "begins"), (62, "cut"), (64, "begins"), (70, "ends")]) == nil)
    #expect(mismatch([(60, "other"), (66, "begins"), (72, "ends"), (73, "other")]) == nil)
    #expect(mismatch([(60, "begins"), (66, "ends"), (60 + 86_400, "begins")]) == nil)
    #expect(mismatch([(60, "begins"), (66, "ends"), (67, "cut"), (70, "begins")], isStorageGood: false) == nil)
    #expect(
      mismatch([(60, "begins"), (66, "ends"), (67, "saved"), (68, "cut"), (70, "begins")], isStorageGood: false)?.row
        == "N6")
  }
}
