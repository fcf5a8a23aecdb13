import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// What the sides of a port play, and its softest volume.
@Suite struct ChannelRows {
  @Test("M4: typed at the console, it is the route's, or the port's that is named, until the visit ends")
  func typed() throws {
    let kiosk = Kiosk { $0.visitGap = .seconds(10) }
    kiosk.plug("JACK")
    kiosk.pressOnce(.play)
    kiosk.type("channels mono")
    kiosk.type("balance speaker -30")
    kiosk.type("channels mono")
    #expect(kiosk.engine.channels[.headphones] == PortChannels(.mono))
    #expect(kiosk.engine.channels[.speaker] == PortChannels(balance: -30))
    let changes = kiosk.names(.channelsChanged)
    #expect(changes.map { $0["port"] } == ["headphones", "speaker"])
    #expect(changes.map { $0["channels"] } == ["mono", "stereo"] && changes.map { $0["balance"] } == [nil, "-30"])
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK", then: .seconds(11))
    #expect(kiosk.engine.channels == [.headphones: .stereo, .speaker: .stereo])
    #expect(kiosk.names(.channelsChanged).suffix(2).allSatisfy { $0["cause"] == "hung-up" })
  }

  @Test("M4.1, W1: after a power cut every port plays what the board file says, also where volumes are kept")
  func powerCut() throws {
    func kiosk(_ saved: PowerOn.Saved = .nothing) -> Kiosk {
      let speaker = OutputPort(
        port: .speaker, sense: .always, priority: 10, isPrivate: false, channels: PortChannels(.left))
      return Kiosk(ports: [speaker], saved: saved) { $0.visitGap = .zero }
    }
    let before = kiosk()
    before.type("channels mono")
    before.type("volume 33", then: .seconds(120))
    #expect(before.engine.channels[.speaker] == PortChannels(.mono))
    let after = kiosk(.state(try #require(before.saves.last)))
    #expect(after.status.volume == 33 && after.engine.channels == [:] && after.names(.channelsChanged).isEmpty)
    after.type("channels speaker left")
    #expect(after.names(.channelsChanged).isEmpty)
  }

  @Test("M4: both of one port can be set, and each leaves the other as it is")
  func both() {
    let kiosk = Kiosk()
    kiosk.type("channels speaker left")
    kiosk.type("balance speaker 20")
    kiosk.type("channels speaker swap")
    #expect(kiosk.engine.channels[.speaker] == PortChannels(.swap, balance: 20))
  }

  @Test(
    "M4: what is not known is refused, and says what is",
    arguments: [
      ("channels", "channels: expected one value, behind a port or none"),
      ("channels speaker mono left", "channels: expected one value, behind a port or none"),
      ("channels both", "channels both: expected one of stereo, mono, left, right, swap"),
      ("channels ear mono", "channels ear: expected one of headphones, line-out, speaker, bluetooth, usb"),
      ("channels usb mono", "usb is not a port of this board"),
      ("balance 101", "balance 101: expected a whole number from -100 to 100"),
      ("balance speaker x", "balance x: expected a whole number from -100 to 100"),
    ])
  func refused(line: String, error: String) {
    let kiosk = Kiosk()
    kiosk.type(line)
    #expect(kiosk.last(.consoleCommand)?["error"] == error)
    #expect(kiosk.engine.channels == [:] && kiosk.last(.channelsChanged) == nil)
  }

  @Test("M5: a volume button stops at the port's floor, and makes nothing louder by going down")
  func floor() {
    var control = VolumeControl(
      ports: [OutputPort(port: .speaker, sense: .always, priority: 1, isPrivate: false, floor: 20)], start: 22)
    #expect(control.stepped(by: -5, of: .speaker) == 20 && control.stepped(by: 5, of: .speaker) == 27)
    _ = control.set(20, for: .speaker)
    #expect(control.stepped(by: -5, of: .speaker) == 20)
    _ = control.set(3, for: .speaker)
    #expect(control.stepped(by: -5, of: .speaker) == 3 && control.stepped(by: 5, of: .speaker) == 8)
  }
}
