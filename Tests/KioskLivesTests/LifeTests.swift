import AudioSession
import Board
import SimulatedBoard
import Testing

@testable import KioskLives

@Suite struct LifeTests {
  /// Tests/Soak/Kiosks beside these tests.
  private static let kiosks = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/Soak/Kiosks"

  @Test("The same seed gives the same life, another seed another")
  func sameSeed() {
    #expect(Life.ofSeed(7).text == Life.ofSeed(7).text)
    #expect(Life.ofSeed(7).text != Life.ofSeed(8).text)
  }

  @Test("A life is a scenario, and the scenario is the life")
  func scenario() throws {
    let board = try BoardFile.read(Self.kiosks + "/lobby.board.toml")
    for seed: UInt64 in 1...40 {
      let life = Life.ofSeed(seed)
      let read = try Life(scenario: life.text, kiosk: life.kiosk, board: board, file: "life.scenario")
      #expect(read.steps == life.steps)
    }
  }

  @Test("Lives are lived without a violation, and twice the same")
  func lived() throws {
    for seed: UInt64 in [3, 5] {
      var life = Life.ofSeed(seed)
      // The first minutes: unoptimised code is slow.
      life.steps = life.steps.filter { $0.at < 300_000_000 } + [Life.Step(at: 300_000_000, words: "end")]
      let kiosk = try Kiosk(life.kiosk, in: Self.kiosks)
      let recordings = Self.kiosks + "/../../../.build/soak/test-recordings"
      let first = try Trial(life, on: kiosk, recordings: recordings)
      let second = try Trial(life, on: kiosk, recordings: recordings)
      #expect(first.violation == nil)
      #expect(first.coverage.events == second.coverage.events)
      #expect(first.coverage.played == second.coverage.played)
    }
  }
}
