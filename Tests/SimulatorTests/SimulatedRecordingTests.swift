import AudioSession
import Board
import BoardFiles
import Jukebox
import TestSupport
import Testing

@testable import KioskTestSupport
@testable import Simulator

/// Recordings of a simulated board.
@Suite struct SimulatedRecordingTests {
  private let folder: TemporaryFolder
  private let name = RecordingBench.name

  init() throws { folder = try TemporaryFolder() }

  private func simulation(
    _ scenario: String, onLine: @escaping (String) -> Void = { _ in }
  ) throws -> Simulation {
    var board = ScenarioSetup.board()
    board.input = InputDescription(port: .microphone, pcm: "mic")
    let story = try ScenarioParser.parse(scenario, file: "test.scenario", board: board)
    return try Simulation(
      scenario: story, board: board, settings: Settings(), library: [], opener: CountingTracks([:]), audio: nil,
      recordings: RecordingSettings(folder: folder.path), onLine: onLine)
  }

  /// Plays `scenario` and replaces its console steps by `acts`, in their order.
  private func play(_ scenario: String, _ acts: [(Simulation) throws -> Void]) throws {
    var simulation: Simulation?
    // Breaks the cycle between the simulation and its closure.
    defer { simulation = nil }
    var left = acts[...]
    simulation = try self.simulation(
      scenario,
      onLine: { line in
        guard line.contains("console.command"), let simulation, let act = left.popFirst() else { return }
        do { try act(simulation) } catch { Issue.record(error) }
      })
    let outcome = try simulation?.run()
    #expect(outcome?.failures == [])
    #expect(left.isEmpty)
  }

  private func wav(_ name: String) throws -> ParsedWAV { try ParsedWAV("\(folder.path)/\(name)") }

  /// Frame *n* is (n, -n).
  private func voice(_ frames: Int) -> WAVSound {
    WAVSound(
      rate: ScenarioSetup.rate,
      samples: (0..<frames).flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: -$0)] })
  }

  @Test("C1, C2: a recording holds what the microphone heard between the two commands, frame by frame")
  func microphone() throws {
    try play(
      """
      at 1s console "status"
      at 2s console "status"
      at 4.5s console "status"
      at 6s end
      """,
      [
        { $0.microphone.feed(self.voice(2 * ScenarioSetup.rate)) }, { $0.record(.start) }, { $0.record(.stop) },
      ])
    let name = "2026-01-01 12-00-02.wav"
    #expect(folder.names == [name])
    let wav = try wav(name)
    let voice = voice(2 * ScenarioSetup.rate).samples
    #expect(wav.rate == ScenarioSetup.rate && wav.frames == 5 * ScenarioSetup.rate / 2)
    // From one second after its start on, and once more from its start.
    let heard = voice[(2 * ScenarioSetup.rate)...] + voice[..<(3 * ScenarioSetup.rate)]
    let isSame = wav.samples.elementsEqual(heard)
    #expect(isSame)
  }

  @Test("C2: a recording that runs at the end of the scenario is complete")
  func end() throws {
    try play("at 1s console \"status\"\nat 3.21s end", [{ $0.record(.start) }])
    #expect(try wav("2026-01-01 12-00-01.wav").frames == ScenarioSetup.rate * 221 / 100)
    #expect(folder.names.count == 1)
  }

  @Test("C5: a power cut leaves what was synced last, and power on repairs it into a recording")
  func powerCut() throws {
    try play(
      """
      at 1s console "status"
      at 2.77s power cut
      at 4s power on
      at 5s end
      """, [{ $0.record(.start) }])
    #expect(folder.names == ["2026-01-01 12-00-01.wav"])
    #expect(try wav("2026-01-01 12-00-01.wav").frames == ScenarioSetup.rate * 3 / 2)
  }

  @Test("C5: until power is back, the marker stands beside the file")
  func marker() throws {
    try play("at 1s console \"status\"\nat 2.77s power cut\nat 4s end", [{ $0.record(.start) }])
    #expect(folder.names == [".recording", "2026-01-01 12-00-01.wav"])
  }

  @Test("C6: a full storage and a lost microphone end a recording within a second, a read-only one lets none begin")
  func faults() throws {
    try play(
      (1...7).map { "at \($0)s console \"status\"" }.joined(separator: "\n") + "\nat 9s end",
      [
        { $0.record(.start) }, { $0.storage = .full },
        {
          $0.storage = .good
          $0.record(.start)
        },
        { $0.microphone.unplug() },
        {
          $0.microphone.plugIn()
          $0.storage = .readOnly
          $0.record(.start)
        },
        {
          $0.storage = .good
          $0.record(.start)
        }, { $0.storage = .readOnly },
      ])
    let names = ["2026-01-01 12-00-01.wav", "2026-01-01 12-00-03.wav", "2026-01-01 12-00-06.wav"]
    #expect(folder.names == [".recording"] + names)
    let seconds = try names.map { Double(try wav($0).frames) / Double(ScenarioSetup.rate) }
    #expect(seconds[0] >= 1 && seconds[0] <= 1.5)
    #expect(seconds[1] == 1)
    #expect(seconds[2] == 1)
  }
}
