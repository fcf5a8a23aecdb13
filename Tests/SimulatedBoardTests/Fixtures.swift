import AudioSession
import BoardFiles
import Files
import Glibc
import TestSupport

@testable import FrontPanel
@testable import Jukebox

/// A board like the simulated one that is shipped.
func testBoard(_ change: (inout BoardDescription) -> Void = { _ in }) -> BoardDescription {
  let buttons = ["PLAY", "STOP", "VOL_UP", "VOL_DOWN", "NEXT", "PREVIOUS", "RECORD", "CUE"]
  let lines =
    ["JACK_SENSE", "DOCK_SENSE"].map { LineDescription(name: $0, role: .sense) }
    + zip(buttons, Button.allCases).map { LineDescription(name: "BTN_\($0)", role: .button($1)) }
    + [
      LineDescription(name: "PAGE", role: .interrupter("page")), LineDescription(name: "MUTE", role: .mute),
      LineDescription(name: "LED_STATUS", role: .lamp), LineDescription(name: "AMP_MUTE", role: .ampMute),
    ]
  func port(_ port: Port, _ sense: OutputPort.Sense, _ priority: Int) -> PortDescription {
    PortDescription(
      output: OutputPort(port: port, sense: sense, priority: priority, isPrivate: sense != .always), pcm: "default")
  }
  var board = BoardDescription(
    name: "Simulated board", rate: 44_100, buffer: .milliseconds(200), lines: lines,
    ports: [
      port(.headphones, .line("JACK_SENSE"), 30), port(.lineOut, .line("DOCK_SENSE"), 20),
      port(.speaker, .always, 10),
    ], input: InputDescription(port: .microphone, pcm: "default"))
  change(&board)
  return board
}

/// Track 2 of 7, playing on the headphones.
func testStatus(_ change: (inout Status) -> Void = { _ in }) -> Status {
  var status = Status(
    state: .playing, holds: [], route: Route(.headphones), connected: [.headphones, .speaker], volume: 60, track: 2,
    trackCount: 7, file: "02 blue.mp3",
    tags: TrackTags(title: "Blue in Green", artist: "Miles Davis", frames: 14_861_700),
    frame: 3_660_300, isPromptShown: false, lamp: .on, sessions: [], isDucked: false)
  change(&status)
  return status
}

func testState(
  board: BoardDescription = testBoard(), now: Instant = .powerOn, _ change: (inout Status) -> Void = { _ in }
) -> PanelState {
  var state = PanelState(status: testStatus(change), board: board, now: now, output: "ALSA default")
  state.note(Event(.boot, .info, ["tracks": "7", "rate": "44100", "ports": "3"]), at: .powerOn + .milliseconds(2))
  state.note(Event(.routeInitial, .info, ["to": "headphones"]), at: .powerOn + .milliseconds(2))
  state.note(
    Event(.playbackStarted, .info, ["cause": "user", "track": "2", "route": "headphones", "frame": "0"]),
    at: .powerOn + .milliseconds(1_531))
  state.note(
    Event(
      .trackFailed, .warn, ["file": "03 torn.mp3", "reason": "no MPEG audio in it, and a reason that is far too long"]),
    at: .powerOn + .milliseconds(1_540))
  return state
}

/// The question after an unplug.
func promptState(_ change: (inout Status) -> Void = { _ in }) -> PanelState {
  var state = testState {
    $0.state = .paused
    $0.holds = [.routeLost]
    $0.route = Route(.speaker)
    $0.connected = [.speaker]
    $0.isPromptShown = true
    $0.lamp = .blink
    change(&$0)
  }
  state.note(
    Event(
      .playbackPaused, .info, ["cause": "route-lost", "from": "headphones", "route": "speaker", "frame": "3660300"]),
    at: .powerOn + .milliseconds(84_502))
  state.note(
    Event(.promptShown, .notice, ["text": "headphones unplugged: Play goes on here, Stop ends"]),
    at: .powerOn + .milliseconds(84_502))
  return state
}

/// What `body` throws, as a person reads it.
func errorText<Result>(_ body: () throws(FileError) -> Result) -> String {
  do throws(FileError) {
    _ = try body()
    return "no error"
  } catch {
    return error.description
  }
}

/// A file of a test in a folder of its own.
struct TemporaryFile {
  private let folder: TemporaryFolder
  var path: String { folder.path(of: "file") }

  init() throws { folder = try TemporaryFolder() }

  func write(_ bytes: [UInt8]) { folder.write("file", bytes) }

  var bytes: [UInt8] { folder.read("file") ?? [] }

  /// The left samples of a WAV file.
  var left: [Int16] {
    let data = Array(bytes.dropFirst(44))
    return stride(from: 0, to: data.count - 3, by: 4).map {
      Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
    }
  }
}
