import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct ContentRows {
  @Test("U1: while something is read the lamp flickers, and no longer than ten minutes")
  func reading() {
    let kiosk = Kiosk()
    kiosk.type("content reading")
    #expect(kiosk.lamps == [.flicker])
    #expect(kiosk.last(.contentReading)?.level == .info)
    kiosk.wait(.seconds(600) - .nanoseconds(1))
    #expect(kiosk.status.lamp == .flicker)
    kiosk.wait(.nanoseconds(1))
    #expect(kiosk.status.lamp == .off)
  }

  @Test("U2, U3: what was installed or refused is shown for a minute and logged")
  func outcome() {
    let outcomes: [(String, EventName, String, String, LampPattern)] = [
      ("content installed spring 2", .contentInstalled, "name", "spring 2", .wink),
      ("content refused bad signature", .contentRefused, "reason", "bad signature", .doubleFlash),
    ]
    for (command, event, field, text, lamp) in outcomes {
      let kiosk = Kiosk()
      kiosk.type("content reading", then: .seconds(590))
      kiosk.type(command)
      #expect(kiosk.status.lamp == lamp)
      #expect(kiosk.last(event)?[field] == text)
      kiosk.wait(.seconds(60) - .nanoseconds(1))
      #expect(kiosk.status.lamp == lamp)
      kiosk.wait(.nanoseconds(1))
      #expect(kiosk.status.lamp == .off)
    }
  }

  @Test("U4: a notice changes nothing that plays, and the lamp returns to what it showed")
  func playing() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.forget()
    for command in ["reading", "installed x", "refused y"] { kiosk.type("content \(command)") }
    #expect(kiosk.status.state == .playing)
    #expect(kiosk.commands == [])
    kiosk.type("content idle")
    #expect(kiosk.lamps == [.flicker, .wink, .doubleFlash, .on])
    #expect(kiosk.timers[.notice] == nil)
  }

  @Test("U4: a prompt goes on to wait under a notice")
  func prompt() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.unplug("JACK")
    kiosk.type("content installed x")
    #expect(kiosk.status.lamp == .wink)
    kiosk.wait(.seconds(61))
    #expect(kiosk.status.lamp == .blink)
  }

  @Test("U1, C1: a recording is shown, whatever else is to be told")
  func recording() {
    let kiosk = Kiosk()
    kiosk.type("record")
    kiosk.type("content reading")
    #expect(kiosk.status.lamp == .on)
    kiosk.type("record")
    #expect(kiosk.status.lamp == .flicker)
  }
}
