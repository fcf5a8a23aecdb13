import AudioSession
import BoardFiles
import Testing

@testable import FrontPanel
@testable import Jukebox
@testable import KioskTestSupport

/// Texts that could spoil a panel, by accident or on purpose.
private let hostileTexts = [
  "\u{1B}[2J\u{1B}[H\u{1B}]0;owned\u{07}", "a\nb\rc\td\u{08}e\u{7F}f\u{9B}31mg", "\u{202E}gnol\u{2066}\u{2028}\u{2029}",
  "日本の音楽とても長い題名なので切らなければならない日本の音楽とても長い題名", "👩‍👩‍👧‍👦🇩🇪❤️👍🏽" + String(repeating: "🎵", count: 90),
  "e" + String(repeating: "\u{301}", count: 500), "\u{301}\u{200D}\u{FE0F}", "한국어 음악",
  String(repeating: "x", count: 700), "\u{E000}\u{10FFFF}\u{FEFF}\u{0}", "",
]

@Suite struct PanelLayoutTests {
  /// `text` without the codes for styles; nil where any other control character is in it.
  private func plain(_ text: String) -> String? {
    var plain = String.UnicodeScalarView()
    var isCode = false
    for scalar in text.unicodeScalars {
      if isCode {
        if scalar == "m" { isCode = false } else if !"[0123456789;".unicodeScalars.contains(scalar) { return nil }
      } else if scalar == "\u{1B}" {
        isCode = true
      } else if scalar.value < 32 || (127..<160).contains(scalar.value) {
        return nil
      } else {
        plain.append(scalar)
      }
    }
    return isCode ? nil : String(plain)
  }

  private func check(_ view: PanelView, _ state: PanelState, _ columns: Int, _ rows: Int) {
    let lines = view.render(state, columns: columns, rows: rows)
    let shown = lines.compactMap(plain)
    // One check for each size: an #expect for each line would be slow.
    let isRight =
      shown.count == lines.count && (1...rows).contains(lines.count)
      && shown.allSatisfy {
        TerminalText.width($0) <= columns
          && (view.unicode || ($0.utf8.count <= columns && $0.utf8.allSatisfy { $0 < 128 }))
      }
    #expect(isRight, "\(columns) x \(rows), \(view): \(lines)")
  }

  private func hostile(_ text: String) -> PanelState {
    var state = promptState {
      $0.tags.title = text
      $0.tags.artist = text
      $0.file = text
      $0.cue = text
      $0.sessions = ["music", text]
      $0.holds = [.routeLost, .interruption]
      $0.isDucked = true
    }
    state.board.name = text
    state.output = text
    state.message = text
    state.note(text)
    return state
  }

  @Test("at every size, no line is too wide, none too many, and no control character but those for styles")
  func sizes() {
    for columns in 1...200 {
      // Above 26 rows only the log gets longer.
      for rows in Array(1...26) + [33, 43, 60] {
        let text = hostileTexts[(columns + rows) % hostileTexts.count]
        var state = (columns / 2 + rows) % 3 == 0 ? testState() : hostile(text)
        if rows % 4 == 0 { state.status.isPromptShown = false }
        if rows % 5 == 0 { state.showsHelp = true }
        if columns % 3 == 0 { state.status.recordingSince = .powerOn }
        check(PanelView(unicode: columns % 2 == 0, colour: rows % 2 == 0), state, columns, rows)
      }
    }
  }

  @Test("hostile text fits at the sizes that people have", arguments: hostileTexts)
  func hostileText(text: String) {
    for (columns, rows) in [(1, 1), (2, 2), (20, 5), (59, 16), (60, 16), (80, 24), (81, 25), (132, 43)] {
      for mode in 0..<4 {
        var state = hostile(text)
        check(PanelView(unicode: mode & 1 == 0, colour: mode & 2 == 0), state, columns, rows)
        state.status.tags.title = nil
        state.status.isPromptShown = false
        check(PanelView(unicode: mode & 1 == 0, colour: mode & 2 == 0), state, columns, rows)
      }
    }
  }

  @Test("in the full picture every line is as wide as the screen, and every row is used")
  func rectangle() {
    for (columns, rows) in [(60, 16), (61, 18), (80, 24), (121, 33), (200, 60)] {
      for state in [testState(), promptState(), hostile(hostileTexts[3])] {
        let lines = PanelView(unicode: true, colour: false).render(state, columns: columns, rows: rows)
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { TerminalText.width($0) == columns })
      }
    }
  }

  @Test("with signals and keys of its own it needs more rows; a screen without them gets the small picture")
  func higher() {
    let board = testBoard {
      for index in 1...4 {
        $0.lines.append(LineDescription(name: "TRACK_\(index)", role: .button(.choose(.track(.number(index))))))
      }
    }
    let signals = (1...30).map { ShownSignal(name: "SIGNAL_\($0)", pattern: .on) }
    for count in [1, 30] {
      let state = testState(board: board) { $0.signals = Array(signals.prefix(count)) }
      let view = PanelView(unicode: true, colour: false)
      for rows in 14...24 { check(view, state, 80, rows) }
      let full = (14...24).filter { view.render(state, columns: 80, rows: $0).first?.contains("JACKDAW") == true }
      #expect(full == Array((count == 1 ? 18 : 20)...24))
      #expect(view.render(state, columns: 80, rows: 17).contains { $0.contains("SIGNAL_1") })
    }
  }

  @Test("a panel is drawn even for absurd numbers")
  func absurdNumbers() {
    for number in [Int.min, -1, 0, Int.max] {
      let state = testState(
        board: testBoard {
          $0.rate = number
          $0.ports = []
        }, now: Instant(nanoseconds: Int64(number))
      ) {
        $0.frame = number
        $0.tags.frames = number
        $0.volume = number
        $0.track = number
        $0.trackCount = number
      }
      for (columns, rows) in [(80, 24), (40, 10), (9, 1)] {
        check(PanelView(unicode: true, colour: true), state, columns, rows)
      }
    }
  }

  @Test("a screen without a row or column shows nothing")
  func nothing() {
    let view = PanelView(unicode: true, colour: true)
    #expect(view.render(testState(), columns: 0, rows: 24).isEmpty)
    #expect(view.render(testState(), columns: 80, rows: -1).isEmpty)
  }

  @Test("cleaned text has the width that terminals give it")
  func widths() {
    let widths = [
      ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("♪", 1), ("🎵", 2),
    ]
    for (text, width) in widths {
      #expect(TerminalText.width(TerminalText.clean(text, unicode: true)) == width, "\(text)")
    }
  }

  @Test("cleaning shows what is dangerous and leaves out what has no width of its own")
  func cleaning() {
    let texts = [
      ("\u{1B}[2J", "\\u{1b}[2J"), ("a\u{202E}b", "a\\u{202e}b"), ("👍🏽", "👍"), ("❤️", "❤"), ("👩‍👧", "👩👧"), ("🇩🇪", "DE"),
      ("\u{301}a", "a"), ("a\u{301}\u{302}\u{303}", "a\u{301}\u{302}"), ("x\u{9B}", "x\\u{9b}"),
    ]
    for (text, clean) in texts {
      #expect(Array(TerminalText.clean(text, unicode: true).unicodeScalars) == Array(clean.unicodeScalars))
    }
    #expect(TerminalText.clean("Bjo\u{308}rk 日", unicode: false) == "Bjork ?")
  }
}
