import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct ButtonRows {
  @Test("K1: a press is one action, whatever the contact does within the debounce time")
  func oneAction() {
    let kiosk = Kiosk()
    for asserted in [true, false, true, false, true] {
      kiosk.edge("play", asserted, then: .milliseconds(5))
    }
    kiosk.wait(.milliseconds(100))
    for asserted in [false, true, false] {
      kiosk.edge("play", asserted, then: .milliseconds(5))
    }
    kiosk.wait(.milliseconds(100))
    #expect(kiosk.names(.buttonPressed).count == 1)
    #expect(kiosk.last(.buttonPressed)?["button"] == "play")
    #expect(kiosk.status.state == .playing)
  }

  @Test("K1: a contact that only flickers does nothing")
  func flicker() {
    let kiosk = Kiosk()
    kiosk.forget()
    kiosk.edge("play", true)
    kiosk.edge("play", false, then: .seconds(20))
    #expect(kiosk.names(.buttonPressed).isEmpty)
    #expect(kiosk.status.state == .stopped)
  }

  @Test("K1.1: a key of a device is one press however short it is, and as many as there are in one instant")
  func keys() {
    let kiosk = Kiosk(selectors: [Line(name: "KEY", role: .button(.volumeUp), debounce: .zero)]) {
      $0.startVolume = 10
      $0.volumeStep = 1
    }
    for _ in 1...40 {
      kiosk.edge("KEY", true)
      kiosk.edge("KEY", false)
    }
    #expect(kiosk.status.volume == 50)
    #expect(kiosk.names(.buttonPressed).count == 40)
    kiosk.wait(.seconds(60))
    #expect(kiosk.status.volume == 50)
  }

  @Test("K1: every button does its action once")
  func everyButton() {
    let kiosk = Kiosk()
    kiosk.pressOnce(.play)
    #expect(kiosk.status.state == .playing)
    kiosk.pressOnce(.next)
    #expect(kiosk.status.track == 2)
    kiosk.pressOnce(.previous)
    #expect(kiosk.status.track == 1)
    kiosk.pressOnce(.volumeDown)
    #expect(kiosk.status.volume == 45)
    kiosk.pressOnce(.volumeUp)
    #expect(kiosk.status.volume == 50)
    kiosk.pressOnce(.stop)
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.names(.buttonPressed).count == 6)
  }

  @Test("K2: a held volume button repeats ever faster and stops at the ceiling")
  func repeats() {
    let kiosk = Kiosk(plugged: ["JACK"]) {
      $0.startVolume = 10
      $0.volumeStep = 5
    }
    kiosk.forget()
    kiosk.edge("volume-up", true)
    var times: [Duration] = []
    for _ in 0..<3_000 {
      let before = kiosk.names(.volumeChanged).count
      kiosk.wait(.milliseconds(1))
      if kiosk.names(.volumeChanged).count > before { times.append(kiosk.now - .powerOn) }
    }
    let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(kiosk.status.volume == 80)
    #expect(times.count == 14)
    #expect(times.first == .milliseconds(30))
    #expect(pauses.first == .milliseconds(400))
    #expect(pauses.dropFirst() == pauses.dropFirst().sorted(by: >)[...])
    #expect(pauses.last == .milliseconds(50))
    #expect(kiosk.timers[.held(kiosk.line("volume-up"))] == nil)
    #expect(kiosk.names(.buttonPressed).count == 1)
  }

  @Test("K2: a released volume button stops at once")
  func repeatEnds() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.press(.volumeDown, for: .milliseconds(500))
    let volume = kiosk.status.volume
    #expect(volume == 50)
    kiosk.wait(.seconds(5))
    #expect(kiosk.status.volume == volume)
  }

  @Test("K3: Play held for a second is Next or Previous or nothing, as set, and is heard")
  func playHeld() {
    for (action, track) in [(Settings.GestureAction.next, 3), (.previous, 1), (.nothing, 2)] {
      for wasPlaying in [false, true] {
        let kiosk = Kiosk { $0.playHeld = action }
        kiosk.type("next")
        if wasPlaying { kiosk.type("play") }
        kiosk.forget()
        kiosk.press(.play, for: .milliseconds(1_500))
        #expect(kiosk.status.track == track)
        #expect((kiosk.sounding != nil) == (action != .nothing || !wasPlaying))
        #expect(kiosk.names(.buttonPressed).map { $0["gesture"] } == [nil, "held"])
      }
    }
  }

  @Test("K3: Play that is let go before a second is no long press")
  func notHeld() {
    let kiosk = Kiosk()
    kiosk.press(.play, for: .milliseconds(990), then: .seconds(3))
    #expect(kiosk.status.track == 1)
    #expect(kiosk.names(.buttonPressed).count == 1)
  }

  @Test("K3: Play twice is Previous or Next or an ordinary second press, as set")
  func playTwice() {
    let actions: [(Settings.GestureAction, Int, Bool)] = [(.previous, 1, true), (.next, 3, true), (.nothing, 2, false)]
    for (action, track, sounds) in actions {
      let kiosk = Kiosk { $0.playTwice = action }
      kiosk.type("next")
      kiosk.forget()
      kiosk.press(.play, then: .milliseconds(100))
      kiosk.press(.play, then: .seconds(1))
      #expect(kiosk.status.track == track)
      #expect((kiosk.sounding != nil) == sounds)
      #expect(kiosk.names(.buttonPressed).map { $0["gesture"] } == [nil, action == .nothing ? nil : "twice"])
    }
  }

  @Test("K3: two presses with time or another button between them are two presses")
  func notTwice() {
    let slow = Kiosk()
    slow.pressOnce(.play)
    slow.pressOnce(.play)
    #expect(slow.status.state == .paused)
    let between = Kiosk()
    between.press(.play)
    between.press(.volumeUp)
    between.press(.play)
    #expect(between.status.state == .paused)
  }

  @Test("K3: a second press that is held is one gesture, not two")
  func twiceAndHeld() {
    let kiosk = Kiosk(tracks: 5)
    kiosk.type("next")
    kiosk.type("next")
    kiosk.press(.play)
    kiosk.press(.play, for: .seconds(2))
    #expect(kiosk.status.track == 2)
    #expect(kiosk.names(.buttonPressed).map { $0["gesture"] } == [nil, "twice"])
  }

  @Test("K4: a button down at power on or for too long is reported once and ignored until it is up")
  func stuck() {
    for atPowerOn in [true, false] {
      let kiosk = Kiosk(plugged: atPowerOn ? ["volume-up"] : []) { $0.startVolume = 10 }
      if !atPowerOn { kiosk.edge("volume-up", true) }
      kiosk.wait(.seconds(15) + .milliseconds(29))
      if atPowerOn { #expect(kiosk.status.volume == 10) }
      kiosk.wait(.milliseconds(1))
      #expect(kiosk.names(.lineStuck).map { $0["line"] } == ["volume-up"])
      kiosk.type("volume 10", then: .seconds(60))
      #expect(kiosk.names(.lineStuck).count == 1)
      #expect(kiosk.status.volume == 10)
      kiosk.edge("volume-up", false, then: .milliseconds(30))
      kiosk.pressOnce(.volumeUp)
      #expect(kiosk.status.volume == 15)
    }
  }

  @Test("K4: a line that chatters without end is reported once, and when it rests it is where it stands")
  func chatter() {
    for name in ["play", "JACK"] {
      let kiosk = Kiosk()
      for edge in 1...40_001 {
        kiosk.wait(.milliseconds(1))
        kiosk.edge(name, edge % 2 == 1)
      }
      #expect(kiosk.names(.lineStuck).map { $0["line"] } == [name])
      #expect(kiosk.names(.lineStuck).first?["edges"] == "9999")
      kiosk.wait(.milliseconds(30))
      #expect(kiosk.names(.buttonPressed).count == (name == "play" ? 1 : 0))
      #expect(kiosk.names(.portConnected).count == (name == "JACK" ? 1 : 0))
    }
  }

  @Test("K4: how long a press may last is a setting")
  func stuckAfter() {
    let kiosk = Kiosk { $0.stuckAfter = .seconds(2) }
    kiosk.press(.stop, for: .seconds(3))
    #expect(kiosk.names(.lineStuck).count == 1)
  }

  @Test("K4: an unknown line does nothing")
  func unknownLine() {
    let kiosk = Kiosk()
    let before = kiosk.jukebox
    kiosk.feed(.edge(LineID(99), asserted: true, at: kiosk.now))
    kiosk.feed(.edge(LineID(-1), asserted: true, at: kiosk.now))
    for timer in [TimerID.settle(LineID(99)), .held(LineID(99)), .stuck(LineID(-1)), .settle(LineID(0))] {
      kiosk.feed(.timer(timer))
    }
    #expect(kiosk.jukebox == before)
  }

  @Test("K3: a sensor between two presses of Play makes no two presses of them")
  func sensorBetween() {
    let kiosk = Kiosk(selectors: [
      ContactRows.line("PIR", .track(.number(2)), Manners(.once, ignoreAtBoot: .seconds(86_400)))
    ])
    kiosk.press(.play)
    kiosk.plug("PIR")
    kiosk.press(.play)
    #expect(kiosk.last(.buttonPressed)?["gesture"] == "twice")
  }

  @Test("K1: a press that was over before anybody could read its edges counts, as does each of two")
  func lateEdges() {
    for presses in 1...2 {
      let kiosk = Kiosk()
      let begin = kiosk.now
      kiosk.wait(.milliseconds(600))
      for press in 0..<presses {
        let down = begin + .milliseconds(200 * press)
        kiosk.feed(.edge(kiosk.line(Kiosk.name(of: .next)), asserted: true, at: down))
        kiosk.feed(.edge(kiosk.line(Kiosk.name(of: .next)), asserted: false, at: down + .milliseconds(60)))
      }
      kiosk.wait(.milliseconds(100))
      #expect(kiosk.status.track == 1 + presses)
    }
  }
}
