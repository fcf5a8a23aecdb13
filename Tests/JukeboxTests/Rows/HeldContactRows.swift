import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Contacts that keep music sounding while they are closed (O3, O8 to O10).
@Suite struct HeldContactRows {
  static func kiosk(
    _ button: Button = .track(.number(2)), limit: Duration = .zero, more: [Line] = [], plugged: Set<String> = [],
    names: [String]? = nil, _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let mat = ContactRows.line("MAT", button, Manners(.while, limit: limit))
    return Kiosk(plugged: plugged, selectors: [mat] + more, names: names, change)
  }

  @Test("O3, O3.1: it sounds from its start, round and round, and stops when the contact opens")
  func held() {
    let kiosk = Self.kiosk()
    kiosk.plug("MAT")
    #expect(kiosk.status.track == 2 && kiosk.sounding == .speaker)
    kiosk.wait(.seconds(150))
    #expect(kiosk.status.track == 2 && kiosk.sounding == .speaker)
    #expect(kiosk.names(.trackEnded).count == 2 && kiosk.names(.lineStuck).isEmpty)
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped && kiosk.status.frame == 0)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "contact")
    kiosk.plug("MAT")
    #expect((kiosk.heard?.frame ?? .max) == 0 && kiosk.status.track == 2)
  }

  @Test("O7, W1: what it keeps sounding is over after a power cut, also with play_on_boot")
  func powerCut() throws {
    let kiosk = Self.kiosk { $0.playOnBoot = true }
    kiosk.plug("MAT", then: .seconds(90))
    let saved = try #require(kiosk.saves.last)
    #expect(saved.intent == .stopped && saved.frame == 0)
    kiosk.unplug("MAT")
    kiosk.type("play", then: .seconds(90))
    #expect(kiosk.saves.last?.intent == .playing)
  }

  @Test("O3: a playlist sounds round and round from its beginning, wherever it was left and whatever repeats")
  func heldPlaylist() {
    let kiosk = Self.kiosk(.playlist("english"), names: Kiosk.folders) { $0.playlistStart = .resume }
    kiosk.plug("MAT", then: .seconds(70))
    #expect(kiosk.status.file == "english/2 Yard.mp3")
    kiosk.wait(.seconds(60))
    #expect(kiosk.status.file == "english/1 House.mp3" && kiosk.sounding == .speaker)
    kiosk.wait(.seconds(60))
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == nil)
    kiosk.plug("MAT")
    #expect(kiosk.status.file == "english/1 House.mp3" && kiosk.status.frame == 0)
  }

  @Test("O3.2: Previous goes round in what it keeps sounding, as Next does, also with repeat off")
  func previous() {
    let kiosk = Self.kiosk(.playlist("english"), names: Kiosk.folders)
    kiosk.plug("MAT")
    kiosk.pressOnce(.previous)
    #expect(kiosk.status.file == "english/2 Yard.mp3" && kiosk.sounding == .speaker)
    kiosk.pressOnce(.next)
    #expect(kiosk.status.file == "english/1 House.mp3")
  }

  @Test(
    "O3, T2: it begins anew where its track plays or is paused already, whatever again says",
    arguments: Settings.Again.allCases)
  func again(again: Settings.Again) {
    let kiosk = Self.kiosk { $0.again = again }
    kiosk.type("track 2", then: .seconds(20))
    kiosk.plug("MAT")
    #expect(kiosk.heard?.frame == 0 && kiosk.sounding == .speaker)
  }

  @Test("O3: the cue is spoken once, and ends when the contact opens; others that wait are spoken")
  func heldCue() {
    let kiosk = Self.kiosk(.cue)
    kiosk.plug("MAT", then: .seconds(20))
    #expect(kiosk.names(.cueStarted).count == 1 && kiosk.names(.cueEnded).count == 1)
    kiosk.unplug("MAT")
    kiosk.plug("MAT")
    kiosk.type("cue closing", then: .seconds(1))
    kiosk.unplug("MAT")
    #expect(kiosk.last(.cueEnded)?["reason"] == "stopped" && kiosk.status.cue == "closing")
  }

  @Test("O3.1: opened under a hold, nothing is left to resume", arguments: ["page", "unplug", "pause", "output"])
  func openedUnderHold(what: String) {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.plug("MAT", then: .seconds(5))
    switch what {
    case "page": kiosk.type("interrupt begin page")
    case "unplug": kiosk.unplug("JACK")
    case "pause": kiosk.pressOnce(.play)
    default: kiosk.loseOutput()
    }
    kiosk.unplug("MAT")
    #expect(kiosk.status.state == .stopped && !kiosk.status.isPromptShown)
    if what == "page" { kiosk.type("interrupt end page resume") }
    if what == "unplug" { kiosk.plug("JACK") }
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(20))
    #expect(kiosk.sounding == nil)
  }

  @Test(
    "O3.2: whoever presses meanwhile is obeyed, and the contact ends it all the same",
    arguments: ["next", "pause", "seek"])
  func pressed(what: String) {
    let kiosk = Self.kiosk()
    kiosk.plug("MAT", then: .seconds(5))
    if what == "next" { kiosk.pressOnce(.next) }
    if what == "seek" { kiosk.type("seek 50s") }
    if what == "pause" {
      kiosk.pressOnce(.play)
      kiosk.pressOnce(.play)
    }
    #expect(kiosk.sounding == .speaker && kiosk.status.track == (what == "next" ? 3 : 2))
    // Round and round, wherever it is now.
    kiosk.wait(.seconds(60))
    #expect(kiosk.sounding == .speaker)
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == nil)
  }

  @Test("O3.2: after Stop or another choice the contact ends nothing", arguments: ["stop", "track 3", "playlist"])
  func chosenOtherwise(command: String) {
    let kiosk = Self.kiosk()
    kiosk.plug("MAT")
    kiosk.type(command)
    kiosk.type("start")
    #expect(kiosk.sounding == .speaker)
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == .speaker)
    kiosk.plug("MAT")
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == nil)
  }

  @Test("O3.3, K4: closed for longer than its limit, it is stuck, and what it keeps sounding ends")
  func limit() {
    let kiosk = Self.kiosk(limit: .seconds(100))
    kiosk.plug("MAT", then: .seconds(99))
    #expect(kiosk.sounding == .speaker && kiosk.names(.lineStuck).isEmpty)
    kiosk.wait(.seconds(2))
    #expect(kiosk.sounding == nil && kiosk.names(.lineStuck).map { $0["line"] } == ["MAT"])
    kiosk.unplug("MAT")
    kiosk.plug("MAT")
    #expect(kiosk.sounding == .speaker)
    // For a contact that chooses once, the limit is how long it may be closed.
    let once = ContactRows.kiosk(Manners(.once, limit: .seconds(300)))
    once.plug("PIR", then: .seconds(299))
    #expect(once.names(.lineStuck).isEmpty)
    once.wait(.seconds(2))
    #expect(once.names(.lineStuck).count == 1 && once.names(.playbackStopped).first?["cause"] != "contact")
  }

  @Test("O3.4: of two that are closed, the later one counts, and the earlier one starts nothing when that opens")
  func two() {
    let kiosk = Self.kiosk(more: [ContactRows.line("B", .track(.number(3)), Manners(.while))])
    kiosk.plug("MAT")
    kiosk.plug("B")
    #expect(kiosk.status.track == 3)
    kiosk.unplug("MAT")
    #expect(kiosk.status.track == 3 && kiosk.sounding == .speaker)
    kiosk.plug("MAT")
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == nil)
    kiosk.unplug("B")
    #expect(kiosk.sounding == nil && kiosk.names(.playbackStopped).count == 1)
  }

  @Test("O5.2, O3.1: opened before its delay is over, nothing begins")
  func delayed() {
    let mat = ContactRows.line("MAT", .track(.number(2)), Manners(.while, delay: .seconds(2)))
    let kiosk = Kiosk(selectors: [mat])
    kiosk.plug("MAT", then: .seconds(1))
    kiosk.unplug("MAT", then: .seconds(5))
    #expect(kiosk.sounding == nil)
    kiosk.plug("MAT", then: .seconds(3))
    #expect(kiosk.sounding == .speaker)
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == nil)
  }

  // MARK: - Sleep and music

  @Test("O9, R11: opened in sleep, it ends with the wake; closed all the time, it goes on")
  func sleep() {
    let kiosk = Self.kiosk()
    kiosk.plug("MAT", then: .seconds(5))
    kiosk.feed(.woke(asserted: [kiosk.line("MAT")], slept: .zero), then: .seconds(1))
    #expect(kiosk.sounding == .speaker)
    kiosk.feed(.woke(asserted: [], slept: .zero), then: .milliseconds(30))
    #expect(kiosk.sounding == nil)
    // Closed in sleep, it counts as closed at the wake.
    kiosk.feed(.woke(asserted: [kiosk.line("MAT")], slept: .zero), then: .milliseconds(30))
    #expect(kiosk.sounding == .speaker)
  }

  @Test("O10, X1: its track is taken away: it is heard to its end, and then it is over")
  func removed() {
    let kiosk = Self.kiosk()
    kiosk.plug("MAT", then: .seconds(50))
    kiosk.list(["1.mp3", "3.mp3"])
    #expect(kiosk.sounding == .speaker)
    kiosk.wait(.seconds(9))
    #expect(kiosk.sounding == .speaker)
    // What the decoder has decoded of it before is heard, too.
    kiosk.wait(.seconds(200))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
    // If nobody hears it, it is over at once.
    let held = Self.kiosk()
    held.type("interrupt begin page")
    held.plug("MAT")
    held.list(["1.mp3", "3.mp3"])
    held.type("interrupt end page resume")
    #expect(held.sounding == nil && held.status.state == .stopped)
  }

  @Test("O10, T8: a track that cannot be played stops, and so does one that the music does not have")
  func unplayable() {
    let kiosk = Self.kiosk()
    kiosk.bad = [1: "no audio"]
    kiosk.plug("MAT")
    #expect(kiosk.names(.trackFailed).count == 1 && kiosk.sounding == nil && kiosk.status.state == .stopped)
    let missing = Self.kiosk(.track(.number(9)))
    missing.plug("MAT")
    #expect(missing.names(.choiceFailed).count == 1 && missing.sounding == nil)
  }

  @Test("O10, X6: before the music is listed, a contact that keeps it sounding waits for nothing")
  func guess() {
    let mat = ContactRows.line("MAT", .track(.file("new")), Manners(.while))
    let kiosk = Kiosk(selectors: [mat], isMusicKept: true)
    kiosk.plug("MAT")
    #expect(kiosk.names(.choiceFailed).count == 1)
    kiosk.list(["1.mp3", "new.mp3"])
    #expect(kiosk.sounding == nil)
  }

  @Test("O3.2, T4.3: a selector moves what a contact keeps sounding to its playlist, and the contact ends that, too")
  func selector() {
    let switches = [Line(name: "LANGUAGE", role: .selector(playlist: "b", released: "a"))]
    let names = ["a/1.mp3", "a/2.mp3", "b/1.mp3", "b/2.mp3"]
    let kiosk = Self.kiosk(.playlist("a"), more: switches, names: names)
    kiosk.plug("MAT")
    kiosk.plug("LANGUAGE")
    #expect(kiosk.status.playlist == "b" && kiosk.sounding == .speaker)
    kiosk.wait(.seconds(300))
    #expect(kiosk.sounding == .speaker)
    kiosk.unplug("MAT")
    #expect(kiosk.sounding == nil && kiosk.last(.playbackStopped)?["cause"] == "contact")
  }
}
