import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// A press at the same time as an unplug or a sleep.
@Suite struct PressCrossingRows {
  /// Stopped, with the headphones in.
  private func ready(_ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = Kiosk(plugged: ["JACK"], change)
    kiosk.wait(.seconds(1))
    return kiosk
  }

  private func hold(_ kiosk: Kiosk, _ button: Button, _ time: Duration) {
    kiosk.edge(button.word, true, then: time)
  }

  @Test("P1, Q2, K3: Play held across the unplug neither answers the prompt nor skips on the speaker")
  func heldAcross() {
    let kiosk = ready()
    hold(kiosk, .play, .milliseconds(500))
    #expect(kiosk.sounding == .headphones)
    kiosk.forget()
    kiosk.edge("JACK", false, then: .seconds(2))
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.isPromptShown && kiosk.status.track == 1)
    #expect(kiosk.last(.buttonPressed)?["gesture"] == "held")
    #expect(kiosk.last(.buttonPressed)?["ignored"] == "unplugged")
    kiosk.edge("play", false, then: .milliseconds(500))
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker, "a press that begins after the prompt is an answer")
  }

  @Test(
    "P1, K3: a press that paused first, or that came after Stop, starts nothing elsewhere either",
    arguments: [true, false])
  func pausedFirst(isPaused: Bool) {
    let kiosk = ready()
    kiosk.pressOnce(.play)
    if !isPaused { kiosk.pressOnce(.stop) }
    hold(kiosk, .play, .milliseconds(500))
    kiosk.forget()
    kiosk.edge("JACK", false, then: .seconds(2))
    #expect(kiosk.sounding == nil)
    #expect(!kiosk.commands.contains(.play))
  }

  @Test("P1, K3: the second press of two starts nothing on the speaker when the unplug came in between")
  func secondPress() {
    let kiosk = ready()
    kiosk.press(.play)
    kiosk.unplug("JACK")
    kiosk.press(.play, for: .seconds(3))
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.isPromptShown)
    #expect(kiosk.last(.buttonPressed)?["gesture"] == "twice")
    #expect(kiosk.last(.buttonPressed)?["ignored"] == "unplugged")
  }

  @Test("P1, K3: two presses of which the first settles after the loss start nothing on the speaker")
  func lateFirstPress() {
    let kiosk = ready()
    kiosk.edge("JACK", false, then: .milliseconds(10))
    kiosk.press(.play, then: .milliseconds(60))
    kiosk.press(.play, then: .seconds(1))
    #expect(kiosk.names(.buttonPressed).map { $0["ignored"] } == ["unplugged", "unplugged"])
    #expect(kiosk.sounding == nil)
  }

  @Test(
    "Q2: a press that settles after the prompt, and began before it, is no answer",
    arguments: [Button.play, .next, .previous, .cue])
  func lateContact(button: Button) {
    let kiosk = ready()
    kiosk.pressOnce(.play)
    kiosk.edge("JACK", false, then: .milliseconds(20))
    kiosk.edge(button.word, true, then: .milliseconds(100))
    #expect(kiosk.sounding == nil && kiosk.engine.speaking == nil)
    #expect(kiosk.status.isPromptShown && kiosk.status.track == 1)
  }

  @Test("Q3: Stop always stops, whenever it was pressed")
  func stop() {
    let kiosk = ready()
    kiosk.pressOnce(.play)
    kiosk.edge("JACK", false, then: .milliseconds(20))
    kiosk.press(.stop)
    #expect(kiosk.status.state == .stopped && !kiosk.status.isPromptShown)
  }

  @Test("R5, K3: contact bounce of the plug overtakes no gesture")
  func bounce() {
    let kiosk = ready()
    hold(kiosk, .play, .milliseconds(500))
    kiosk.edge("JACK", false, then: .milliseconds(5))
    kiosk.edge("JACK", true, then: .seconds(1))
    #expect(kiosk.status.track == 2)
    #expect(kiosk.sounding == .headphones)
  }

  @Test("R6, K3: the loss of a port that is not the route overtakes no gesture")
  func otherPort() {
    let kiosk = Kiosk(plugged: ["JACK", "DOCK"])
    hold(kiosk, .play, .milliseconds(500))
    kiosk.unplug("DOCK", then: .seconds(1))
    #expect(kiosk.status.track == 2)
    #expect(kiosk.sounding == .headphones)
  }

  @Test("K2, R13: a volume button that is held does nothing to the port that the route changes to")
  func volumeHeld() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(1))
    hold(kiosk, .volumeDown, .milliseconds(700))
    kiosk.edge("JACK", false, then: .milliseconds(30))
    let volume = kiosk.status.volume
    kiosk.wait(.seconds(2))
    #expect(kiosk.status.route == Route(.speaker))
    #expect(kiosk.status.volume == volume)
  }

  // MARK: - Sleep

  /// The system sleeps, and wakes with these lines asserted.
  private func sleep(_ kiosk: Kiosk, asserted: [String]) {
    kiosk.feed(.woke(asserted: Set(asserted.map(kiosk.line)), slept: .zero))
  }

  @Test("R11, K3: a press that ends in a sleep is no long one, however long the sleep was")
  func releasedAsleep() {
    let kiosk = ready()
    hold(kiosk, .play, .milliseconds(990))
    kiosk.forget()
    sleep(kiosk, asserted: ["JACK"])
    kiosk.wait(.seconds(20))
    #expect(kiosk.names(.buttonPressed).isEmpty && kiosk.names(.lineStuck).isEmpty)
    #expect(kiosk.status.track == 1)
  }

  @Test("R11, K3: Play that is still down at the wake is held a second after it")
  func heldThroughSleep() {
    let kiosk = ready()
    hold(kiosk, .play, .milliseconds(990))
    sleep(kiosk, asserted: ["JACK", "play"])
    kiosk.wait(.milliseconds(990))
    #expect(kiosk.status.track == 1)
    kiosk.wait(.milliseconds(20))
    #expect(kiosk.status.track == 2)
  }

  @Test("R11, K2: the volume steps no further for a sleep")
  func volumeThroughSleep() {
    let kiosk = ready()
    hold(kiosk, .volumeDown, .milliseconds(420))
    let volume = kiosk.status.volume
    sleep(kiosk, asserted: ["JACK", "volume-down"])
    kiosk.wait(.milliseconds(390))
    #expect(kiosk.status.volume == volume)
    kiosk.wait(.milliseconds(20))
    #expect(kiosk.status.volume != volume)
  }

  @Test("R11, K4: a button is stuck after its time awake")
  func stuckThroughSleep() {
    let kiosk = ready()
    hold(kiosk, .stop, .seconds(14))
    sleep(kiosk, asserted: ["JACK", "stop"])
    kiosk.wait(.seconds(14))
    #expect(kiosk.names(.lineStuck).isEmpty)
    kiosk.wait(.seconds(2))
    #expect(kiosk.names(.lineStuck).count == 1)
  }

  @Test("R11, K3: a press before the sleep and one after it are two")
  func twiceThroughSleep() {
    let kiosk = ready()
    kiosk.press(.play)
    sleep(kiosk, asserted: ["JACK"])
    kiosk.press(.play)
    #expect(kiosk.last(.buttonPressed)?["gesture"] == nil)
    #expect(kiosk.status.state == .paused)
  }

  @Test("R11, R2: a contact that moved just before the sleep has to hold its whole debounce time after it")
  func debounceThroughSleep() {
    let kiosk = Kiosk()
    kiosk.edge("JACK", true, then: .milliseconds(29))
    sleep(kiosk, asserted: ["JACK"])
    kiosk.wait(.milliseconds(29))
    #expect(kiosk.status.route == Route(.speaker))
    kiosk.wait(.milliseconds(1))
    #expect(kiosk.status.route == Route(.headphones))
  }
}
