import AudioSession
import Testing

@testable import FrontPanel
@testable import Jukebox

/// The outputs of role `signal` on the panel.
@Suite struct PanelSignalTests {
  private static let signals = [
    ShownSignal(name: "LIGHT_1", pattern: .on), ShownSignal(name: "RELAY", pattern: .off),
    ShownSignal(name: "ASK", pattern: .blink),
  ]

  private func rows(_ signals: [ShownSignal], at milliseconds: Int, _ columns: Int) -> [String] {
    let state = testState(now: .powerOn + .milliseconds(milliseconds)) { $0.signals = signals }
    return PanelView(unicode: false, colour: false).signalRows(state, columns).map { $0.text(colour: false) }
  }

  @Test("E6: every signal is a light, which blinks as it does on the board")
  func lights() {
    #expect(rows(Self.signals, at: 100, 60) == ["* LIGHT_1  o RELAY  * ASK"])
    #expect(rows(Self.signals, at: 600, 60) == ["* LIGHT_1  o RELAY  o ASK"])
    #expect(rows([], at: 0, 60) == [])
  }

  @Test("E6: those that do not fit are in the next line, and of very many the first")
  func wraps() {
    #expect(rows(Self.signals, at: 600, 20) == ["* LIGHT_1  o RELAY", "o ASK"])
    let many = (10..<74).map { ShownSignal(name: "SIGNAL_\($0)", pattern: .off) }
    let found = rows(many, at: 0, 40)
    #expect(found.count == 3 && found.last?.hasSuffix("...") == true)
  }

  @Test("E6: the whole panel and the small one show them")
  func panels() {
    let state = testState { $0.signals = Self.signals }
    let view = PanelView(unicode: false, colour: false)
    #expect(view.render(state, columns: 80, rows: 24).contains { $0.contains("* LIGHT_1") })
    #expect(view.render(state, columns: 40, rows: 24).contains { $0.contains("* LIGHT_1") })
  }
}
