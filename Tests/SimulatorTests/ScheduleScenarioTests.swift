import AudioSession
import Jukebox
import Testing

@testable import KioskTestSupport
@testable import Simulator

/// Cues at a time of the day in the simulation, whose calendar shows 12:00:00 at power on.
@Suite struct ScheduleScenarioTests {
  private func play(_ scenario: String, at times: [TimeOfDay]) throws -> [String] {
    let board = ScenarioSetup.board()
    let cues = times.indices.map { Cue(name: "c\($0)", path: "c", client: ClientName(stringLiteral: "p\($0)")) }
    var settings = Settings()
    settings.timetable = times.indices.map { TimetableEntry(.cue("c\($0)"), .at([times[$0]])) }
    var log: [String] = []
    let simulation = try Simulation(
      scenario: ScenarioParser.parse(scenario, file: "s", board: board), board: board, settings: settings, cues: cues,
      library: [], opener: CountingTracks([:]), audio: nil, onLine: { log.append($0) })
    _ = try simulation.run()
    return log.filter { $0.contains(" session.activated ") }
      .map {
        $0.split(separator: " ").filter { $0.contains(".") && $0.first?.isNumber ?? false || $0.hasPrefix("client=") }
      }
      .map { $0.joined(separator: " ") }
  }

  @Test("a cue is requested at its exact second, at power on too")
  func times() throws {
    let times = [TimeOfDay(hour: 12, minute: 2), TimeOfDay(hour: 12, minute: 0), TimeOfDay(hour: 11, minute: 58)]
    let log = try play("at 2.5min end", at: times)
    #expect(log == ["0.000000 client=p1", "120.000000 client=p0"])
  }

  @Test("a cue that a power cut made late by more than a minute is left out")
  func powerCut() throws {
    let times = [TimeOfDay(hour: 12, minute: 1), TimeOfDay(hour: 12, minute: 2)]
    let log = try play("at 30s power cut\nat 121.5s power on\nat 5min end", at: times)
    #expect(log == ["121.500000 client=p1"])
  }
}
