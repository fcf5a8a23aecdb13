import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct ConsoleRows {
  @Test("K5: every route change and pause is one line with time, reason, routes and frame")
  func decisions() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(2))
    kiosk.forget()
    kiosk.unplug("JACK")
    let lines = kiosk.events.map { $0.line(at: kiosk.now) }
    #expect(
      lines == [
        "2.030000 info port.disconnected port=headphones line=JACK",
        "2.030000 info route.changed reason=old-device-unavailable from=headphones to=speaker line=JACK"
          + " edge=2.000000 frame=96000",
        "2.030000 info playback.paused cause=route-lost from=headphones route=speaker frame=96000",
        "2.030000 notice prompt.shown text=\"headphones unplugged: Play goes on here, Stop ends\"",
      ])
  }

  @Test("K7: status shows what plays, where and how loud")
  func status() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(1))
    kiosk.type("status")
    #expect(
      kiosk.replies == [
        "state=playing hold=none route=speaker volume=50 track=1/3 frame=48000 prompt=off lamp=on sessions=music "
          + "duck=off cue=none saves=0 uptime=1 played=0.0 underruns=0 lost-edges=0 dropped=0 "
          + "interrupted=none"
      ])
    let silent = Kiosk(tracks: 0, ports: [Kiosk.allPorts[0]])
    silent.type("status")
    #expect(
      silent.replies
        == [
          "state=stopped hold=no-suitable-route route=none volume=none track=none frame=0 prompt=off lamp=flash "
            + "sessions=none duck=off cue=none saves=0 uptime=0 played=0.0 underruns=0 lost-edges=0 dropped=0 "
            + "interrupted=none"
        ])
  }

  @Test("K7: status names every hold")
  func holds() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.loseOutput()
    kiosk.unplug("JACK")
    kiosk.type("status")
    #expect(kiosk.replies.last?.contains("state=paused hold=route-lost,output-unavailable route=speaker") == true)
    #expect(kiosk.replies.last?.contains("prompt=on lamp=blink") == true)
  }

  @Test("K7: play, stop, next, previous, volume and route do what the buttons do")
  func actions() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    #expect(kiosk.sounding == .headphones)
    kiosk.type("next")
    #expect(kiosk.status.track == 2)
    kiosk.type("previous")
    #expect(kiosk.status.track == 1)
    kiosk.type("volume 30")
    #expect(kiosk.engine.volume == 30)
    kiosk.type("route speaker")
    #expect(kiosk.sounding == .speaker)
    kiosk.type("stop")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.replies.isEmpty)
    #expect(kiosk.names(.consoleCommand).map { $0["command"] }.count == 6)
  }

  @Test("K7: help lists every command")
  func help() {
    let kiosk = Kiosk()
    kiosk.type("help")
    for verb in ["status", "play", "stop", "next", "previous", "volume N", "route PORT", "route auto", "help"] {
      #expect(kiosk.replies.first?.contains(verb) == true)
    }
  }

  @Test("K7: a volume above the ceiling is clamped, and the reply says so")
  func ceiling() {
    let kiosk = Kiosk()
    kiosk.type("volume 90")
    #expect(kiosk.replies == ["volume 50: the ceiling of speaker"])
    #expect(kiosk.status.volume == 50)
  }

  @Test("K7: bad input changes nothing and gets one clear line")
  func badInput() {
    for line in ["", "  ", "pley", "volume", "volume x", "volume 101", "volume 1 2", "route", "route moon"] {
      let kiosk = Kiosk()
      let before = kiosk.jukebox
      kiosk.forget()
      kiosk.type(line)
      #expect(kiosk.replies.count == 1)
      #expect(kiosk.replies.first?.hasPrefix("error: ") == true)
      #expect(kiosk.replies.first?.contains("\n") == false)
      #expect(kiosk.names(.consoleCommand).map(\.level) == [.warn])
      #expect(kiosk.jukebox == before)
    }
  }

  @Test("K7: the volume of no port at all is refused")
  func noPort() {
    let kiosk = Kiosk(ports: [Kiosk.allPorts[0]])
    kiosk.type("volume 30")
    #expect(kiosk.replies == ["error: no port to set the volume of"])
    kiosk.pressOnce(.volumeUp)
    #expect(kiosk.names(.volumeChanged).isEmpty)
  }
}
