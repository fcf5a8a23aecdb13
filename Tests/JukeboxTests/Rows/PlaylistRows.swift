import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct PlaylistRows {
  private static let language = Line(name: "LANG", role: .selector(playlist: "english", released: "deutsch"))
  private static let rotary = [
    Line(name: "ONE", role: .selector(playlist: "deutsch", released: nil)),
    Line(name: "TWO", role: .selector(playlist: "english", released: nil)),
  ]

  private static func kiosk(
    plugged: Set<String> = [], saved: PowerOn.Saved = .nothing, buttons: [Button] = [], selectors: [Line] = [],
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    Kiosk(plugged: plugged, saved: saved, buttons: buttons, selectors: selectors, names: Kiosk.folders, change)
  }

  private static func turn(_ kiosk: Kiosk, _ line: String, _ asserted: Bool) {
    kiosk.edge(line, asserted, then: .milliseconds(30))
  }

  @Test("T4: a playlist is the queue, by button, token and console; without one it is all the music")
  func chosen() {
    let button = Button.playlist("english")
    for way in 0..<3 {
      let kiosk = Self.kiosk(buttons: [button]) { $0.tokens = ["E": .playlist("english")] }
      #expect(kiosk.status.trackCount == 5)
      #expect(kiosk.status.playlist == nil)
      switch way {
      case 0: kiosk.press(button)
      case 1: kiosk.read("e")
      default: kiosk.type("playlist english")
      }
      #expect(kiosk.last(.playlistChanged)?["playlist"] == "english")
      #expect(kiosk.last(.playlistChanged)?["tracks"] == "2")
      #expect(kiosk.status.playlist == "english")
      #expect(kiosk.status.file == "english/1 House.mp3")
      #expect(kiosk.status.track == 1)
      #expect(kiosk.status.trackCount == 2)
      #expect(kiosk.status.line.contains(" playlist=english"))
      #expect(kiosk.sounding == .speaker)
      kiosk.type("playlist")
      #expect(kiosk.status.trackCount == 5)
      #expect(kiosk.status.file == "deutsch/1 Haus.mp3")
    }
  }

  @Test("T2, T4: the first track of another playlist is chosen, and not chosen again")
  func firstElsewhere() {
    for again in Settings.Again.allCases {
      let kiosk = Self.kiosk {
        $0.again = again
        $0.afterTrack = .repeat
      }
      kiosk.type("playlist deutsch", then: .seconds(1))
      kiosk.type("track 1 House")
      #expect(kiosk.status.file == "english/1 House.mp3")
      #expect(kiosk.status.state == .playing)
      kiosk.wait(.seconds(31))
      #expect(kiosk.status.file == "english/1 House.mp3")
    }
  }

  @Test("T4, P10: Next, Previous, repeat and shuffle stay within the playlist")
  func within() {
    let kiosk = Self.kiosk()
    kiosk.type("playlist english")
    kiosk.type("next")
    #expect(kiosk.status.file == "english/2 Yard.mp3")
    kiosk.wait(.seconds(61))
    #expect(kiosk.last(.queueEnded) != nil)
    #expect(kiosk.status.state == .stopped)
    let endless = Self.kiosk {
      $0.repeats = .queue
      $0.shuffle = true
    }
    endless.type("playlist deutsch")
    for _ in 0..<5 {
      #expect(endless.status.file?.hasPrefix("deutsch/") == true)
      endless.wait(.seconds(60))
    }
  }

  @Test("T4: tracks are numbered in the playlist; a name that it does not have leaves it")
  func numbers() {
    let kiosk = Self.kiosk()
    kiosk.type("playlist english")
    kiosk.type("track 2")
    #expect(kiosk.status.file == "english/2 Yard.mp3")
    #expect(kiosk.last(.trackStarted)?["track"] == "2")
    kiosk.type("track 3")
    #expect(kiosk.replies.last == "error: track 3: there is no track 3, expected 1 to 2")
    kiosk.type("track 1 Haus")
    #expect(kiosk.status.playlist == "deutsch")
    #expect(kiosk.heard == Position(track: 0, frame: 0))
    kiosk.type("track loose")
    #expect(kiosk.status.playlist == nil)
    #expect(kiosk.status.track == 5)
  }

  @Test("T4: it begins at its beginning, or where it was left, as set")
  func starts() {
    for start in Settings.PlaylistStart.allCases {
      let kiosk = Self.kiosk { $0.playlistStart = start }
      kiosk.type("playlist deutsch")
      kiosk.type("next", then: .seconds(5))
      kiosk.type("playlist english")
      #expect(kiosk.heard == Position(track: 2, frame: 0))
      kiosk.wait(.seconds(3))
      kiosk.type("playlist deutsch")
      let resumes = start == .resume
      #expect(kiosk.heard == Position(track: resumes ? 1 : 0, frame: resumes ? 5 * Kiosk.rate : 0), "\(start)")
    }
  }

  @Test("T4, T2: the playlist that plays is chosen again: it begins again, pauses or plays on, as set")
  func again() {
    for again in Settings.Again.allCases {
      let kiosk = Self.kiosk { $0.again = again }
      kiosk.type("playlist english")
      kiosk.type("next", then: .seconds(5))
      kiosk.type("playlist english")
      switch again {
      case .restart: #expect(kiosk.heard == Position(track: 2, frame: 0))
      case .pause: #expect(kiosk.status.state == .paused)
      case .ignore: #expect(kiosk.heard == Position(track: 3, frame: 5 * Kiosk.rate))
      }
    }
  }

  @Test("T4: a playlist that the music does not have is refused or logged, and nothing changes")
  func unknown() {
    let button = Button.playlist("suomi")
    let kiosk = Self.kiosk(buttons: [button])
    kiosk.type("playlist loose.mp3")
    #expect(kiosk.replies.last == "error: playlist loose.mp3: the music has no folder loose.mp3")
    kiosk.press(button)
    #expect(kiosk.last(.choiceFailed)?["playlist"] == "suomi")
    #expect(kiosk.status.trackCount == 5)
    #expect(kiosk.sounding == nil)
    let none = Kiosk()
    none.type("playlist +")
    #expect(none.replies.last == "error: the music has no folders")
  }

  @Test("T4: + and - go round the folders in the order of the music")
  func steps() {
    let kiosk = Self.kiosk()
    for (command, name) in [("+", "deutsch"), ("+", "english"), ("+", "deutsch"), ("-", "english"), ("-", "deutsch")] {
      kiosk.type("playlist \(command)")
      #expect(kiosk.status.playlist == name)
    }
  }

  @Test("T4, R1: a selector is read at power on, whatever was saved, and starts nothing")
  func powerOn() {
    for (asserted, name) in [(false, "deutsch"), (true, "english")] {
      let kiosk = Self.kiosk(plugged: asserted ? ["LANG"] : [], selectors: [Self.language])
      #expect(kiosk.status.playlist == name)
      #expect(kiosk.sounding == nil)
      kiosk.type("play")
      #expect(kiosk.status.file?.hasPrefix(name) == true)
    }
    let state = SavedState(
      volumes: [:], track: "english/2 Yard.mp3", frame: 48_000, intent: .paused, port: .speaker, playlist: "english")
    let moved = Self.kiosk(saved: .state(state), selectors: [Self.language])
    #expect(moved.status.file == "deutsch/1 Haus.mp3")
    let kept = Self.kiosk(plugged: ["LANG"], saved: .state(state), selectors: [Self.language])
    #expect(kept.status.file == "english/2 Yard.mp3")
    #expect(kept.status.frame == 48_000)
    let resumed = Self.kiosk(saved: .state(state), selectors: [Self.language]) { $0.playlistStart = .resume }
    Self.turn(resumed, "LANG", true)
    #expect(resumed.status.file == "english/2 Yard.mp3")
    #expect(resumed.status.frame == 48_000)
  }

  @Test("T4: turned while music plays, it goes on in the other playlist; what is silent stays silent")
  func selector() {
    let kiosk = Self.kiosk(selectors: [Self.language])
    Self.turn(kiosk, "LANG", true)
    #expect(kiosk.status.playlist == "english")
    #expect(kiosk.status.state == .stopped)
    kiosk.type("play", then: .seconds(5))
    Self.turn(kiosk, "LANG", false)
    #expect(kiosk.heard == Position(track: 0, frame: 0))
    kiosk.type("pause")
    Self.turn(kiosk, "LANG", true)
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.state == .paused)
    kiosk.type("play")
    #expect(kiosk.status.file == "english/1 House.mp3")
  }

  @Test("T4: a rotary switch changes nothing between two positions")
  func rotarySwitch() {
    let kiosk = Self.kiosk(plugged: ["ONE"], selectors: Self.rotary)
    #expect(kiosk.status.playlist == "deutsch")
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    Self.turn(kiosk, "ONE", false)
    #expect(kiosk.names(.playlistChanged).isEmpty)
    #expect(kiosk.heard?.frame == 5 * Kiosk.rate + 1_440)
    Self.turn(kiosk, "TWO", true)
    #expect(kiosk.heard == Position(track: 2, frame: 0))
  }

  @Test("T7, T4: while the prompt waits, a playlist answers it and moves without a sound")
  func prompt() {
    for selects in [false, true] {
      let kiosk = Self.kiosk(plugged: ["JACK"], selectors: [Self.language])
      kiosk.type("play", then: .seconds(5))
      kiosk.unplug("JACK")
      #expect(kiosk.status.isPromptShown)
      if selects { Self.turn(kiosk, "LANG", true) } else { kiosk.type("playlist english") }
      #expect(kiosk.last(.promptAnswered)?["answer"] == "playlist")
      #expect(kiosk.sounding == nil)
      #expect(kiosk.status.file == "english/1 House.mp3")
      kiosk.plug("JACK")
      #expect(kiosk.sounding == nil)
    }
  }

  @Test("T4, K8: the idle reset goes back to all the music, or to the selector's playlist")
  func idle() {
    for selectors in [[], [Self.language]] {
      let kiosk = Self.kiosk(selectors: selectors) { $0.playlistStart = .resume }
      kiosk.type("playlist english")
      kiosk.type("next")
      kiosk.type("pause", then: .seconds(601))
      #expect(kiosk.status.playlist == (selectors.isEmpty ? nil : "deutsch"))
      #expect(kiosk.status.file == "deutsch/1 Haus.mp3")
      #expect(kiosk.status.frame == 0)
      #expect(kiosk.status.state == .stopped)
    }
  }

  @Test("T4, W1: playlist and places survive a power cut")
  func saved() {
    let kiosk = Self.kiosk { $0.playlistStart = .resume }
    kiosk.type("playlist deutsch", then: .seconds(5))
    kiosk.type("playlist english")
    kiosk.type("next")
    kiosk.type("pause", then: .seconds(3))
    let state = kiosk.saves.last
    #expect(state?.playlist == "english")
    #expect(state?.places == [PlaylistPlace(playlist: "deutsch", track: "deutsch/1 Haus.mp3", frame: 5 * Kiosk.rate)])
    let again = Self.kiosk(saved: state.map { .state($0) } ?? .nothing) { $0.playlistStart = .resume }
    #expect(again.last(.stateRestored)?["playlist"] == "english")
    #expect(again.status.file == "english/2 Yard.mp3")
    again.type("playlist deutsch")
    #expect(again.heard == Position(track: 0, frame: 5 * Kiosk.rate))
  }

  @Test("T4, X1: music that is added to the folder is taken into the playlist, and other music is not")
  func changed() {
    let kiosk = Self.kiosk()
    kiosk.type("playlist english")
    kiosk.list(Kiosk.folders + ["english/3 Gate.mp3", "deutsch/3 Tor.mp3"])
    #expect(kiosk.status.trackCount == 3)
    kiosk.type("track 3")
    #expect(kiosk.status.file == "english/3 Gate.mp3")
  }

  @Test("T4: the places that are remembered are bounded, and the oldest is forgotten first")
  func bounded() {
    var playlists = Playlists()
    for number in 0..<100 { playlists.remember(PlaylistPlace(playlist: "\(number)", track: "t", frame: number)) }
    #expect(playlists.places.count == 64)
    #expect(playlists.place(of: "35") == nil)
    playlists.remember(PlaylistPlace(playlist: "40", track: "u", frame: 0))
    #expect(playlists.places.count == 64)
    #expect(playlists.places.last?.track == "u")
  }
}
