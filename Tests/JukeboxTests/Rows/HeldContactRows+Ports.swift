import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// What a contact keeps sounding, across unplugs, routes and pages (O8).
extension HeldContactRows {
  @Test("O8, P1, P3: after an unplug it goes on at the port that was there when it closed, and at no other")
  func unplugged() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.plug("MAT", then: .seconds(5))
    kiosk.unplug("JACK")
    #expect(kiosk.sounding == nil && kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones && kiosk.status.track == 2)
    kiosk.unplug("JACK")
    kiosk.plug("DOCK")
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "contact")
    kiosk.unplug("MAT")
    kiosk.plug("MAT")
    #expect(kiosk.sounding == .lineOut)
  }

  @Test("O8, I1: where the route is another when a page ends, it does not begin there")
  func routeUnderPage() {
    let kiosk = Self.kiosk(plugged: ["DOCK"])
    kiosk.type("interrupt begin page")
    kiosk.plug("MAT")
    kiosk.plug("JACK")
    kiosk.type("interrupt end page resume")
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
    let same = Self.kiosk(plugged: ["DOCK"])
    same.type("interrupt begin page")
    same.plug("MAT")
    #expect(same.sounding == nil)
    same.type("interrupt end page resume")
    #expect(same.sounding == .lineOut && same.status.track == 2)
  }

  @Test("O8, P8: Play at the prompt is somebody's word: it goes on there until the contact opens")
  func playAtPrompt() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.plug("MAT", then: .seconds(5))
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker)
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == nil)
  }

  @Test("O8, P2: what sounds moves with a plug, and is that plug's from then on")
  func better() {
    let kiosk = Self.kiosk()
    kiosk.plug("MAT", then: .seconds(5))
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones)
    kiosk.unplug("JACK")
    #expect(kiosk.sounding == nil && kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones)
  }

  @Test("O8, P6: a plug that is to start playback does not start it elsewhere")
  func onConnect() {
    let kiosk = Self.kiosk(plugged: ["JACK"]) { $0.onConnect = .play }
    kiosk.plug("MAT", then: .seconds(5))
    kiosk.unplug("JACK")
    kiosk.plug("DOCK")
    #expect(kiosk.sounding == nil)
  }

  @Test("O8, P1.1: a contact that was closing when the port was lost starts nothing")
  func overtaken() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.edge("JACK", false, then: .milliseconds(10))
    kiosk.edge("MAT", true, then: .milliseconds(40))
    #expect(kiosk.sounding == nil && kiosk.status.track == 1)
    #expect(kiosk.last(.buttonPressed)?["ignored"] == "unplugged")
  }

  @Test("O8, V2: with the end of the visit it is over, and the next one finds it silent until it was open")
  func endOfVisit() {
    let kiosk = Self.kiosk(plugged: ["JACK"]) { $0.promptTimeout = .seconds(20) }
    kiosk.plug("MAT")
    kiosk.unplug("JACK", then: .seconds(30))
    #expect(kiosk.status.state == .stopped)
    kiosk.plug("JACK", then: .seconds(5))
    #expect(kiosk.sounding == nil)
    kiosk.unplug("MAT")
    kiosk.plug("MAT")
    #expect(kiosk.sounding == .headphones)
  }
}
