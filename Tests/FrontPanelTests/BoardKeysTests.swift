import AudioSession
import Jukebox
import Testing

@testable import BoardFiles
@testable import FrontPanel
@testable import KioskTestSupport

/// Lines that only some boards have.
@Suite struct BoardKeysTests {
  private static let roles: [Line.Role] = [
    .button(.choose(.track(.number(1)))), .button(.choose(.playlist("Deutsch"))),
    .selector(playlist: "English", released: nil), .interrupter("fire-alarm"), .button(.pair), .lamp,
  ]

  private static func board(_ change: (inout BoardDescription) -> Void = { _ in }) -> BoardDescription {
    testBoard {
      for (index, role) in roles.enumerated() {
        $0.lines.append(LineDescription(name: "OWN \(index)", role: role))
      }
      change(&$0)
    }
  }

  private static func line(_ index: Int, of board: BoardDescription) -> LineID? {
    board.lines.firstIndex { $0.name == "OWN \(index)" }.map(LineID.init)
  }

  @Test("each input that has no key of its own gets the next free letter, in the order of the board file")
  func letters() {
    let board = Self.board()
    let entries = BoardKeys(board).entries
    #expect(entries.map(\.does) == ["track 1", "Deutsch", "English", "fire-alarm", "pair"])
    #expect(
      String(entries.map(\.letter)) == "aefij"
        && entries.map(\.moves) == (0..<5).compactMap { Self.line($0, of: board).map { .line($0) } })
    #expect(BoardKeys(testBoard()).entries.isEmpty)
  }

  @Test("a letter presses a button, and moves a selector or a contact until it is typed again")
  func edges() {
    let board = Self.board()
    var controls = VirtualControls(board: board)
    let press = controls.makeEdges(for: .letter("a"))
    #expect(press.first?.asserted == true && press.last?.asserted == false && controls.closed == [])
    #expect(controls.makeEdges(for: .letter("f")).last?.asserted == true)
    #expect(controls.closed == Set([Self.line(2, of: board)].compactMap(\.self)))
    #expect(controls.makeEdges(for: .letter("f")).last?.asserted == false && controls.closed == [])
    #expect(controls.makeEdges(for: .letter("z")) == [])
  }

  @Test("a knob has two letters, for a detent down and one up, behind the lines")
  func knobs() {
    let (a, b) = (KnobDescription.Contact(name: "5"), KnobDescription.Contact(name: "6"))
    let source = KnobDescription.Source.contacts(a: a, b: b, activeLow: true, bias: .pullUp)
    let keys = BoardKeys(Self.board { $0.knobs = [KnobDescription(knob: Knob(name: "VOLUME"), source: source)] })
    #expect(keys.entries.suffix(2).map(\.does) == ["VOLUME down", "VOLUME up"])
    #expect(keys.turn(of: .letter("k")).map { $0 == (KnobID(0), -1) } == true)
    #expect(keys.turn(of: .letter("o")).map { $0 == (KnobID(0), 1) } == true)
    #expect(keys.turn(of: .letter("a")) == nil && keys.turn(of: .play) == nil && keys.line(of: "k") == nil)
  }

  @Test("no letter is that of another key, and each is typed by itself")
  func decoding() {
    for letter in BoardKeys.letters {
      var decoder = KeyDecoder()
      #expect(letter.asciiValue.flatMap { decoder.take($0) } == .letter(letter))
    }
  }

  private func text(_ state: PanelState) -> String {
    PanelView(unicode: true, colour: false).render(state, columns: 80, rows: 24).joined(separator: "\n")
  }

  @Test("the panel has a row of them, in capitals while the contact is closed, and a board without any has none")
  func row() {
    var state = testState(board: Self.board())
    #expect(text(state).contains("│ a track 1  e Deutsch  f English  i fire-alarm  j pair "))
    state.closed = Set([Self.line(3, of: state.board)].compactMap(\.self))
    #expect(text(state).contains("i FIRE-ALARM"))
    #expect(!text(testState()).contains("│ a "))
  }

  @Test("the help has no key of another board")
  func help() {
    let gone: [Line.Role] = [.button(.record), .button(.cue), .button(.next), .mute]
    var board = testBoard { $0.lines.removeAll { gone.contains($0.role) } }
    let help = testState(board: board).help
    #expect(!help.contains { $0.contains("Record") } && help.count == 6)
    #expect(help.contains("b + -      previous track; louder; softer; also the arrow keys"))
    #expect(help.contains("h d g      move the headphones' plug; the dock; the page contact"))
    board.lines.removeAll { $0.role == .button(.stop) }
    #expect(testState(board: board).help.contains(", . [ ]    10 s back or on; previous, next playlist"))
  }
}
