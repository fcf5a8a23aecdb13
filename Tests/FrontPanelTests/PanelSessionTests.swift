import AudioSession
import Jukebox
import Testing

@testable import FrontPanel
@testable import KioskTestSupport

/// Sessions, cues and recordings on the panel.
@Suite struct PanelSessionTests {
  /// A cue over the music.
  private func cueState(_ change: (inout Status) -> Void = { _ in }) -> PanelState {
    testState {
      $0.sessions = ["music", "cue"]
      $0.isDucked = true
      $0.cue = "welcome"
      change(&$0)
    }
  }

  private func pageState(_ names: [String]) -> PanelState {
    testState {
      $0.state = .paused
      $0.holds = [.interruption]
      $0.sessions = names
    }
  }

  private func recordingState(_ change: (inout Status) -> Void = { _ in }) -> PanelState {
    testState(now: .powerOn + .seconds(200)) {
      $0.state = .recording
      $0.holds = [.interruption]
      $0.sessions = ["recorder"]
      $0.recordingSince = .powerOn + .milliseconds(127_400)
      change(&$0)
    }
  }

  @Test("D1: 80 x 24, a cue over the music")
  func cue() {
    let shown = picture(cueState())
    #expect(
      shown[1...5].joined(separator: "\n") == """
        │  ╭───────╮    PLAYING                                               lamp lit │
        │ ╭╯   ●   ╰╮   Track 2 of 7                session: music, cue  cue "welcome" │
        │ │ ╭─────╮ │   Blue in Green — Miles Davis                                    │
        │ │ │( │ )│ │   ████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  1:23 / 5:37 │
        │ ╰─┴─────┴─╯   Volume  ███████████████████░░░░░░░░░░░░  60  DUCKED            │
        """)
    #expect(!text(testState()).contains("DUCKED") && !text(testState()).contains("session"))
  }

  @Test("C1: 60 x 16, a recording, with the contacts closed: everything stands in its row")
  func recording() {
    var state = recordingState()
    state.closed = [LineID(10), LineID(11)]
    #expect(
      text(state, 60, 16) == """
        ╭─ JACKDAW ────── Simulated board, 44.1 kHz, ALSA default ─╮
        │  ╭───────╮    ● RECORDING 1:12                  lamp lit │
        │ ╭╯   ●   ╰╮   Track 2 of 7             session: recorder │
        │ │ ╭─────╮ │   Blue in Green — Miles Davis                │
        │ │ │(   )│ │   ███████░░░░░░░░░░░░░░░░░░░░░░  1:23 / 5:37 │
        │ ╰─┴─────┴─╯   Volume  █████████████░░░░░░░░  60          │
        ├─ Outputs ────────────────────────────────────────────────┤
        │ ╔═ Headphones ═══╗ ┌─ Dock ─────────┐ ┌─ Speaker ──────┐ │
        │ ║ ═══[●] in      ║ │    [ ] empty   │ │ ◄))) built in  │ │
        │ ║ IN USE         ║ │      d plug in │ │                │ │
        │ ╚════════════════╝ └────────────────┘ └────────────────┘ │
        │                                                          │
        ├─ Keys ───────────────────────────────────────────────────┤
        │ p play  s stop  b/n tracks  -/+ volume  r rec  c cue     │
        │ h jack  d dock  g PAGE  m MUTE  ? help  l redraw  q quit │
        ╰──────────────────────────────────────────────────────────╯
        """)
  }

  @Test("I1: 40 x 10, interrupted while a cue waits")
  func compact() {
    var state = pageState(["music", "page"])
    state.status.cue = "closing"
    #expect(
      text(state, 40, 10) == """
        ● PAUSED — interrupted by page
        2/7 Blue in Green — Miles Davis
        Time   █████░░░░░░░░░░░░░░░░ 1:23 / 5:37
        Volume ██████████████████░░░░░░░░░░░░ 60
        session: music, page  cue "closing"
        *Headphones: in   Dock: empty
         Speaker: built in
        p s -/+ n r c h d g m ? q
        1.531000 info playback.started cause=us…
        1.540000 warn track.failed file="03 tor…
        """)
    #expect(text(cueState(), 40, 10).contains("\nVolume █████████████░░░░░░░░░ 60  DUCKED\n"))
  }

  @Test("interrupting clients are named as far as they fit")
  func interrupters() {
    #expect(text(pageState(["music", "page", "fire-alarm"])).contains("PAUSED — interrupted by page, fire-alarm  "))
    #expect(text(pageState(["page", "fire-alarm"]), 30, 3).hasPrefix("● PAUSED — interrupted by pag…\n"))
    // The mute line is not a client of the session.
    #expect(text(pageState(["music"])).contains("PAUSED — interrupted  "))
    var state = pageState(["page"])
    state.status.holds = [.routeLost, .interruption]
    #expect(text(state).contains("PAUSED — plug unplugged, interrupted by page"))
  }

  @Test("a recording is shown with its own time, whatever else is shown")
  func recordingClock() {
    #expect(picture(recordingState(), 60, 1) == ["● RECORDING 1:12 vol 60 headphones Blue in Green — Miles Da…"])
    #expect(text(recordingState { $0.recordingSince = .powerOn - .seconds(3_465) }).contains("● RECORDING 1:01:05 "))
    #expect(text(recordingState { $0.recordingSince = .powerOn + .seconds(900) }).contains("● RECORDING 0:00 "))
    #expect(
      text(recordingState { $0.sessions = ["recorder", "page"] }).contains("RECORDING 1:12 — interrupted by page"))
    let both = recordingState {
      $0.state = .playing
      $0.holds = []
    }
    #expect(text(both).contains("● RECORDING 1:12  PLAYING  "))
    #expect(picture(recordingState(), unicode: false)[1].contains("(*) RECORDING 1:12 "))
    let coloured = PanelView(unicode: true, colour: true).render(recordingState(), columns: 80, rows: 24)
    #expect(coloured[1].contains("\u{1B}[1;31m● RECORDING 1:12\u{1B}[0m"))
  }

  @Test("a session line that does not fit loses its title first, then the clients, then the end of the cue's name")
  func narrowSessions() {
    func row(_ columns: Int, _ cue: String?) -> String { picture(cueState { $0.cue = cue }, columns, 10)[4] }
    #expect(row(40, "welcome") == "session: music, cue  cue \"welcome\"")
    #expect(row(33, "welcome") == "music, cue  cue \"welcome\"")
    #expect(row(20, "welcome") == "cue \"welcome\"")
    #expect(row(12, "welcome") == "cue \"welcom…")
    #expect(row(15, nil) == "music, cue")
    #expect(
      picture(cueState { $0.sessions = [] }, 60, 16)[2].contains(#"Track 2 of 7                 cue "welcome" │"#))
    // DUCKED is still shown; the bar is shorter.
    let limited = cueState { $0.volume = 85 }
    #expect(picture(limited, 60, 16)[5].contains("  85  DUCKED "))
  }

  @Test("keys without a line on the board are not offered, and the others are spaced widely again")
  func absentKeys() {
    let board = testBoard { $0.lines.removeAll { ["BTN_RECORD", "BTN_CUE", "PAGE", "MUTE"].contains($0.name) } }
    let shown = picture(testState(board: board))
    #expect(shown[13] == "│ p play/pause    s stop    b/n previous/next    -/+ volume                    │")
    #expect(shown[14] == "│ h headphones    d dock    ? help    l redraw    q quit                       │")
  }

  @Test("on 24 rows the help is shown to its last line")
  func help() {
    var state = testState()
    state.showsHelp = true
    let shown = text(state)
    #expect(state.help.count == 7)
    for row in state.help { #expect(shown.contains("│ \(row) ")) }
  }
}
