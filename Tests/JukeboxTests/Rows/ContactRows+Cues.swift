import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Contacts of the role `cue`: which one, whose, and where (O1.1, O3.1, O8).
extension ContactRows {
  private static let closing = Button.choose(.cue("closing"))

  private static func lid(
    plugged: Set<String> = [], _ manners: Manners = Manners(.while), _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    Kiosk(plugged: plugged, selectors: [line("LID", closing, manners)], change)
  }

  @Test("O1.1: a line of the role cue has the cue spoken that it names, and without a name that of cue_button")
  func namedCue() {
    let kiosk = Kiosk(selectors: [
      Self.line("LID", Self.closing, Manners(.once)), Self.line("B", .choose(.cue("call")), nil),
      Self.line("C", .choose(.cue("nothing")), Manners(.once)),
    ])
    Self.trip(kiosk, "LID")
    #expect(kiosk.status.cue == "closing" && kiosk.last(.buttonPressed)?["cue"] == "closing")
    kiosk.wait(Kiosk.cueTime)
    Self.trip(kiosk, "B")
    #expect(kiosk.status.cue == "call" && kiosk.last(.buttonPressed)?["button"] == "cue")
    kiosk.wait(Kiosk.cueTime)
    kiosk.pressOnce(.cue)
    #expect(kiosk.status.cue == "welcome")
    kiosk.wait(Kiosk.cueTime)
    Self.trip(kiosk, "C")
    #expect(kiosk.last(.cueFailed)?["cue"] == "nothing")
  }

  @Test("O3.1: a contact that opens ends the cue that it has begun, and not the same one of somebody else")
  func ownCue() {
    let kiosk = Self.lid()
    kiosk.type("cue closing")
    kiosk.plug("LID")
    kiosk.unplug("LID")
    #expect(kiosk.status.cue == "closing" && kiosk.last(.cueFailed)?["reason"] == "stopped")
    kiosk.wait(Kiosk.cueTime)
    #expect(kiosk.last(.cueEnded)?["reason"] == nil && kiosk.status.cue == nil)
    kiosk.plug("LID")
    kiosk.type("cue closing")
    kiosk.unplug("LID")
    #expect(kiosk.last(.cueEnded)?["reason"] == "stopped" && kiosk.status.cue == "closing")
    kiosk.wait(Kiosk.cueTime)
    #expect(kiosk.names(.cueStarted).count == 3 && kiosk.last(.cueEnded)?["reason"] == nil)
  }

  @Test("O3.2: behind the end of its own, the same cue of somebody else is none of it")
  func otherCue() {
    let kiosk = Self.lid()
    kiosk.plug("LID", then: Kiosk.cueTime)
    kiosk.type("cue closing")
    kiosk.unplug("LID")
    #expect(kiosk.status.cue == "closing")
  }

  @Test("O8: a cue that waits while its port is left does not begin at another one, and does where that is back")
  func waitingCue() {
    for isBack in [false, true] {
      let kiosk = Self.lid(plugged: ["DOCK"])
      kiosk.type("cue welcome")
      kiosk.plug("LID")
      kiosk.type("route speaker")
      if isBack { kiosk.type("route auto") }
      kiosk.wait(Kiosk.cueTime)
      #expect((kiosk.status.cue == "closing") == isBack && (kiosk.engine.speaking != nil) == isBack)
      #expect(kiosk.last(.cueFailed)?["reason"] == (isBack ? nil : "route-lost"))
    }
  }

  @Test("O8, R3: a cue whose plug moves does not go on at a port that takes over")
  func takenOver() {
    let kiosk = Self.lid(plugged: ["DOCK"])
    kiosk.plug("LID")
    #expect(kiosk.engine.speaking != nil)
    kiosk.edge("JACK", true, then: .milliseconds(10))
    kiosk.edge("DOCK", false, then: .milliseconds(20))
    #expect(kiosk.status.route.port == .headphones && kiosk.engine.speaking == nil)
    #expect(kiosk.last(.cueEnded)?["reason"] == "route-lost")
  }

  @Test("O8.1: a plug moves a cue that is heard, as it does music; Play asks for none")
  func movedCue() {
    let kiosk = Self.lid()
    kiosk.plug("LID")
    kiosk.plug("JACK")
    #expect(kiosk.engine.speaking != nil && kiosk.status.cue == "closing")
    let waiting = Self.lid(plugged: ["DOCK"])
    waiting.type("cue welcome")
    waiting.plug("LID")
    waiting.type("route speaker")
    waiting.type("play", then: Kiosk.cueTime)
    #expect(waiting.last(.cueFailed)?["reason"] == "route-lost")
  }

  @Test("O1, D7: of a contact that asks once, a cue that waits is spoken wherever that is then, as a button's")
  func onceElsewhere() {
    let kiosk = Self.lid(plugged: ["DOCK"], Manners(.once))
    kiosk.type("cue welcome")
    Self.trip(kiosk, "LID")
    kiosk.type("route speaker", then: Kiosk.cueTime)
    #expect(kiosk.status.cue == "closing")
  }
}
