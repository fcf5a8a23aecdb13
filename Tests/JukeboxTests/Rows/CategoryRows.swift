import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// The route without any port, the category, and the volume of each port.
@Suite struct CategoryRows {
  @Test("R9: without a suitable port music is held until there is one")
  func noSuitableRoute() {
    let kiosk = Kiosk(ports: [Kiosk.allPorts[0]])
    kiosk.type("play")
    #expect(kiosk.status.holds == [.noSuitableRoute])
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.sounding == nil)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.status.holds.isEmpty)
    kiosk.unplug("JACK")
    #expect(kiosk.last(.routeChanged)?["reason"] == "no-suitable-route")
    #expect(kiosk.status.holds == [.routeLost, .noSuitableRoute])
  }

  @Test("R10: a category change is a route change by name and changes no transport")
  func category() {
    for command in ["status", "play"] {
      let kiosk = Kiosk(plugged: ["JACK"])
      kiosk.type(command)
      let state = kiosk.status.state
      let sounding = kiosk.sounding
      kiosk.forget()
      kiosk.feed(.category(.ambient))
      #expect(kiosk.eventNames == [.routeChanged])
      #expect(kiosk.last(.routeChanged)?["reason"] == "category-change")
      #expect(kiosk.last(.routeChanged)?["from"] == "headphones")
      #expect(kiosk.last(.routeChanged)?["to"] == "headphones")
      #expect(kiosk.commands.isEmpty)
      #expect(kiosk.status.state == state)
      #expect(kiosk.sounding == sounding)
      kiosk.forget()
      kiosk.feed(.category(.ambient))
      #expect(kiosk.events.isEmpty)
    }
  }

  @Test("R10: a category without output holds the music and its end lets it go on")
  func recordCategory() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(3))
    kiosk.feed(.category(.record))
    #expect(kiosk.status.holds == [.noSuitableRoute])
    #expect(kiosk.jukebox.player.transport.intent == .playing)
    kiosk.wait(.seconds(3))
    kiosk.feed(.category(.playback))
    #expect(kiosk.last(.routeChanged)?["reason"] == "category-change")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.heard?.frame == 3 * Kiosk.rate)
  }

  @Test("P1, R10: headphones that leave while a recording holds the music do not let it out of the speaker")
  func unplugDuringRecording() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.feed(.category(.record))
    kiosk.unplug("JACK")
    kiosk.feed(.category(.playback))
    #expect(kiosk.status.route == Route(.speaker))
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.isPromptShown)
  }

  @Test("R13: the new route's own volume, within its ceiling, is set with the switch and before any sound")
  func volumeFirst() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("volume 75")
    kiosk.type("play")
    kiosk.forget()
    kiosk.unplug("JACK")
    kiosk.type("play")
    #expect(kiosk.commands.dropFirst() == [.route(.speaker, volume: 50), .play])
    kiosk.type("volume 20")
    kiosk.forget()
    kiosk.plug("JACK")
    #expect(kiosk.commands == [.route(.headphones, volume: 75)])
    kiosk.forget()
    kiosk.type("route speaker")
    #expect(kiosk.commands == [.route(.speaker, volume: 20)])
  }
}
