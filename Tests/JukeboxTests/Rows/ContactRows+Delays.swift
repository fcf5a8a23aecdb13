import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// What ends a delay, and after what nothing is inhibited (O5.1, O5.2).
extension ContactRows {
  @Test(
    "O5.1: where nothing has begun, nothing is inhibited",
    arguments: [Button.track(.number(9)), .playlist("nowhere"), .choose(.cue("nothing"))])
  func nothingBegun(button: Button) {
    let kiosk = Self.kiosk(Manners(.once, inhibit: .seconds(30)), button)
    Self.trip(kiosk)
    Self.trip(kiosk)
    #expect(Self.ignored(kiosk) == [nil, nil])
    #expect(kiosk.names(.choiceFailed).count + kiosk.names(.cueFailed).count == 2)
  }

  @Test("O5.1, T2: nor where the choice plays already, and that is not to begin anew")
  func againIgnored() {
    let kiosk = Self.kiosk(Manners(.once, inhibit: .seconds(30))) { $0.again = .ignore }
    kiosk.type("track 2")
    Self.trip(kiosk)
    kiosk.type("stop")
    Self.trip(kiosk)
    #expect(Self.ignored(kiosk) == [nil, nil] && kiosk.sounding == .speaker)
    // What a contact has begun stays its own, however often it is pressed.
    Self.trip(kiosk)
    kiosk.type("stop")
    Self.trip(kiosk)
    #expect(Self.ignored(kiosk) == [nil, nil, nil, "inhibited"])
  }

  @Test("O5.1: what a failed choice leaves playing is still the contact's")
  func failedAgain() {
    let kiosk = Self.kiosk(Manners(.once, inhibit: .seconds(30)), names: ["1.mp3", "2.mp3"])
    Self.trip(kiosk)
    kiosk.list(["1.mp3"])
    Self.trip(kiosk)
    #expect(kiosk.names(.choiceFailed).count == 1 && kiosk.status.file == "2.mp3")
    kiosk.type("stop")
    kiosk.list(["1.mp3", "2.mp3"])
    Self.trip(kiosk)
    #expect(Self.ignored(kiosk) == [nil, nil, "inhibited"])
  }

  private static func delayed(_ use: Knob.Use = .track) -> Kiosk {
    let kiosk = Kiosk(
      selectors: [
        line("PIR", .track(.file("loose")), Manners(.once, delay: .seconds(4))),
        Line(name: "LANGUAGE", role: .selector(playlist: "english", released: nil)),
      ], knobs: [Knob(name: "KNOB", use: use)], names: Kiosk.folders
    ) {
      $0.again = .ignore
      $0.tokens = ["A": .track(.number(1)), "B": .track(.number(2)), "C": .cue("welcome"), "D": .playlist("english")]
    }
    kiosk.feed(.knob(KnobID(0), .position(a: false, b: false, at: kiosk.now)))
    kiosk.type("track 1")
    trip(kiosk)
    return kiosk
  }

  private static func begins(_ kiosk: Kiosk) -> Bool {
    kiosk.wait(.seconds(9))
    return kiosk.status.file == "loose.mp3"
  }

  @Test(
    "O5.2: a delay ends with whatever somebody asks for, by button, reader, selector or console",
    arguments: [
      "next", "previous", "seek 5s", "pause", "start", "A", "B", "C", "D", "LANGUAGE", "press next", "press previous",
      "hold play",
    ])
  func decidedOtherwise(what: String) {
    let kiosk = Self.delayed()
    switch what {
    case "A", "B", "C", "D": kiosk.read(what)
    case "LANGUAGE": kiosk.plug(what)
    case "press next": kiosk.pressOnce(.next)
    case "press previous": kiosk.pressOnce(.previous)
    case "hold play": kiosk.press(.play, for: .seconds(2))
    case _: kiosk.type(what)
    }
    #expect(!Self.begins(kiosk))
  }

  @Test("O5.2, G1: a knob that turns the music ends it, and one that turns the volume does not")
  func turned() {
    for use in [Knob.Use.track, .playlist, .seek(.seconds(5)), .volume(points: 3)] {
      let kiosk = Self.delayed(use)
      kiosk.turn(1)
      #expect(Self.begins(kiosk) == (use == .volume(points: 3)))
    }
    let kiosk = Self.delayed()
    kiosk.pressOnce(.volumeUp)
    kiosk.type("volume 30")
    #expect(Self.begins(kiosk))
  }
}
