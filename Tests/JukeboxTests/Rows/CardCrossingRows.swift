import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Cards among presses and plugs, where none was lifted (L4, L8).
@Suite struct CardCrossingRows {
  private static func kiosk(
    plugged: Set<String> = [], _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, lifts: ["card": .milliseconds(700)]) {
      $0.tokens = ["ONE": .track(.number(1))]
      change(&$0)
    }
    kiosk.wait(.seconds(11))
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  private static func lay(_ kiosk: Kiosk) { kiosk.type("token ONE card", then: .milliseconds(100)) }

  private static func lift(_ kiosk: Kiosk) { kiosk.type("token lifted card", then: .seconds(1)) }

  @Test("L4, P9, B5: without a card Play still pauses what plays, and starts nothing")
  func playPauses() {
    let kiosk = Self.kiosk { $0.withoutCard = .silent }
    kiosk.pressOnce(.play)
    #expect(kiosk.status.state == .paused && kiosk.last(.buttonPressed)?["ignored"] == nil)
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == nil && kiosk.last(.buttonPressed)?["ignored"] == "no-card")
    kiosk.type("play", then: .seconds(1))
    kiosk.edge("PAGE", true, then: .seconds(1))
    kiosk.pressOnce(.play)
    #expect(kiosk.last(.buttonPressed)?["ignored"] == "no-card", "it would be heard after the page")
  }

  @Test("L8: music that a person has paused on headphones is on no loudspeaker by the first card that is laid")
  func paused() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.type("pause", then: .seconds(1))
    kiosk.unplug("JACK", then: .seconds(2))
    Self.lay(kiosk)
    #expect(kiosk.sounding == nil && kiosk.last(.tokenRead)?["ignored"] == "unplugged")
    Self.lift(kiosk)
    Self.lay(kiosk)
    #expect(kiosk.sounding == .speaker)
  }

  @Test("L8, P5: nor is music that an unplug held and a skip has paused")
  func skipped() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.unplug("JACK", then: .seconds(1))
    kiosk.type("next", then: .seconds(1))
    Self.lay(kiosk)
    #expect(kiosk.sounding == nil && kiosk.last(.tokenRead)?["ignored"] == "unplugged")
  }

  @Test("L8, T7: a card that has answered the prompt was silent once; laid again it is heard")
  func answered() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.unplug("JACK", then: .seconds(1))
    Self.lay(kiosk)
    #expect(kiosk.sounding == nil && kiosk.last(.promptAnswered)?["answer"] == "track")
    Self.lift(kiosk)
    Self.lay(kiosk)
    #expect(kiosk.sounding == .speaker && kiosk.last(.tokenRead)?["ignored"] == nil)
  }

  @Test("L8, T1: what is typed is no card, and a card is heard where the route is private again")
  func otherwise() {
    let typed = Self.kiosk(plugged: ["JACK"])
    typed.type("pause", then: .seconds(1))
    typed.unplug("JACK", then: .seconds(2))
    typed.read("1", then: .seconds(1))
    #expect(typed.sounding == .speaker)
    let docked = Self.kiosk(plugged: ["JACK"])
    docked.type("pause", then: .seconds(1))
    docked.unplug("JACK", then: .seconds(1))
    docked.plug("DOCK", then: .seconds(1))
    Self.lay(docked)
    #expect(docked.sounding == .lineOut)
  }
}
