import AudioSession
import BoardFiles
import Testing

@testable import KioskLives

/// One after the other: they share the music and the recordings.
@Suite(.serialized) struct LifeTests {
  /// Tests/Soak/Kiosks beside these tests.
  static let kiosks = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/Soak/Kiosks"

  @Test("The same seed gives the same life, another seed another")
  func sameSeed() {
    #expect(Life.ofSeed(7).text == Life.ofSeed(7).text)
    #expect(Life.ofSeed(7).text != Life.ofSeed(8).text)
  }

  @Test("A life is a scenario, and the scenario is the life")
  func scenario() throws {
    let board = try BoardFile.read(Self.kiosks + "/lobby.board.toml")
    for seed: UInt64 in 1...40 {
      let life = try Life.ofSeed(seed).acting(on: board)
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
      life = try life.acting(on: kiosk.board)
      let recordings = Self.kiosks + "/../../../.build/soak/test-recordings"
      let first = try Trial(life, on: kiosk, recordings: recordings)
      let second = try Trial(life, on: kiosk, recordings: recordings)
      #expect(first.violation == nil)
      #expect(first.coverage.events == second.coverage.events)
      #expect(first.coverage.played == second.coverage.played)
    }
  }

  private func violation(on name: String, in scenario: String) throws -> Violation? {
    let kiosk = try Kiosk(name, in: Self.kiosks)
    let life = try Life(scenario: scenario, kiosk: name, board: kiosk.board, file: "life.scenario")
    return try Trial(life, on: kiosk, recordings: Self.kiosks + "/../../../.build/soak/test-recordings").violation
  }

  @Test("W1: to come back to a track that cannot be played, where it was saved in passing, is no change to be saved")
  func passedPlace() throws {
    let scenario = """
      at 1s   press next
      at 5s   plug headphones
      at 5.2s press play
      at 9.6s press previous
      at 20s  press play         # saved, and on to the next track in the same instant
      at 20.1s press record
      at 20.8s press previous
      at 30s  end
      """
    #expect(try violation(on: "booth", in: scenario) == nil)
  }

  @Test("D2: a fade that a sleep comes into goes on behind it")
  func sleepInFade() throws {
    let scenario = """
      at 0s   press play
      at 0.2s press cue
      at 2.9s power sleep        # the fade of a second began at 2.73 s
      at 10s  power wake
      at 14s  end
      """
    #expect(try violation(on: "exhibit", in: scenario) == nil)
  }

  @Test("K8: an output that comes back is no visit")
  func restoredOutput() throws {
    let scenario = """
      at 1s   plug headphones
      at 2s   output fail
      at 3s   press cue
      at 4s   press volume-up
      at 5s   unplug headphones
      at 6s   output restore     # found out by trying again, long before the idle reset at 125 s
      at 130s plug headphones
      at 131s end
      """
    #expect(try violation(on: "exhibit", in: scenario) == nil)
  }

  @Test("D7: in a multi-route a port that comes back does not go on with a cue that was cut off")
  func leftCue() throws {
    let scenario = """
      at 0.5s console "category multi-route"
      at 1s   plug headphones
      at 2s   press play
      at 3s   press cue
      at 3.2s unplug headphones
      at 3.3s plug headphones
      at 3.34s line JACK_SENSE 0
      at 3.36s line JACK_SENSE 1
      at 3.4s press record
      at 6s   end
      """
    #expect(try violation(on: "exhibit", in: scenario) == nil)
  }

  @Test("I9: an output that is lost in the instant in which an interruption ends has a limit of its own")
  func nextLimit() throws {
    let scenario = """
      at 1s   press play
      at 2s   press record       # for 20 s at most; the limit of an interruption is 60 s
      at 10s  output fail
      at 70s  end
      """
    #expect(try violation(on: "exhibit", in: scenario) == nil)
  }
}
