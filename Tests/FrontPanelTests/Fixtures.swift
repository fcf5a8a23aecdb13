import AudioSession
import BoardFiles
import Glibc

@testable import FrontPanel
@testable import Jukebox
@testable import KioskTestSupport

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

/// The prompt after an unplug.
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

/// The panel as it is drawn in this many columns and rows.
func picture(_ state: PanelState, _ columns: Int = 80, _ rows: Int = 24, unicode: Bool = true) -> [String] {
  PanelView(unicode: unicode, colour: false).render(state, columns: columns, rows: rows)
}

func text(_ state: PanelState, _ columns: Int = 80, _ rows: Int = 24) -> String {
  picture(state, columns, rows).joined(separator: "\n")
}
