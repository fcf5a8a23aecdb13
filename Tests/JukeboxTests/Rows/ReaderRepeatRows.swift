import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// A card that is left on a reader that repeats it.
@Suite struct ReaderRepeatRows {
  private static func kiosk(
    plugged: Set<String> = [], names: [String]? = nil, _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    Kiosk(plugged: plugged, names: names) {
      $0.tokens = ["A7": .track(.number(3)), "INFO": .cue("welcome"), "D": .playlist("deutsch")]
      change(&$0)
    }
  }

  /// Reads a token every second, as such a reader does.
  private static func leave(_ token: String, on kiosk: Kiosk, for seconds: Int) {
    for _ in 0..<seconds {
      kiosk.read(token, then: .seconds(1))
    }
  }

  @Test(
    "T5: a card that is left on a reader that repeats it is read once, whatever again says",
    arguments: [
      Settings.Again.restart, .pause, .ignore,
    ])
  func left(again: Settings.Again) {
    let kiosk = Self.kiosk { $0.again = again }
    Self.leave("A7", on: kiosk, for: 20)
    #expect(kiosk.names(.tokenRead).count == 1)
    #expect(kiosk.heard == Position(track: 2, frame: 20 * Kiosk.rate))
    #expect(kiosk.counted.filter { $0 == .start("3.mp3") }.count == 1)
  }

  @Test(
    "T5, P1, Q1: left over an unplug, it neither answers the prompt nor plays on the loudspeaker",
    arguments: [
      Settings.OnConnect.resume, .play, .nothing,
    ])
  func leftOverUnplug(onConnect: Settings.OnConnect) {
    let kiosk = Self.kiosk(plugged: ["JACK"]) { $0.onConnect = onConnect }
    Self.leave("A7", on: kiosk, for: 5)
    kiosk.unplug("JACK")
    Self.leave("A7", on: kiosk, for: 30)
    #expect(kiosk.status.isPromptShown)
    #expect(kiosk.sounding == nil)
    #expect(kiosk.names(.promptAnswered).isEmpty)
    #expect(kiosk.names(.tokenRead).count == 1)
  }

  @Test("T5: left there after Stop, it starts nothing again; taken away and laid again, it does")
  func leftAfterStop() {
    let kiosk = Self.kiosk()
    Self.leave("A7", on: kiosk, for: 5)
    kiosk.pressOnce(.stop)
    Self.leave("A7", on: kiosk, for: 60)
    #expect(kiosk.status.state == .stopped)
    kiosk.wait(.seconds(2) - .nanoseconds(1))
    kiosk.read("A7")
    #expect(kiosk.status.state == .stopped)
    kiosk.wait(.seconds(3))
    kiosk.read("A7")
    #expect(kiosk.status.state == .playing)
    #expect(kiosk.names(.tokenRead).count == 2)
  }

  @Test("T5: a cue is spoken once, a playlist begins once, and what names nothing is logged once")
  func others() {
    let kiosk = Self.kiosk(names: Kiosk.folders)
    Self.leave("INFO", on: kiosk, for: 10)
    #expect(kiosk.names(.cueStarted).count == 1)
    Self.leave("D", on: kiosk, for: 10)
    #expect(kiosk.names(.playlistChanged).count == 1)
    #expect(kiosk.names(.playbackStarted).count == 1)
    #expect(kiosk.heard == Position(track: 0, frame: 10 * Kiosk.rate))
    let long = String(repeating: "9", count: 70)
    for token in ["NONE", long] { Self.leave(token, on: kiosk, for: 10) }
    #expect(kiosk.names(.tokenUnknown).count == 2)
  }

  @Test("T5.1: another token in between makes it another reading, as at a keypad; so does another reader")
  func several() {
    let kiosk = Self.kiosk()
    for _ in 0..<2 {
      Self.leave("A7", on: kiosk, for: 1)
      Self.leave("2", on: kiosk, for: 1)
    }
    Self.leave("2", on: kiosk, for: 5)
    #expect(kiosk.names(.tokenRead).map { $0["token"] } == ["A7", "2", "A7", "2"])
    #expect(kiosk.status.track == 2)
    kiosk.read("A7", reader: 1)
    #expect(kiosk.status.track == 3)
  }

  @Test("T5: with reader_repeat = 0 every reading counts")
  func never() {
    let kiosk = Self.kiosk { $0.readerRepeat = .zero }
    Self.leave("A7", on: kiosk, for: 4)
    #expect(kiosk.names(.tokenRead).count == 4)
  }

  @Test("T5, K8: a card that nobody takes away does not put off the idle reset")
  func idle() {
    let kiosk = Self.kiosk { $0.idleReset = .seconds(30) }
    kiosk.type("next")
    Self.leave("NONE", on: kiosk, for: 29)
    #expect(kiosk.status.track == 2)
    Self.leave("NONE", on: kiosk, for: 2)
    #expect(kiosk.status.track == 1)
  }

  @Test("T5, R11: time asleep does not make it another reading")
  func asleep() {
    let kiosk = Self.kiosk()
    kiosk.read("A7")
    kiosk.pressOnce(.stop, then: .seconds(600))
    kiosk.feed(.woke(asserted: [], slept: .seconds(599)))
    kiosk.read("A7")
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.names(.tokenRead).count == 1)
  }

  @Test("T5: where keys were lost, nobody knows that it is the same token")
  func lost() {
    let kiosk = Self.kiosk()
    for _ in 0..<2 {
      kiosk.feed(.typed(ReaderID(0), .lost))
      kiosk.read("A7")
    }
    #expect(kiosk.names(.tokenUnknown).count == 2)
    kiosk.read("A7")
    #expect(kiosk.status.state == .playing)
  }
}
