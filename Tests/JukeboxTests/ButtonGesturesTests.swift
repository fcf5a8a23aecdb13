import AudioSession
import Testing

@testable import Jukebox

@Suite struct ButtonGesturesTests {
  private func gestures(of button: Button, isDown: Bool = false) -> ButtonGestures {
    ButtonGestures(button: button, isDown: isDown, stuckAfter: .seconds(15), at: .powerOn)
  }

  @Test("A press counts once until it is released", arguments: Button.single)
  func presses(button: Button) {
    var gestures = self.gestures(of: button)
    #expect(gestures.pressed(isSecond: false, at: .powerOn) == .press)
    #expect(gestures.pressed(isSecond: false, at: .powerOn) == nil)
    gestures.released()
    #expect(gestures.pressed(isSecond: false, at: .powerOn) == .press)
  }

  @Test("Only Play knows a second press", arguments: Button.single)
  func twice(button: Button) {
    var gestures = self.gestures(of: button)
    #expect(gestures.pressed(isSecond: true, at: .powerOn) == (button == .play ? .twice : .press))
  }

  @Test("K3, K2: Play has a long press, volume repeats, the others have neither")
  func holds() {
    func firstHold(of button: Button) -> Duration? {
      var gestures = self.gestures(of: button)
      #expect(gestures.heldDue == nil)
      _ = gestures.pressed(isSecond: false, at: .powerOn)
      return gestures.heldDue.map { $0 - .powerOn }
    }
    #expect(firstHold(of: .play) == .seconds(1))
    for button in [Button.volumeUp, .volumeDown] { #expect(firstHold(of: button) == .milliseconds(400)) }
    for button in [Button.stop, .next, .previous] { #expect(firstHold(of: button) == nil) }
    var play = gestures(of: .play)
    #expect(play.heldTimerFired(at: .powerOn) == nil)
    _ = play.pressed(isSecond: false, at: .powerOn)
    #expect(play.heldTimerFired(at: .powerOn) == .held)
    #expect(play.heldDue == nil)
  }

  @Test("K2: repeats come faster and faster, down to 50 ms, and end with the release")
  func accelerates() {
    var gestures = self.gestures(of: .volumeUp)
    #expect(gestures.heldDue == nil)
    _ = gestures.pressed(isSecond: false, at: .powerOn)
    var pauses: [Duration] = []
    for _ in 0..<9 {
      #expect(gestures.heldTimerFired(at: .powerOn) == .repeated)
      if let pause = gestures.heldDue { pauses.append(pause - .powerOn) }
    }
    #expect(pauses == [175, 150, 125, 100, 75, 50, 50, 50, 50].map { .milliseconds($0) })
    gestures.released()
    #expect(gestures.heldDue == nil)
    #expect(gestures.heldTimerFired(at: .powerOn) == nil)
  }

  @Test("K4: a stuck button does nothing until it is released")
  func stuck() {
    for isDownAtPowerOn in [true, false] {
      var gestures = self.gestures(of: .volumeUp, isDown: isDownAtPowerOn)
      if !isDownAtPowerOn { _ = gestures.pressed(isSecond: false, at: .powerOn) }
      #expect(gestures.stuckTimerFired() == .stuck)
      #expect(gestures.phase == .ignored)
      #expect(gestures.pressed(isSecond: false, at: .powerOn) == nil)
      #expect(gestures.heldTimerFired(at: .powerOn) == nil)
      #expect(gestures.heldDue == nil)
      gestures.released()
      #expect(gestures.stuckTimerFired() == nil)
      #expect(gestures.pressed(isSecond: false, at: .powerOn) == .press)
    }
  }
}
