import AudioSession
import Jukebox
import Testing

@testable import SimulationTesting

@Suite struct OvertakenPressesTests {
  @Test("P1: a press that was under way at the unplug is overtaken until its button is up")
  func press() {
    var presses = OvertakenPresses()
    presses.overtake(["BTN_PLAY"], at: .powerOn)
    #expect(presses.isOvertaken("BTN_PLAY", .play, gesture: "held"))
    #expect(!presses.isOvertaken("BTN_NEXT", .next, gesture: nil))
    presses.release("BTN_PLAY")
    #expect(!presses.isOvertaken("BTN_PLAY", .play, gesture: nil))
  }

  @Test("K3: the second press of two is overtaken with the first")
  func secondOfOvertaken() {
    var presses = OvertakenPresses()
    presses.overtake(["BTN_PLAY"], at: .powerOn)
    presses.press(.play, gesture: nil, on: "BTN_PLAY", at: .powerOn)
    presses.release("BTN_PLAY")
    #expect(presses.isOvertaken("BTN_PLAY", .play, gesture: "twice"))
  }

  @Test("K3: the second press of two is overtaken only within its time, and not by a sleep", arguments: [399, 401])
  func second(milliseconds: Int64) {
    var presses = OvertakenPresses()
    presses.press(.play, gesture: nil, on: "BTN_PLAY", at: .powerOn)
    presses.overtake([], at: .powerOn + .milliseconds(milliseconds))
    #expect(presses.isOvertaken("BTN_PLAY", .play, gesture: "twice") == (milliseconds < 400))
    presses.release("BTN_PLAY")
    presses.wake()
    #expect(!presses.isOvertaken("BTN_PLAY", .play, gesture: "twice"))
  }
}
