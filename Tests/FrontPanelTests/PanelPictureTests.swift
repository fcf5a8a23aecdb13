import AudioSession
import Jukebox
import Testing

@Suite struct PanelPictureTests {
  @Test("80 x 24, after an unplug")
  func golden() {
    #expect(
      text(promptState()) == """
        ╭─ JACKDAW ────────────────────────── Simulated board, 44.1 kHz, ALSA default ─╮
        │  ╭───────╮    PAUSED — headphones unplugged                    lamp blinking │
        │ ╭╯   ●   ╰╮   Track 2 of 7                                                   │
        │ │ ╭─────╮ │   Blue in Green — Miles Davis                                    │
        │ │ │( ═ )│ │   ████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  1:23 / 5:37 │
        │ ╰─┴─────┴─╯   Volume  ███████████████████░░░░░░░░░░░░  60                    │
        ├─ Outputs ────────────────────────────────────────────────────────────────────┤
        │ ┌─ Headphones ─────────┐ ┌─ Dock (line-out) ────┐ ╔═ Speaker ════════════╗   │
        │ │    [ ] empty         │ │    [ ] empty         │ ║ ◄))) built in        ║   │
        │ │            h plug in │ │            d plug in │ ║ IN USE               ║   │
        │ └──────────────────────┘ └──────────────────────┘ ╚══════════════════════╝   │
        │ >>> Headphones unplugged. Press p to go on here (speaker), s to stop. <<<    │
        ├─ Keys ───────────────────────────────────────────────────────────────────────┤
        │ p play/pause   s stop   b/n previous/next   -/+ volume   r record   c cue    │
        │ h headphones   d dock   g page   m mute   ? help   l redraw   q quit         │
        ├─ Log ────────────────────────────────────────────────────────────────────────┤
        │ 0.002000 info boot tracks=7 rate=44100 ports=3                               │
        │ 0.002000 info route.initial to=headphones                                    │
        │ 1.531000 info playback.started cause=user track=2 route=headphones frame=0   │
        │ 1.540000 warn track.failed file="03 torn.mp3" reason="no MPEG audio in it, … │
        │ 84.502000 info playback.paused cause=route-lost from=headphones route=speak… │
        │ 84.502000 notice prompt.shown text="headphones unplugged: Play goes on here… │
        │                                                                              │
        ╰──────────────────────────────────────────────────────────────────────────────╯
        """)
  }

  @Test("80 x 24 in ASCII, playing")
  func ascii() {
    #expect(
      picture(testState(), unicode: false).joined(separator: "\n") == """
        +- JACKDAW -------------------------- Simulated board, 44.1 kHz, ALSA default -+
        |  .-------.    PLAYING                                               lamp lit |
        | /    *    \\   Track 2 of 7                                                   |
        | | .-----. |   Blue in Green - Miles Davis                                    |
        | | |( | )| |   ############-------------------------------------  1:23 / 5:37 |
        | '-'-----'-'   Volume  ###################------------  60                    |
        +- Outputs --------------------------------------------------------------------+
        | #= Headphones =========# .- Dock (line-out) ----. .- Speaker ------------.   |
        | # ===[O] in            # |    [ ] empty         | | <))) built in        |   |
        | # IN USE      h unplug # |            d plug in | |                      |   |
        | #======================# '----------------------' '----------------------'   |
        |                                                                              |
        +- Keys -----------------------------------------------------------------------+
        | p play/pause   s stop   b/n previous/next   -/+ volume   r record   c cue    |
        | h headphones   d dock   g page   m mute   ? help   l redraw   q quit         |
        +- Log ------------------------------------------------------------------------+
        | 0.002000 info boot tracks=7 rate=44100 ports=3                               |
        | 0.002000 info route.initial to=headphones                                    |
        | 1.531000 info playback.started cause=user track=2 route=headphones frame=0   |
        | 1.540000 warn track.failed file="03 torn.mp3" reason="no MPEG audio in it... |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        +------------------------------------------------------------------------------+
        """)
  }

  @Test("a small screen shows the list, a tiny one the most important lines")
  func compact() {
    #expect(
      text(promptState(), 40, 10) == """
        ● PAUSED — headphones unplugged
        Headphones out: p goes on, s stops
        2/7 Blue in Green — Miles Davis
        Time   █████░░░░░░░░░░░░░░░░ 1:23 / 5:37
        Volume ██████████████████░░░░░░░░░░░░ 60
         Headphones: empty   Dock: empty
        *Speaker: built in
        p s -/+ n r c h d g m ? q
        84.502000 info playback.paused cause=ro…
        84.502000 notice prompt.shown text="hea…
        """)
    #expect(text(testState(), 60, 15).hasPrefix("● PLAYING\n2/7 Blue in Green — Miles Davis\n"))
    #expect(text(testState(), 30, 2) == "● PLAYING\n2/7 Blue in Green — Miles Dav…")
    #expect(text(testState(), 60, 1) == "● PLAYING 1:23 vol 60 headphones Blue in Green — Miles Davis")
    #expect(text(promptState(), 60, 1) == "Headphones unplugged. Press p to go on here, s to stop.")
    let nowhere = promptState { $0.route = .none }
    #expect(text(nowhere, 60, 1) == "Headphones unplugged. Plug it in to go on, s to stop.")
    #expect(text(promptState(), 18, 1) == "p goes on, s stops")
    #expect(text(promptState(), 3, 1) == "p …")
  }
}
