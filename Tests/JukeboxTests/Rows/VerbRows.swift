import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// What scripts and timers say (K7.1 to K7.5).
@Suite struct VerbRows {
  // MARK: - volume

  @Test("K7.1: the volume goes up and down by so much, and stays within its range")
  func steps() {
    let kiosk = Kiosk()
    kiosk.type("volume 20")
    kiosk.type("volume +7")
    #expect(kiosk.status.volume == 27 && kiosk.engine.volume == 27)
    kiosk.type("volume -100")
    #expect(kiosk.status.volume == 0 && kiosk.replies.isEmpty)
    kiosk.type("volume +100")
    #expect(kiosk.status.volume == 50 && kiosk.replies == ["volume 50: the ceiling of speaker"])
  }

  @Test("K7.1, R13: the volume of a port that is out waits for it, and is not that of the route")
  func hungUp() {
    let kiosk = Kiosk()
    kiosk.type("volume headphones 33")
    #expect(kiosk.last(.volumeChanged)?["port"] == "headphones" && kiosk.engine.volume == 50)
    kiosk.type("volume headphones -3")
    kiosk.plug("JACK")
    kiosk.type("play")
    #expect(kiosk.sounding == .headphones && kiosk.engine.volume == 30)
    kiosk.type("volume speaker 10")
    #expect(kiosk.engine.volume == 30 && kiosk.replies.isEmpty)
  }

