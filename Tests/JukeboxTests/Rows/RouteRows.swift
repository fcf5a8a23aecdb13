import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct RouteRows {
  @Test("R1: the route is right from power on and is no route change")
  func initialRoute() {
    for (plugged, port, volume) in [
      ([], Port.speaker, 50), (["DOCK"], .lineOut, 60), (["JACK"], .headphones, 60),
      (["JACK", "DOCK"], .headphones, 60),
    ] as [(Set<String>, Port, Int)] {
      let kiosk = Kiosk(plugged: plugged)
      #expect(kiosk.eventNames == [.boot, .routeInitial])
      #expect(kiosk.last(.routeInitial)?["to"] == port.rawValue)
      #expect(kiosk.commands == [.route(port, volume: volume)])
      #expect(kiosk.status.route == Route(port))
      #expect(kiosk.status.state == .stopped)
    }
  }

  @Test("R1: a board with nothing connected logs that at power on")
  func nothingConnected() {
    let kiosk = Kiosk(ports: [Kiosk.allPorts[0]])
    #expect(kiosk.last(.routeInitial)?["to"] == "none")
    #expect(kiosk.status.holds == [.noSuitableRoute])
  }

  @Test("R2: a line that is asserted for the debounce time connects its port, with the previous route")
  func connects() {
    let kiosk = Kiosk()
    kiosk.forget()
    kiosk.edge("JACK", true, then: .microseconds(29_999))
    #expect(kiosk.events.isEmpty)
    #expect(kiosk.commands.isEmpty)
    kiosk.wait(.microseconds(1))
    #expect(kiosk.eventNames == [.visitBegan, .portConnected, .routeChanged])
    let change = kiosk.last(.routeChanged)
    #expect(change?["reason"] == "new-device-available")
    #expect(change?["from"] == "speaker")
    #expect(change?["to"] == "headphones")
    #expect(change?["line"] == "JACK")
    #expect(change?["edge"] == "0.000000")
  }

  @Test("R2: the debounce time counts from the last edge")
  func chatter() {
    let kiosk = Kiosk()
    kiosk.forget()
    for asserted in [true, false, true] {
      kiosk.edge("JACK", asserted, then: .milliseconds(20))
    }
    #expect(kiosk.events.isEmpty)
    kiosk.wait(.milliseconds(10))
    #expect(kiosk.last(.routeChanged)?["edge"] == "0.000000")
  }

  @Test("R3: the first edge of a release silences at once, at the frame heard at the edge, and nowhere else")
  func silencesAtOnce() {
    for (line, plugged) in [("JACK", ["JACK", "DOCK"]), ("DOCK", ["DOCK"])] {
      let kiosk = Kiosk(plugged: Set(plugged))
      kiosk.type("play", then: .seconds(5))
      kiosk.forget()
      kiosk.edge(line, false)
      #expect(kiosk.commands == [.silence(edge: kiosk.now)])
      #expect(kiosk.sounding == nil)
      #expect(kiosk.status.holds == [.routeLost])
      #expect(kiosk.status.frame == 5 * Kiosk.rate)
      kiosk.wait(.milliseconds(29))
      #expect(kiosk.commands.count == 1)
      #expect(kiosk.events.isEmpty)
    }
  }

  @Test("R3: an edge that is handled late silences as of the moment it happened")
  func lateEdge() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(2))
    kiosk.forget()
    let edge = kiosk.now - .milliseconds(3)
    kiosk.feed(.edge(kiosk.line("JACK"), asserted: false, at: edge))
    #expect(kiosk.commands == [.silence(edge: edge)])
    #expect(kiosk.status.frame == 2 * Kiosk.rate - 144)
  }

  @Test("R3: an edge that was read twice does not hide the release behind it")
  func repeatedEdge() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(1))
    kiosk.edge("JACK", true)
    #expect(kiosk.sounding == .headphones)
    kiosk.wait(.milliseconds(10))
    kiosk.edge("JACK", false)
    #expect(kiosk.sounding == nil)
    kiosk.wait(.milliseconds(30))
    #expect(kiosk.status.isPromptShown)
  }

  @Test("R4: a release that holds is a lost device, with the previous route")
  func disconnects() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.forget()
    kiosk.unplug("JACK")
    #expect(kiosk.eventNames == [.portDisconnected, .routeChanged])
    let change = kiosk.last(.routeChanged)
    #expect(change?["reason"] == "old-device-unavailable")
    #expect(change?["from"] == "headphones")
    #expect(change?["to"] == "speaker")
    #expect(change?["line"] == "JACK")
  }

  @Test("R5: after contact bounce sound goes on from the held frame, without a route change")
  func bounce() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    let edge = kiosk.now
    kiosk.edge("JACK", false, then: .milliseconds(4))
    kiosk.edge("JACK", true, then: .milliseconds(29))
    #expect(kiosk.sounding == nil)
    kiosk.wait(.milliseconds(1))
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.heard == Position(track: 0, frame: 5 * Kiosk.rate))
    #expect(kiosk.commands == [.silence(edge: edge), .play])
    #expect(kiosk.eventNames == [.lineBounced])
    #expect(kiosk.last(.lineBounced)?["edges"] == "2")
    #expect(kiosk.status.holds.isEmpty)
  }

  @Test("R5: a line that bounces while music is not wanted starts nothing")
  func bounceWhilePaused() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.edge("JACK", false)
    kiosk.edge("JACK", true, then: .milliseconds(40))
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.sounding == nil)
  }

  @Test("R6: a port with lower priority comes and goes without a route change")
  func lowerPriority() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.forget()
    kiosk.plug("DOCK")
    kiosk.unplug("DOCK")
    #expect(kiosk.eventNames == [.visitBegan, .portConnected, .portDisconnected])
    #expect(kiosk.commands.isEmpty)
    #expect(kiosk.sounding == .headphones)
  }

  @Test("R7: headphones that leave while the dock is connected pause all the same")
  func fallsToDock() {
    let kiosk = Kiosk(plugged: ["JACK", "DOCK"])
    kiosk.type("play")
    kiosk.unplug("JACK")
    #expect(kiosk.status.route == Route(.lineOut))
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.status.holds == [.routeLost])
    #expect(kiosk.engine.port == .lineOut)
    #expect(kiosk.sounding == nil)
  }

  @Test("R8: a forced route is an override and does not pause")
  func override() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.forget()
    kiosk.type("route speaker")
    #expect(kiosk.last(.routeChanged)?["reason"] == "override")
    #expect(kiosk.sounding == .speaker)
    kiosk.type("route auto")
    #expect(kiosk.last(.routeChanged)?["reason"] == "override")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.names(.playbackPaused).isEmpty)
  }

  @Test("R8: a route forced by the settings holds from power on and survives plugs")
  func configuredOverride() {
    let kiosk = Kiosk(plugged: ["JACK"]) { $0.route = .speaker }
    #expect(kiosk.last(.routeInitial)?["to"] == "speaker")
    #expect(kiosk.last(.routeInitial)?["reason"] == "override")
    kiosk.type("play")
    kiosk.unplug("JACK")
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.names(.routeChanged).isEmpty)
  }

  @Test("R8: a port that is not there cannot be forced")
  func impossibleOverride() {
    let kiosk = Kiosk()
    kiosk.type("route headphones")
    kiosk.type("route usb")
    #expect(kiosk.replies == ["error: headphones is not connected", "error: usb is not a port of this board"])
    #expect(kiosk.status.route == Route(.speaker))
    kiosk.plug("DOCK")
    #expect(kiosk.status.route == Route(.lineOut))
  }
}
