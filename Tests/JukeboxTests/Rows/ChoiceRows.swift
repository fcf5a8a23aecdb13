import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct ChoiceRows {
  @Test("T1: a chosen track plays from its start, whatever was playing fades out first")
  func fromItsStart() {
    for before in ["stop", "play", "pause"] {
      let kiosk = Kiosk()
      kiosk.type("play", then: .seconds(5))
      kiosk.type(before)
      if before == "play" { kiosk.type("play") }
      kiosk.forget()
      kiosk.type("track 3")
      #expect(kiosk.heard == Position(track: 2, frame: 0), "\(before)")
      #expect(kiosk.status.track == 3)
      #expect(kiosk.last(.trackStarted)?["file"] == "3.mp3")
      let silence = kiosk.commands.firstIndex(of: .silence(edge: nil))
      let load = kiosk.commands.firstIndex { if case .load = $0 { true } else { false } }
      #expect((silence != nil) == (before == "play"))
      if let silence, let load { #expect(silence < load) }
      #expect(kiosk.names(.playbackStarted).count == (before == "play" ? 0 : 1))
    }
  }

  @Test("T1: a button of a track is logged with it, and chooses it; a name is that of the file")
  func buttons() {
    let buttons: [Button] = [.track(.number(2)), .track(.file("3.mp3")), .track(.file("1"))]
    let kiosk = Kiosk(buttons: buttons)
    for (button, track) in zip(buttons, [2, 3, 1]) {
      kiosk.forget()
      kiosk.press(button)
      #expect(kiosk.last(.buttonPressed)?["button"] == "track")
      #expect(kiosk.last(.buttonPressed)?["track"] == button.choice?.name)
      #expect(kiosk.status.track == track)
      #expect(kiosk.sounding == .speaker)
    }
  }

  @Test("T1: the button of a track that is not there is logged, and plays nothing")
  func unknown() {
    let buttons: [Button] = [.track(.number(4)), .track(.file("waltz"))]
    let kiosk = Kiosk(buttons: buttons)
    for button in buttons { kiosk.press(button) }
    #expect(kiosk.sounding == nil)
    #expect(
      kiosk.names(.choiceFailed).map { $0["reason"] } == [
        "there is no track 4, expected 1 to 3", "no track is called waltz",
      ])
    kiosk.type("track 4")
    #expect(kiosk.replies.last == "error: track 4: there is no track 4, expected 1 to 3")
    #expect(kiosk.status.state == .stopped)
  }

  @Test("T1: under a hold a track is chosen and waits")
  func held() {
    let kiosk = Kiosk()
    kiosk.edge("PAGE", true, then: .milliseconds(30))
    kiosk.forget()
    kiosk.type("track 2")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.track == 2)
    #expect(kiosk.last(.sessionRefused)?["by"] == "page" || kiosk.last(.sessionRefused)?["reason"] == "page")
    kiosk.edge("PAGE", false, then: .milliseconds(30))
    #expect(kiosk.heard == Position(track: 1, frame: 0))
  }

  @Test("T1, I14: a choice tries a lost output again at once")
  func lostOutput() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(1))
    kiosk.loseOutput(then: .seconds(100))
    kiosk.engine.deviceWorks = true
    kiosk.type("track 3")
    #expect(kiosk.heard == Position(track: 2, frame: 0))
  }

  @Test("T2: the track that is playing begins again, pauses, or plays on, as set")
  func again() {
    for again in Settings.Again.allCases {
      let kiosk = Kiosk { $0.again = again }
      kiosk.type("track 2", then: .seconds(5))
      kiosk.type("track 2")
      switch again {
      case .restart: #expect(kiosk.heard == Position(track: 1, frame: 0))
      case .pause:
        #expect(kiosk.status.state == .paused)
        kiosk.wait(.seconds(5))
        kiosk.type("track 2")
        #expect(kiosk.heard == Position(track: 1, frame: 5 * Kiosk.rate))
        #expect(kiosk.last(.playbackResumed)?["cause"] == "user")
      case .ignore: #expect(kiosk.heard == Position(track: 1, frame: 5 * Kiosk.rate))
      }
      #expect(kiosk.sounding == .speaker)
    }
  }

  @Test("T2: another visitor's place in the track that is chosen is not gone on with")
  func anothersPlace() {
    let kiosk = Kiosk { $0.again = .pause }
    kiosk.type("play", then: .seconds(5))
    kiosk.type("pause")
    kiosk.type("track 1")
    #expect(kiosk.heard == Position(track: 0, frame: 0))
  }

  @Test("T3: behind a chosen track comes the next one, nothing, or the track again, as set")
  func after() {
    for after in Settings.AfterTrack.allCases {
      let kiosk = Kiosk { $0.afterTrack = after }
      kiosk.type("track 2", then: .seconds(61))
      #expect(kiosk.names(.queueEnded).isEmpty)
      switch after {
      case .next: #expect(kiosk.heard == Position(track: 2, frame: Kiosk.rate))
      case .stop:
        #expect(kiosk.status.state == .stopped)
        #expect(kiosk.last(.trackEnded)?["track"] == "2")
        #expect(kiosk.last(.playbackStopped)?["cause"] == "track-ended")
        #expect(kiosk.status.track == 2)
        #expect(kiosk.status.frame == 0)
      case .repeat:
        kiosk.wait(.seconds(120))
        #expect(kiosk.heard == Position(track: 1, frame: Kiosk.rate))
      }
    }
  }

  @Test("T3: a track that was skipped to, and one that follows, is none that was chosen")
  func notChosen() {
    for way in [["play"], ["track 1", "next"], ["track 3", "previous"], ["track 2", "stop", "previous", "play"]] {
      let kiosk = Kiosk { $0.afterTrack = .stop }
      for command in way { kiosk.type(command) }
      kiosk.wait(.seconds(61))
      #expect(kiosk.status.state == .playing, "\(way)")
    }
  }

  @Test("T3: a choice outlasts Stop, Play and a power cut, and not the idle reset")
  func lasting() {
    let kiosk = Kiosk { $0.afterTrack = .stop }
    for command in ["track 2", "stop", "play", "pause"] { kiosk.type(command) }
    kiosk.wait(.seconds(3))
    let state = kiosk.saves.last
    #expect(state?.isChosen == true)
    let again = Kiosk(saved: state.map { .state($0) } ?? .nothing) { $0.afterTrack = .stop }
    #expect(again.last(.stateRestored)?["chosen"] == "true")
    again.type("play", then: .seconds(61))
    #expect(again.last(.playbackStopped)?["cause"] == "track-ended")
    again.wait(.seconds(601))
    again.type("play", then: .seconds(61))
    #expect(again.status.track == 2)
    #expect(again.status.state == .playing)
  }

  @Test("T7, Q2: while the prompt waits, a choice answers it and moves without a sound, until the next press")
  func prompt() {
    let kiosk = Kiosk.held()
    #expect(kiosk.status.isPromptShown)
    kiosk.type("track 3")
    #expect(kiosk.last(.promptAnswered)?["answer"] == "track")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.track == 3)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
    kiosk.type("track 3")
    #expect(kiosk.heard == Position(track: 2, frame: 0))
    #expect(kiosk.sounding == .headphones)
  }

  @Test("T7, P1: the button of a track that was down when the port was lost is ignored")
  func overtaken() {
    let button = Button.track(.number(3))
    let kiosk = Kiosk(plugged: ["JACK"], buttons: [button])
    kiosk.type("play", then: .seconds(5))
    kiosk.edge("JACK", false, then: .milliseconds(10))
    kiosk.edge("track 3", true, then: .milliseconds(40))
    #expect(kiosk.last(.buttonPressed)?["ignored"] == "unplugged")
    #expect(kiosk.status.isPromptShown)
    #expect(kiosk.sounding == nil)
  }

  @Test("T7, R3: a choice while the plug moves waits for it, and a loss is a loss all the same")
  func suspected() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(5))
    kiosk.edge("JACK", false)
    kiosk.type("track 2")
    #expect(kiosk.sounding == nil)
    kiosk.wait(.milliseconds(30))
    #expect(kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.heard == Position(track: 1, frame: 0))
  }

  @Test("T7, Q4: once the port is back and no prompt waits, a choice ends the hold, and plays")
  func pluggedAgain() {
    for again in Settings.Again.allCases {
      let kiosk = Kiosk.held {
        $0.onConnect = .nothing
        $0.again = again
      }
      kiosk.plug("JACK")
      kiosk.type("track 1")
      #expect(kiosk.heard == Position(track: 0, frame: 0), "\(again)")
      #expect(kiosk.status.holds.isEmpty)
    }
  }

  @Test("T8: a chosen track that cannot be played is logged, and then it is as at its end")
  func broken() {
    for after in Settings.AfterTrack.allCases {
      let kiosk = Kiosk(bad: [1: "damaged"]) { $0.afterTrack = after }
      kiosk.type("track 2")
      #expect(kiosk.names(.trackFailed).count == 1)
      #expect(kiosk.last(.trackFailed)?["file"] == "2.mp3")
      #expect(kiosk.names(.queueEnded).isEmpty)
      switch after {
      case .next: #expect(kiosk.heard == Position(track: 2, frame: 0))
      case .stop, .repeat:
        #expect(kiosk.status.state == .stopped)
        #expect(kiosk.last(.playbackStopped)?["cause"] == "track-ended")
        #expect(kiosk.status.track == 2)
      }
    }
  }

  @Test("T1: a name is the path below the music folder, or the file's name, with or without its ending")
  func names() throws {
    let library = ["a/Waltz.mp3", "b/Waltz.mp3", "b/Night.v2.flac", "7.ogg", "Dusk"].map { Track(path: $0, name: $0) }
    let found: [(String, Int)] = [
      ("a/Waltz.mp3", 0), ("b/Waltz.mp3", 1), ("Night.v2.flac", 2), ("Night.v2", 2), ("7.ogg", 3), ("Dusk", 4),
      ("5", 4),
    ]
    for (text, index) in found { #expect(try TrackName(text).find(in: library) == index, "\(text)") }
    let missing: [(String, TrackName.NotFound)] = [
      ("6", .number(6, count: 5)), ("0", .number(0, count: 5)), ("Night", .file("Night")), ("Wal", .file("Wal")),
      ("Waltz", .several("Waltz", ["a/Waltz.mp3", "b/Waltz.mp3"])), ("waltz", .file("waltz")),
      ("99999999999999999999", .file("99999999999999999999")),
    ]
    for (text, error) in missing { #expect(throws: error) { try TrackName(text).find(in: library) } }
    #expect(TrackName.NotFound.number(1, count: 0).message == "there is no music")
    #expect(
      TrackName.NotFound.several("Waltz", ["a/Waltz.mp3", "b/Waltz.mp3"]).message
        == "several tracks are called Waltz, expected one with its folder, as a/Waltz.mp3 or b/Waltz.mp3")
  }
}
