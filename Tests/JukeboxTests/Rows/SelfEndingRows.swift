import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Keypads without Enter (T5.3).
@Suite struct SelfEndingRows {
  private static func kiosk(tracks: Int = 3, length: Int? = nil, _ tokens: [String: Choice]) -> Kiosk {
    var settings = Settings()
    settings.tokens = tokens
    return Kiosk(tracks: tracks, readerLength: length) { $0 = settings }
  }

  private static let tokens: [String: Choice] = [
    "1": .track(.number(2)), "D": .track(.number(3)), "E": .track(.number(1)), "EN": .track(.number(2)),
  ]

  @Test("T5.3: a token that nothing else begins with needs no Enter, and one that follows it is none of its own")
  func endsItself() {
    let kiosk = Self.kiosk(Self.tokens)
    kiosk.read("d", isEnded: false)
    #expect(kiosk.status.track == 3 && kiosk.names(.tokenRead).count == 1)
    kiosk.feed(.typed(ReaderID(0), .enter))
    kiosk.read("1", isEnded: false)
    #expect(kiosk.status.track == 2 && kiosk.names(.tokenRead).count == 2)
    kiosk.feed(.typed(ReaderID(0), .enter))
    kiosk.read("en", isEnded: true)
    #expect(kiosk.names(.tokenRead).map { $0["token"] } == ["D", "1", "EN"])
    #expect(kiosk.names(.tokenUnknown).isEmpty)
  }

  @Test("T5.3: the beginning of another token waits for Enter")
  func beginning() {
    let kiosk = Self.kiosk(Self.tokens)
    kiosk.read("e", isEnded: false)
    #expect(kiosk.names(.tokenRead).isEmpty)
    kiosk.feed(.typed(ReaderID(0), .enter))
    #expect(kiosk.last(.tokenRead)?["token"] == "E")
  }

  @Test(
    "T5.3: the beginning of a track's number waits for Enter, zeros before it, too",
    arguments: [
      ("1", 9, true), ("1", 10, false), ("01", 9, true), ("01", 10, false), ("12", 119, true), ("12", 120, false),
      ("0", 1, false), ("0", 0, true), ("1000000", 2_000, true), ("000000", 1, false), ("0000000", 1, true),
    ])
  func numbers(token: String, tracks: Int, endsItself: Bool) {
    var settings = Settings()
    settings.tokens = [token: .cue("welcome")]
    #expect(SelfEndingTokens(settings).endItself(token, tracks: tracks) == endsItself)
  }

  @Test("T5.3: track 12 can be typed beside token 1, and token 1 with Enter")
  func tracksAndTokens() {
    let kiosk = Self.kiosk(tracks: 12, Self.tokens)
    kiosk.read("12")
    #expect(kiosk.status.track == 12)
    kiosk.read("1")
    #expect(kiosk.status.track == 2)
    // In a playlist of two, its numbers count.
    let folder = Kiosk(names: Kiosk.folders) { $0.tokens = ["1": .track(.number(2)), "0": .playlist("english")] }
    folder.type("playlist deutsch")
    folder.read("1", isEnded: false)
    #expect(folder.last(.tokenRead)?["token"] == "1")
  }

  @Test("T5.3: with a length, so many characters are a token, known or not, and no fewer end themselves")
  func length() {
    let kiosk = Self.kiosk(tracks: 20, length: 2, Self.tokens)
    kiosk.read("1", isEnded: false)
    #expect(kiosk.names(.tokenRead).isEmpty)
    kiosk.read("2", isEnded: false)
    #expect(kiosk.status.track == 12)
    kiosk.read("xy", isEnded: true)
    #expect(kiosk.last(.tokenUnknown)?["token"] == "XY" && kiosk.names(.tokenUnknown).count == 1)
    // Shorter ones with Enter, as usual.
    kiosk.read("d", isEnded: false)
    #expect(kiosk.names(.tokenRead).count == 1)
    kiosk.feed(.typed(ReaderID(0), .enter))
    #expect(kiosk.status.track == 3)
  }

  @Test("T5.3, T5.1, K8: an Enter behind a reading that counts for nothing counts for nothing, and a second one does")
  func enters() {
    let kiosk = Self.kiosk(Self.tokens)
    kiosk.read("d", isEnded: true, then: .seconds(1))
    let touched = kiosk.jukebox.touched
    kiosk.read("d", isEnded: true)
    #expect(kiosk.names(.tokenRead).count == 1 && kiosk.jukebox.touched == touched)
    kiosk.feed(.typed(ReaderID(0), .enter))
    #expect(kiosk.jukebox.touched == kiosk.now)
  }

  @Test("T5.3, T5.2: where keys were lost, no token ends itself, and with a length it is none")
  func lostKeys() {
    let kiosk = Self.kiosk(Self.tokens)
    kiosk.feed(.typed(ReaderID(0), .lost))
    kiosk.read("d", isEnded: false)
    #expect(kiosk.names(.tokenRead).isEmpty && kiosk.names(.tokenUnknown).isEmpty)
    let sized = Self.kiosk(length: 1, Self.tokens)
    sized.feed(.typed(ReaderID(0), .lost))
    sized.read("d", isEnded: false)
    #expect(sized.last(.tokenUnknown)?["reason"] == "keys were lost" && sized.names(.tokenRead).isEmpty)
  }

  @Test("T5.3, P1.1: a token that was half typed when the port was lost is ignored when its last key ends it")
  func overtaken() {
    let kiosk = Kiosk(plugged: ["JACK"]) { $0.tokens = ["AB": .track(.number(2))] }
    kiosk.type("play")
    kiosk.read("a", isEnded: false)
    kiosk.unplug("JACK")
    kiosk.read("b", isEnded: false)
    #expect(kiosk.last(.tokenRead)?["ignored"] == "unplugged" && kiosk.sounding == nil)
  }

  @Test("T5.3, R11: in sleep it is forgotten that a token had ended itself")
  func asleep() {
    let kiosk = Self.kiosk(Self.tokens)
    kiosk.read("d", isEnded: false)
    kiosk.feed(.woke(asserted: [], slept: .zero))
    let touched = kiosk.jukebox.touched
    kiosk.wait(.seconds(1))
    kiosk.feed(.typed(ReaderID(0), .enter))
    #expect(kiosk.jukebox.touched != touched)
  }
}
