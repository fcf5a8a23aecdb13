import AudioSession
import BoardFiles
import Jukebox
import Testing

@testable import KioskTestSupport
@testable import Simulator

/// What a scenario finds, and what it is told of its steps.
@Suite struct ExpectationTests {
  let stage = ScenarioSetup()

  @Test("J3.6: without power an output that keeps coins out rests, which an expectation finds")
  func restingInhibit() throws {
    var stage = stage
    stage.board.lines += [
      LineDescription(name: "COIN", role: .coin(CoinLine()), debounce: .zero),
      LineDescription(name: "COIN_INHIBIT", role: .coinInhibit, debounce: .zero),
      LineDescription(name: "LIGHT", role: .signal(OutputSignal(whileAny: [.playing])), debounce: .zero),
    ]
    let played = try stage.play(
      """
      at 1s power cut
      at 2s expect signal COIN_INHIBIT on signal LIGHT off
      at 3s expect signal COIN_INHIBIT off
      at 4s expect signal LIGHT on
      """)
    #expect(
      played.outcome.failures == [
        "test.scenario:3: expected signal COIN_INHIBIT off, found on",
        "test.scenario:4: expected signal LIGHT on, found off",
      ])
  }

  @Test("names are found in replies and events whatever they have in them")
  func names() throws {
    var stage = stage
    let name = "M\u{fc}ller a#b.mp3"
    stage.tracks = [(name, 30 * ScenarioSetup.rate)]
    let played = try stage.play(
      """
      at 1s press play
      at 3s console stats
      at 3s expect reply track="\(name)" starts=1 event track.started file="\(name)"
      at 4s console stats
      at 4s expect reply track="M\u{fc}ller a#c.mp3"
      """)
    #expect(
      played.outcome.failures.map { $0.prefix { $0 != "," } } == [
        "test.scenario:5: expected reply track=M\u{fc}ller a#c.mp3"
      ])
    let values = ["plain", "", "a b", "q\"u\\o#t=e", "\n\r\t\u{1b}", "日本 ü"]
    let event = Event(.trackFailed, .warn, ["file": values[0], "reason": values[1]])
    var line = event.line(at: .powerOn)
    for (index, value) in values.enumerated() {
      line += Event(.boot, .info, ["key-\(index)": value]).line(at: .powerOn).dropFirst(18)
    }
    let fields = event.fields + values.enumerated().map { Event.Field(key: "key-\($0.offset)", value: $0.element) }
    #expect(Event.fields(in: line) == fields)
  }

  @Test("X1: a step for a file that is gone or there already is noted, by whichever of its names")
  func idleMusic() throws {
    let played = try stage.play(
      """
      at 1s music remove 1
      at 2s music remove a
      at 9s music add a
      at 10s music add 1
      at 14s end
      """)
    #expect(
      played.outcome.notes == [
        "test.scenario:2: note: a is removed already, expected `music add` before it",
        "test.scenario:4: note: 1 is there, expected `music remove` before it",
      ])
    #expect(played.events("library.changed").count == 2)
  }
}
