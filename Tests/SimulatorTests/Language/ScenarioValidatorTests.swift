import Files
import Testing

@testable import KioskTestSupport
@testable import Simulator

/// Steps that have no effect where they stand are reported with their line.
@Suite struct ScenarioValidatorTests {
  private func fault(_ steps: String) -> String? {
    do throws(FileError) {
      let scenario = try ScenarioParser.steps(of: steps.replacing("; ", with: "\n"), file: "s", board: testBoard())
      let fault = ScenarioValidator.faults(in: scenario, board: testBoard()).first
      return fault.map { "s:\(scenario.steps[$0.step].line): \($0.message)" }
    } catch {
      return error.description
    }
  }

  @Test(
    "a power step without effect and a press that never counts are errors, any other step without effect is a note",
    arguments: [
      ("at 1s power on; at 2s end", true), ("at 1s power wake; at 2s end", true), ("at 1s press play", true),
      ("at 1s power cut; at 2s press play; at 3s power on; at 4s end", true), ("at 1s unplug dock; at 2s end", false),
      ("at 1s plug headphones", false), ("at 1s console free; at 2s end", false),
      ("at 1s power cut; at 2s console play; at 3s end", false), ("at 1s output restore; at 2s end", false),
    ])
  func severity(steps: String, isError: Bool) {
    let text = steps.replacing("; ", with: "\n")
    #expect(fault(steps) != nil)
    #expect((try? ScenarioParser.parse(text, file: "s", board: testBoard())) == nil || !isError)
    #expect((try? ScenarioParser.parse(text, file: "s", board: testBoard())) != nil || isError)
  }

  private func expectFault(_ steps: String, _ message: String) {
    #expect(fault(steps) == "s:\(message)", "\(steps)")
  }

  @Test(
    "a power step that finds the power in that state already is reported",
    arguments: [
      ("at 1s power on; at 2s end", "1: the power is on already, expected `power cut` before it"),
      (
        "at 1s power sleep; at 2s power on; at 3s power wake; at 4s end",
        "2: the power is on already, expected `power cut` before it"
      ),
      ("at 1s power cut; at 2s power cut; at 3s end", "2: the power is off already, expected `power on` before it"),
      ("at 1s power cut; at 2s power sleep; at 3s end", "2: the power is off, expected `power on` before it"),
      (
        "at 1s power sleep; at 2s power sleep; at 3s end",
        "2: the system sleeps already, expected `power wake` before it"
      ),
      ("at 1s power wake; at 2s end", "1: the system does not sleep, expected `power sleep` before it"),
      (
        "at 1s power sleep; at 2s power cut; at 3s power wake; at 4s end",
        "3: the system does not sleep, expected `power sleep` before it"
      ),
    ])
  func power(steps: String, message: String) { expectFault(steps, message) }

  @Test(
    "a step that no running system notices is reported",
    arguments: [
      "console play", "route speaker", "interrupt begin page", "interrupt end page resume", "cue welcome refused",
    ])
  func unheard(step: String) {
    expectFault(
      "at 1s power cut; at 2s \(step); at 3s end",
      "2: nobody hears it: the power is off, expected `power on` before it")
    expectFault(
      "at 1s power sleep; at 2s \(step); at 3s end",
      "2: nobody hears it: the system sleeps, expected `power wake` before it")
    #expect(fault("at 1s power cut; at 2s power on; at 2s \(step)") == nil)
    #expect(fault("at 1s power sleep; at 2s power wake; at 2s \(step)") == nil)
  }

  @Test(
    "a plug that is in already, a button that is down and a line that has its level are reported",
    arguments: [
      (
        "at 0s plug dock; at 1s plug dock; at 2s end",
        "2: the plug of line-out is in already, expected `unplug` before it"
      ),
      (
        "at 0s plug dock; at 1s plug dock bounce 20ms; at 2s end",
        "2: the plug of line-out is in already, expected `unplug` before it"
      ),
      (
        "at 1s unplug headphones; at 2s end",
        "1: the plug of headphones is out already, expected `plug` before it"
      ),
      (
        "at 0s plug headphones; at 1s line JACK_SENSE 0; at 2s unplug headphones; at 3s end",
        "3: the plug of headphones is out already, expected `plug` before it"
      ),
      (
        "at 1s press play for 2s; at 3s press play; at 4s press play for 1s; at 4.999s press play; at 9s end",
        "4: BTN_PLAY is down already, expected it up before a press"
      ),
      (
        "at 1s line BTN_STOP 1; at 2s press stop; at 3s end",
        "2: BTN_STOP is down already, expected it up before a press"
      ),
      ("at 0s line PAGE 0; at 1s end", "1: PAGE is 0 already, expected 1"),
      ("at 1s line PAGE 1; at 2s line PAGE 1; at 3s end", "2: PAGE is 1 already, expected 0"),
      ("at 1s press play; at 1.06s line BTN_PLAY 0; at 2s end", "2: BTN_PLAY is 0 already, expected 1"),
    ])
  func contacts(steps: String, message: String) { expectFault(steps, message) }

