import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct ReaderRows {
  private static func kiosk(plugged: Set<String> = [], _ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    Kiosk(plugged: plugged) {
      $0.tokens = [
        "A7": .track(.number(3)), "0004512345": .track(.file("2")), "INFO": .cue("welcome"), "1": .track(.number(2)),
        "GONE": .track(.file("bells")),
      ]
      change(&$0)
    }
  }

  @Test(
    "T5: a token chooses what the settings say, else a number the track of that number",
    arguments: [
      ("A7", 3, "3"), ("a7", 3, "3"), ("0004512345", 2, "2"), ("1", 2, "2"), ("2", 2, "2"), ("003", 3, "3"),
    ])
  func chosen(token: String, track: Int, name: String) {
    let kiosk = Self.kiosk()
    kiosk.read(token)
    #expect(kiosk.heard == Position(track: TrackID(track - 1), frame: 0))
    let read = kiosk.last(.tokenRead)
    #expect(read?["reader"] == "keypad")
    #expect(read?["token"] == token.uppercased())
    #expect(read?["track"] == name)
  }

  @Test("T5, D1: a token may have a cue spoken over the music")
  func cue() {
    let kiosk = Self.kiosk()
    kiosk.type("play")
    kiosk.read("info")
    #expect(kiosk.last(.tokenRead)?["cue"] == "welcome")
    #expect(kiosk.status.cue == "welcome")
    #expect(kiosk.status.state == .playing)
  }

  @Test("T5: what names nothing is logged, bounded, and plays nothing")
  func unknown() {
    let unknown: [(String, String)] = [
      ("A8", "no such token"), ("7A", "no such token"), ("92345678", "no such token"),
      (String(repeating: "9", count: 65), "too long"),
    ]
    let kiosk = Self.kiosk()
    for (token, reason) in unknown {
      kiosk.read(token)
      #expect(kiosk.last(.tokenUnknown)?["reason"] == reason)
      #expect(kiosk.last(.tokenUnknown)?["token"] == String(token.prefix(64)))
      #expect(kiosk.sounding == nil)
    }
    #expect(kiosk.names(.tokenUnknown).count == 4)
    // A number that the music does not have, and a name, are known tokens whose choice fails.
    for token in ["99", "GONE"] { kiosk.read(token) }
    #expect(
      kiosk.names(.choiceFailed).map { $0["reason"] } == [
        "there is no track 99, expected 1 to 3", "no track is called bells",
      ])
    #expect(kiosk.status.state == .stopped)
  }

  @Test("T5: an unknown token may have a cue spoken")
  func spoken() {
    let cues = [Cue(name: "sorry", path: "/c/sorry.mp3", event: .tokenUnknown)]
    let kiosk = Kiosk(cues: cues)
    kiosk.read("A8")
    #expect(kiosk.status.cue == "sorry")
    let left = Kiosk(cues: cues)
    left.read("A8", isEnded: false, then: .seconds(5))
    #expect(left.names(.tokenUnknown).count == 1)
    #expect(left.status.cue == nil)
  }

  @Test("T5: keys are collected until Enter, each reader's by itself; Enter alone means nothing")
  func collected() {
    let kiosk = Self.kiosk()
    kiosk.read("")
    kiosk.read("A", isEnded: false, then: .milliseconds(4_999))
    kiosk.read("2", reader: 1)
    #expect(kiosk.last(.tokenRead)?["reader"] == "card")
    #expect(kiosk.status.track == 2)
    kiosk.wait(.milliseconds(1))
    #expect(kiosk.last(.tokenUnknown)?["reason"] == "not ended by Enter")
    kiosk.read("A", isEnded: false, then: .seconds(4))
    kiosk.read("7", isEnded: false, then: .seconds(4))
    kiosk.read("")
    #expect(kiosk.status.track == 3)
    #expect(kiosk.names(.tokenUnknown).count == 1)
    #expect(!kiosk.timers.keys.contains { if case .typing = $0 { true } else { false } })
  }

  @Test("T5: what was cleared, or typed before a sleep, is not continued; where keys were lost nothing is chosen")
  func cleared() {
    let kiosk = Self.kiosk()
    kiosk.read("A", isEnded: false)
    kiosk.feed(.typed(ReaderID(0), .clear))
    kiosk.read("2")
    #expect(kiosk.last(.tokenRead)?["token"] == "2")
    kiosk.read("1", isEnded: false)
    kiosk.feed(.woke(asserted: [], slept: .zero))
    kiosk.read("3")
    #expect(kiosk.last(.tokenRead)?["token"] == "3")
    kiosk.feed(.typed(ReaderID(0), .lost))
    kiosk.read("2")
    #expect(kiosk.last(.tokenUnknown)?["reason"] == "keys were lost")
    #expect(kiosk.status.track == 3)
    kiosk.feed(.typed(ReaderID(9), .enter))
  }

  @Test("T7, P1: a token that was half typed when the port was lost is ignored, and a later one answers the prompt")
  func overtaken() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(5))
    kiosk.read("a", isEnded: false)
    kiosk.unplug("JACK")
    kiosk.read("7")
    #expect(kiosk.last(.tokenRead)?["ignored"] == "unplugged")
    #expect(kiosk.status.isPromptShown)
    kiosk.wait(.seconds(3))
    kiosk.read("A7")
    #expect(kiosk.last(.tokenRead)?["ignored"] == nil)
    #expect(kiosk.last(.promptAnswered)?["answer"] == "track")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.track == 3)
  }

  @Test("T5, T2: the token of the track that plays does what its button would")
  func again() {
    let kiosk = Self.kiosk { $0.again = .pause }
    for state in [Status.State.playing, .paused, .playing] {
      kiosk.read("A7", then: .seconds(3))
      #expect(kiosk.status.state == state)
    }
  }

  @Test("T5, K8: typing is a visitor's, and puts off the idle reset")
  func idle() {
    let kiosk = Self.kiosk { $0.idleReset = .seconds(20) }
    kiosk.type("track 2")
    kiosk.type("pause", then: .seconds(19))
    kiosk.read("Z", isEnded: false, then: .seconds(19))
    #expect(kiosk.status.track == 2)
    kiosk.wait(.seconds(1))
    #expect(kiosk.status.track == 1)
  }

  @Test("K8: a reader that goes and comes back is nobody's input")
  func loosePlug() {
    let kiosk = Self.kiosk { $0.idleReset = .seconds(20) }
    kiosk.type("track 2")
    kiosk.type("pause")
    for _ in 0..<3 {
      kiosk.wait(.seconds(6))
      kiosk.feed(.typed(ReaderID(0), .clear))
    }
    kiosk.wait(.seconds(2))
    #expect(kiosk.status.track == 1)
  }
}
