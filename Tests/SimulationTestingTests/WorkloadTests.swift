import AudioSession
import BoardFiles
import TestSupport
import Testing

@testable import SimulationTesting

/// Serialized, as the tests share the music and the recordings.
@Suite(.serialized) struct WorkloadTests {
  static let kiosks = repositoryPath("Tests/Programs/Soak/Kiosks")
  private static let recordings = repositoryPath(".build/soak/test-recordings")

  @Test("The same seed gives the same workload, another seed another")
  func sameSeed() {
    #expect(Workload.generated(from: 7).text == Workload.generated(from: 7).text)
    #expect(Workload.generated(from: 7).text != Workload.generated(from: 8).text)
  }

  @Test("A workload is the same when it is read back from its scenario")
  func scenario() throws {
    let board = try BoardFile.read(Self.kiosks + "/lobby.board.toml")
    for seed: UInt64 in 1...40 {
      let workload = try Workload.generated(from: seed).withoutIdleSteps(on: board)
      let read = try Workload(scenario: workload.text, kiosk: workload.kiosk, board: board, file: "workload.scenario")
      #expect(read.steps == workload.steps)
    }
  }

  @Test("Workloads run without a violation, and twice the same")
  func runs() throws {
    for seed: UInt64 in [3, 5] {
      var workload = Workload.generated(from: seed)
      // The first minutes: unoptimised code is slow.
      workload.steps = workload.steps.filter { $0.at < 300_000_000 } + [Workload.Step(at: 300_000_000, words: "end")]
      let kiosk = try KioskSetup(workload.kiosk, in: Self.kiosks)
      workload = try workload.withoutIdleSteps(on: kiosk.board)
      let first = try WorkloadRun(workload, on: kiosk, recordings: Self.recordings)
      let second = try WorkloadRun(workload, on: kiosk, recordings: Self.recordings)
      #expect(first.violation == nil)
      #expect(first.coverage.events == second.coverage.events)
      #expect(first.coverage.played == second.coverage.played)
    }
  }

  private func violation(on name: String, in scenario: String) throws -> Violation? {
    let kiosk = try KioskSetup(name, in: Self.kiosks)
    let workload = try Workload(scenario: scenario, kiosk: name, board: kiosk.board, file: "workload.scenario")
    return try WorkloadRun(workload, on: kiosk, recordings: Self.recordings).violation
  }

  @Test("W1: a return to the place of a save in passing, a track that cannot be played, need not be saved")
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

  @Test("T3, K8: a kiosk that stopped behind a chosen track forgets the choice while nobody uses it, without an event")
  func forgottenChoice() throws {
    let scenario = """
      at 1s   choose track 1
      at 200s console "play"     # two minutes after its end; the next track follows
      at 262s end
      """
    #expect(try violation(on: "exhibit", in: scenario) == nil)
  }

  @Test("D2: a fade that a sleep interrupts continues after it")
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

  @Test("K8: an output that returns does not count as use")
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
