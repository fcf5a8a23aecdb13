import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct SeekRows {
  private static func playing(_ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = Kiosk(change)
    kiosk.tags = TrackTags(frames: Kiosk.trackTime.frames(rate: Kiosk.rate))
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  @Test(
    "T6: what plays goes on at the place, from the start or from here, clamped to the track, and no other track starts",
    arguments: [
      ("seek 30s", 30.0), ("seek 0:30", 30), ("seek 12.5", 12.5), ("seek +10s", 15), ("seek -2s", 3), ("seek -1min", 0),
      ("seek 500ms", 0.5),
    ])
  func playing(command: String, seconds: Double) {
    let kiosk = Self.playing()
    kiosk.type(command)
    #expect(kiosk.heard == Position(track: 0, frame: Int(seconds * Double(Kiosk.rate))))
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.eventNames == [.consoleCommand, .playbackMoved])
    #expect(kiosk.last(.playbackMoved)?["from"] == String(5 * Kiosk.rate))
    #expect(kiosk.last(.playbackMoved)?["frame"] == String(Int(seconds * Double(Kiosk.rate))))
  }

  @Test("T6, P12: the old place fades out before the new one is loaded")
  func fading() {
    let kiosk = Self.playing()
    kiosk.type("seek 30s")
    let silence = kiosk.commands.firstIndex(of: .silence(edge: nil))
    let load = kiosk.commands.firstIndex {
      if case .load(_, Position(track: 0, frame: 30 * Kiosk.rate)) = $0 { true } else { false }
    }
    #expect(silence != nil && load != nil)
    if let silence, let load { #expect(silence < load) }
  }

  @Test("T6: seeks add up, also before the first of them is heard")
  func several() {
    let kiosk = Self.playing()
    for _ in 0..<3 { kiosk.type("seek +10s") }
    #expect(kiosk.heard == Position(track: 0, frame: 35 * Kiosk.rate))
    kiosk.type("pause")
    for _ in 0..<2 { kiosk.type("seek -1s") }
    #expect(kiosk.status.frame == 33 * Kiosk.rate)
  }

  @Test("T6, T3: beyond the end is the last frame, and what follows the track comes behind it")
  func beyond() {
    for after in Settings.AfterTrack.allCases {
      let kiosk = Self.playing { $0.afterTrack = after }
      kiosk.type("track 1")
      kiosk.type("seek 2:00")
      #expect(kiosk.heard?.frame == 60 * Kiosk.rate - 1)
      kiosk.wait(.seconds(1))
      switch after {
      case .next: #expect(kiosk.heard?.track == 1)
      case .stop: #expect(kiosk.last(.playbackStopped)?["cause"] == "track-ended")
      case .repeat: #expect((kiosk.heard?.frame ?? .max) <= Kiosk.rate)
      }
    }
  }

  @Test("T6: what is paused or stopped moves without a sound, and Play goes on there")
  func silent() {
    for before in ["pause", "stop"] {
      let kiosk = Self.playing()
      kiosk.type(before)
      kiosk.type("seek 40s")
      #expect(kiosk.sounding == nil)
      #expect(kiosk.status.state == .paused)
      #expect(kiosk.status.frame == 40 * Kiosk.rate)
      kiosk.type("play")
      #expect(kiosk.heard == Position(track: 0, frame: 40 * Kiosk.rate))
      // A track that was stopped starts; one that was paused goes on.
      #expect(kiosk.names(.trackStarted).count == (before == "stop" ? 1 : 0))
      #expect(kiosk.names(before == "stop" ? .playbackStarted : .playbackResumed).count == 1)
    }
  }

  @Test("T6, I2: under a page the place moves without a sound, and music goes on there after it")
  func page() {
    let kiosk = Self.playing()
    kiosk.type("interrupt begin page")
    kiosk.type("seek 20s")
    #expect(kiosk.sounding == nil)
    kiosk.type("interrupt end page resume")
    #expect(kiosk.heard == Position(track: 0, frame: 20 * Kiosk.rate))
  }

  @Test("T6, P5, Q1: while the prompt waits, a seek answers it and moves, and no plug resumes")
  func prompt() {
    let kiosk = Kiosk.held()
    kiosk.type("seek 20s")
    #expect(kiosk.last(.promptAnswered)?["answer"] == "seek")
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 0, frame: 20 * Kiosk.rate))
  }

  @Test("T6, R3, R5: while the plug moves, the place moves, and a loss is a loss all the same")
  func suspected() {
    for isBounce in [true, false] {
      let kiosk = Kiosk(plugged: ["JACK"])
      kiosk.type("play", then: .seconds(5))
      kiosk.edge("JACK", false)
      kiosk.type("seek 20s")
      #expect(kiosk.sounding == nil)
      if isBounce { kiosk.edge("JACK", true) }
      kiosk.wait(.milliseconds(30))
      #expect(kiosk.status.isPromptShown == !isBounce)
      if !isBounce {
        #expect(kiosk.last(.playbackPaused)?["frame"] == String(20 * Kiosk.rate))
        kiosk.plug("JACK")
      }
      #expect(kiosk.sounding == .headphones)
      #expect(kiosk.heard?.frame == 20 * Kiosk.rate)
    }
  }

  @Test("T6, W1: the place is saved, and a power cut keeps it")
  func saved() {
    let kiosk = Self.playing()
    kiosk.type("pause", then: .seconds(3))
    kiosk.forget()
    kiosk.type("seek 20s", then: .seconds(3))
    #expect(kiosk.saves.last?.frame == 20 * Kiosk.rate)
  }

  @Test("T6: without music a seek is refused")
  func nothing() {
    let kiosk = Kiosk(tracks: 0)
    kiosk.type("seek 1s")
    #expect(kiosk.replies.last == "error: there is no music")
  }

  @Test("T6, P11: a track that fails at the place is followed by the next, which is logged as started")
  func broken() {
    let kiosk = Self.playing()
    kiosk.bad = [0: "damaged"]
    kiosk.type("seek 30s")
    #expect(kiosk.heard == Position(track: 1, frame: 0))
    #expect(kiosk.last(.trackStarted)?["track"] == "2")
  }

  @Test("T6: times are durations, seconds, and hours, minutes and seconds")
  func times() {
    let good: [(String, Seek)] = [
      ("90", .to(.seconds(90))), ("1:30", .to(.seconds(90))), ("01:02:03", .to(.seconds(3_723))),
      ("75:00", .to(.seconds(4_500))), ("+0.5s", .by(.milliseconds(500))), ("-1:00", .by(.seconds(-60))),
      ("+2min", .by(.seconds(120))), ("250ms", .to(.milliseconds(250))), ("1000h", .to(.seconds(3_600_000))),
    ]
    for (text, seek) in good { #expect(Seek(text) == seek, "\(text)") }
    let bad = [
      "", "+", "-", "x", "1:5", "1:60", "1:2:03", ":30", "1:", "1.5:00", "9m", "+-1s", "--1", "1e3", "1001h", "1,5",
      "99999999999999999999", "1:00:00:00", ".", "5 s",
    ]
    for text in bad { #expect(Seek(text) == nil, "\(text)") }
  }

  @Test("T6.1: a place beyond the end of a track that is repeated is its start as soon as that sounds")
  func beyondEndRepeated() {
    let saved = SavedState(volumes: [:], track: "2.mp3", frame: 10 * Kiosk.rate, intent: .paused, port: .headphones)
    let kiosk = Kiosk(plugged: ["JACK"], saved: .state(saved)) { $0.repeats = .track }
    // The engine's reports are given one by one.
    kiosk.mostDecoded = 0
    kiosk.type("seek 30:00")
    kiosk.type("play")
    let stream = kiosk.engine.stream
    kiosk.feed(.audio(.opened(stream: stream, track: 1, TrackTags(frames: 20 * Kiosk.rate))))
    kiosk.feed(.audio(.playback(.started(stream: stream, Position(track: 1, frame: 0), at: kiosk.now))))
    #expect(kiosk.status.frame == 0)
  }
}