  @Test("K7.1: where nothing is plugged in, a port's volume is set all the same, and one the board has not is refused")
  func noRoute() {
    let kiosk = Kiosk(ports: [Kiosk.allPorts[0]])
    kiosk.type("volume +1")
    kiosk.type("volume usb 20")
    kiosk.type("volume headphones 90")
    #expect(
      kiosk.replies == [
        "error: no port to set the volume of", "error: usb is not a port of this board",
        "volume 80: the ceiling of headphones",
      ])
    #expect(kiosk.names(.volumeChanged).count == 1)
  }

  // MARK: - start

  @Test("K7.2: start plays, and what plays is neither paused nor begun anew")
  func start() {
    let kiosk = Kiosk()
    kiosk.type("start", then: .seconds(2))
    kiosk.forget()
    kiosk.type("start")
    #expect(kiosk.sounding == .speaker && kiosk.eventNames == [.consoleCommand] && kiosk.replies.isEmpty)
    kiosk.type("pause")
    kiosk.type("start")
    #expect(kiosk.sounding == .speaker && kiosk.last(.playbackResumed)?["cause"] == "user")
  }

  @Test("K7.2, P8: start answers the prompt, and while the plug only moves it pauses nothing")
  func startAtPrompt() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("start")
    kiosk.edge("JACK", false)
    kiosk.type("start")
    #expect(kiosk.replies.isEmpty)
    kiosk.wait(.milliseconds(30))
    #expect(kiosk.status.isPromptShown)
    kiosk.type("start")
    #expect(kiosk.last(.promptAnswered)?["answer"] == "resume" && kiosk.sounding == .speaker)
    #expect(kiosk.replies.isEmpty)
  }

  // MARK: - token

  @Test("K7.3, T5, T5.1, V1: a token that is given is as one that was read, once within the time of a reader")
  func token() {
    let kiosk = Kiosk { $0.tokens = ["A7": .track(.number(2)), "HI": .cue("welcome")] }
    kiosk.type("token a7")
    #expect(kiosk.last(.tokenRead)?["reader"] == "console" && kiosk.status.track == 2)
    #expect(kiosk.last(.visitBegan)?["by"] == "token")
    kiosk.wait(.seconds(2))
    kiosk.type("token A7")
    #expect(kiosk.names(.tokenRead).count == 1 && kiosk.replies.isEmpty)
    // Another reader, and what is half typed there stays.
    kiosk.read("3", reader: 1, isEnded: false)
    kiosk.type("token A7 card")
    #expect(kiosk.last(.tokenRead)?["reader"] == "card")
    kiosk.feed(.typed(ReaderID(1), .enter))
    #expect(kiosk.status.track == 3)
    kiosk.type("token hi")
    #expect(kiosk.status.cue == "welcome" && kiosk.replies.isEmpty)
  }

  @Test("K7.3, K7.4: a token that names nothing, one of a reader that is not there, and a track that is not")
  func badToken() {
    let kiosk = Kiosk()
    kiosk.type("token nothing")
    kiosk.type("token 1 door")
    kiosk.type("token 99")
    #expect(
      kiosk.replies == [
        "error: token nothing: no such token", "error: token: door is no reader of this board, which has keypad, card",
        "error: token 99: \(TrackName.NotFound.number(99, count: 3).message)",
      ])
    #expect(kiosk.names(.tokenUnknown).count == 1 && kiosk.names(.choiceFailed).count == 1)
    #expect(kiosk.status.state == .stopped)
  }

  // MARK: - What holds

  @Test(
    "K7.4, S7: what a page keeps from being heard is refused with its name, and stays wanted",
    arguments: ["play", "start", "track 2", "playlist", "token 2"])
  func heldByPage(command: String) {
    let kiosk = Kiosk()
    kiosk.type("interrupt begin page")
    kiosk.type(command)
    #expect(kiosk.replies == ["error: \(command): held by page"])
    kiosk.type("interrupt end page resume")
    #expect(kiosk.sounding == .speaker)
  }

  @Test("K7.4: the mute line, a lost output, no route and no music are named, too")
  func otherHolds() {
    let mute = Kiosk(clients: [SessionClient(name: "music", category: .ambient, priority: 10)])
    mute.plug("MUTE")
    mute.type("play")
    #expect(mute.replies == ["error: play: held by mute"])
    let lost = Kiosk()
    lost.type("play")
    lost.loseOutput()
    lost.type("track 2")
    #expect(lost.replies == ["error: track 2: held by output-unavailable"])
    let none = Kiosk(ports: [Kiosk.allPorts[0]])
    none.type("  play ")
    #expect(none.replies == ["error: play: held by no-suitable-route"])
    let empty = Kiosk(tracks: 0)
    empty.type("start")
    #expect(empty.replies == ["error: start: no tracks"])
  }

  @Test(
    "K7.4, T7: a choice that the prompt lets only wait is said to wait", arguments: ["track 2", "token 2", "playlist"])
  func heldByPrompt(command: String) {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.unplug("JACK")
    kiosk.type(command)
    #expect(kiosk.replies == ["error: \(command): held by route-lost"])
    kiosk.type("play")
    #expect(kiosk.sounding == .speaker && kiosk.replies.count == 1)
  }

  @Test("K7.4: a cue and a recording that something holds are refused with what that is")
  func cuesAndRecordings() {
    let alarm = SessionClient(name: "alarm", category: .playback, priority: 90)
    let kiosk = Kiosk(clients: [alarm], input: nil)
    kiosk.type("record")
    kiosk.type("interrupt begin alarm")
    kiosk.type("cue welcome")
    kiosk.type("cue nothing")
    #expect(
      kiosk.replies == [
        "error: record: the board has no input", "error: cue welcome: held by alarm",
        "error: cue nothing: expected welcome, closing, call",
      ])
    let silent = Kiosk(ports: [Kiosk.allPorts[0]])
    silent.type("cue welcome")
    #expect(silent.replies == ["error: cue welcome: no suitable route"])
  }

  @Test("K7.4: a command that is obeyed is no error because a cue that waited is dropped for it")
  func dropsCue() {
    let kiosk = Kiosk()
    kiosk.type("cue welcome")
    kiosk.type("cue closing")
    kiosk.type("interrupt begin page")
    #expect(kiosk.replies.isEmpty && kiosk.names(.cueFailed).map { $0["reason"] } == ["interrupted"])
  }

  @Test("K7.4: what pauses, stops or moves on is obeyed whatever holds the music")
  func obeyed() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.type("interrupt begin page")
    for command in ["next", "previous", "seek 3s", "pause", "stop", "volume 20", "route speaker"] {
      kiosk.type(command)
    }
    #expect(kiosk.replies.isEmpty)
  }

  // MARK: - Questions

  @Test("K7.5: what only asks is logged at debug, all else at info")
  func questions() {
    let kiosk = Kiosk()
    for command in ["status", "status --json", "stats", "stats --json", "help"] { kiosk.type(command) }
    #expect(kiosk.names(.consoleCommand).map(\.level) == Array(repeating: .debug, count: 5))
    kiosk.forget()
    for command in ["play", "volume 20", "reload"] { kiosk.type(command) }
    #expect(kiosk.names(.consoleCommand).map(\.level) == [.info, .info, .info])
  }
}