  @Test(
    "a fault that is there already, and the end of one that is not, are reported",
    arguments: [
      ("output restore", "no output fails, expected `output fail` before it"),
      ("output fail; at 2s output fail", "the outputs fail already, expected `output restore` before it"),
      ("microphone restore", "the microphone is there, expected `microphone fail` before it"),
      (
        "microphone fail; at 2s microphone fail",
        "the microphone has failed already, expected `microphone restore` before it"
      ),
      ("console free", "the console is free, expected `console blocked` before it"),
      ("console blocked; at 2s console blocked", "the console is blocked already, expected `console free` before it"),
      (
        "storage restore",
        "nothing is wrong with the storage, expected `storage full` or `storage read-only` before it"
      ),
      ("music back", "the music is there, expected `music gone` before it"),
      ("music works", "nothing is wrong with the music, expected `music fails` before it"),
      ("storage full; at 2s storage full", "the storage is full already, expected `storage restore` before it"),
      (
        "clock unset",
        "a clock that is set stays so while there is power, expected it at 0 s or behind `power cut`"
      ),
      (
        "power cut; at 1.5s clock unset; at 2s clock unset",
        "nobody has set the clock, expected `clock HH:MM` before it"
      ),
      ("power cut; at 2s output underrun", "nothing plays: the power is off, expected `power on` before it"),
      ("power sleep; at 2s output underrun", "nothing plays: the system sleeps, expected `power wake` before it"),
    ])
  func surroundings(steps: String, message: String) {
    expectFault("at 1s \(steps); at 3s end", "\(steps.split(separator: ";").count): \(message)")
  }

  @Test(
    "a move that counts only after the end of the scenario is reported, with when that is",
    arguments: [
      ("at 1s press play", "", "BTN_PLAY", "1.030000", "1.000000"),
      ("at 1s press stop for 2s", "; at 1.029s end", "BTN_STOP", "1.030000", "1.029000"),
      ("at 1s press stop for 20ms", "; at 1.03s end", "BTN_STOP", "1.050000", "1.030000"),
      ("at 1s plug dock bounce 20ms", "", "DOCK_SENSE", "1.050000", "1.000000"),
      ("at 1s line PAGE 1", "; at 1.02s end", "PAGE", "1.030000", "1.020000"),
      ("at 0s plug dock bounce 20ms", "", "DOCK_SENSE", "0.050000", "0.000000"),
    ])
  func behindTheEnd(step: String, more: String, line: String, rest: String, end: String) {
    expectFault(
      step + more,
      "1: \(line) counts at \(rest) s, behind the end of the scenario at \(end) s; expected an `end` no earlier "
        + "than that")
    #expect(fault("\(step); at \(rest)s end") == nil)
  }

  @Test(
    "a step whose effect would show only later is reported at the end of the scenario",
    arguments: [
      "storage full", "clock 12:00", "microphone a.wav", "console blocked", "power sleep",
    ])
  func atTheEnd(step: String) {
    expectFault("at 1s \(step)", "1: nothing happens after it, expected an `end` later than that")
    expectFault("at 1s \(step); at 1s end", "1: nothing happens after it, expected an `end` later than that")
    #expect(fault("at 1s \(step); at 2s end") == nil)
  }

  @Test("presses and contact moves that nothing can notice are reported")
  func unseen() {
    let message = "2: nobody sees it: BTN_PLAY is up again before there is power and the system is awake"
    expectFault("at 1s power sleep; at 2s press play; at 3s power wake; at 4s end", message)
    expectFault("at 1s power cut; at 2s press play; at 3s power on; at 4s end", message)
    #expect(fault("at 1s power sleep; at 2s press play for 2s; at 3s power wake; at 5s end") == nil)
    expectFault(
      "at 1s power cut; at 2s plug dock; at 3s end", "2: nobody sees it: the power stays off until the scenario ends")
    expectFault(
      "at 1s power sleep; at 2s plug dock; at 3s end", "2: nobody sees it: the system sleeps until the scenario ends")
  }

  @Test(
    "what is odd, and yet does something, is taken",
    arguments: [
      // A plug half in; the power cut while it moves; a button that is released early, or not at all.
      "at 1s plug dock; at 1.01s unplug dock; at 2s end", "at 1s plug dock bounce 1s; at 1.5s unplug dock; at 3s end",
      "at 1s press play; at 1.001s power cut; at 2s end",
      "at 1s press play for 1s; at 1.5s line BTN_PLAY 0; at 2s line BTN_PLAY 1; at 3s end",
      "at 0s press play for 1s; at 0.5s line BTN_PLAY 1; at 3s end",
      // In sleep and without power a plug may move, and be back in time.
      "at 1s power sleep; at 2s plug dock; at 3s unplug dock; at 4s power wake; at 5s end",
      "at 1s power cut; at 2s plug dock; at 3s power on", "at 1s power sleep; at 2s power cut; at 3s power on",
      "at 1s storage full; at 2s storage read-only; at 3s storage restore; at 4s end",
      "at 1s console blocked; at 2s power cut; at 3s console free; at 4s power on",
      "at 0s clock unset; at 1s clock 12:00; at 2s power cut; at 3s clock unset; at 4s power on",
      "at 0s plug dock; at 0s end", "at 1s output rate 48000; at 2s output rate 48000; at 3s end",
    ])
  func taken(steps: String) {
    #expect(fault(steps) == nil, "\(steps)")
  }

  @Test("all faults are reported, in the order of the steps, as if the others were not there")
  func all() throws {
    let scenario = try ScenarioParser.steps(
      of: """
        at 0s plug dock
        at 1s plug dock
        at 2s power on
        at 3s press play for 9s
        at 3s power cut
        at 4s console play
        at 5s power on
        at 5s press stop
        """, file: "s", board: testBoard())
    #expect(ScenarioValidator.faults(in: scenario, board: testBoard()).map(\.step) == [1, 2, 5, 7])
  }
}
