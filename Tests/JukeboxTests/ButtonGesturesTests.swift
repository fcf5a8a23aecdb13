import Testing

@testable import Jukebox

@Suite struct ButtonGesturesTests {
  @Test("A press counts once until it is released", arguments: Button.single)
  func presses(button: Button) {
    var gestures = ButtonGestures(button: button, isDown: false)
    #expect(gestures.pressed(isSecond: false) == .press)
    #expect(gestures.pressed(isSecond: false) == nil)
    gestures.released()
    #expect(gestures.pressed(isSecond: false) == .press)
  }

  @Test("Only Play knows a second press", arguments: Button.single)
  func twice(button: Button) {
    var gestures = ButtonGestures(button: button, isDown: false)
    #expect(gestures.pressed(isSecond: true) == (button == .play ? .twice : .press))
  }

  @Test("K3, K2: Play has a long press, volume repeats, the others have neither")
  func holds() {
    func firstHold(of button: Button) -> Duration? {
      var gestures = ButtonGestures(button: button, isDown: false)
      #expect(gestures.firstHold == nil)
      _ = gestures.pressed(isSecond: false)
      return gestures.firstHold
    }
    #expect(firstHold(of: .play) == .seconds(1))
    for button in [Button.volumeUp, .volumeDown] { #expect(firstHold(of: button) == .milliseconds(400)) }
    for button in [Button.stop, .next, .previous] { #expect(firstHold(of: button) == nil) }
    var play = ButtonGestures(button: .play, isDown: false)
    #expect(play.heldTimerFired() == nil)
    _ = play.pressed(isSecond: false)
    #expect(play.heldTimerFired() == .held)
    #expect(play.nextRepeat == nil)
  }

  @Test("K2: repeats come faster and faster, down to 50 ms, and end with the release")
  func accelerates() {
    var gestures = ButtonGestures(button: .volumeUp, isDown: false)
    #expect(gestures.nextRepeat == nil)
    _ = gestures.pressed(isSecond: false)
    var pauses: [Duration] = []
    for _ in 0..<9 {
      #expect(gestures.heldTimerFired() == .repeated)
      if let pause = gestures.nextRepeat { pauses.append(pause) }
    }
    #expect(pauses == [175, 150, 125, 100, 75, 50, 50, 50, 50].map { .milliseconds($0) })
    gestures.released()
    #expect(gestures.nextRepeat == nil)
    #expect(gestures.heldTimerFired() == nil)
  }

  @Test("K4: a stuck button does nothing until it is released")
  func stuck() {
    for isDownAtPowerOn in [true, false] {
      var gestures = ButtonGestures(button: .volumeUp, isDown: isDownAtPowerOn)
      if !isDownAtPowerOn { _ = gestures.pressed(isSecond: false) }
      #expect(gestures.stuckTimerFired() == .stuck)
      #expect(gestures.phase == .ignored)
      #expect(gestures.pressed(isSecond: false) == nil)
      #expect(gestures.heldTimerFired() == nil)
      #expect(gestures.nextRepeat == nil)
      gestures.released()
      #expect(gestures.stuckTimerFired() == nil)
      #expect(gestures.pressed(isSecond: false) == .press)
    }
  }
}
