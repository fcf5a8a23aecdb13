import Glibc
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Long sequences of everything that can happen to a whole kiosk, with the clock running: all lines and buttons,
/// all timers (on time or late), all console commands, all reports (late or of an older stream), faults, sleep, reboots,
/// and settings, clients and cues chosen by the seed. The rules of `World` hold after every input, and from time to
/// time recovery is tried on a copy.
///
/// In the environment, `JACKDAW_SEEDS` is how many seeds are walked, `JACKDAW_FIRST_SEED` the first of them and
/// `JACKDAW_INPUTS` how many steps each takes: `JACKDAW_FIRST_SEED=77 JACKDAW_SEEDS=1 swift test --filter RandomWalk`.
/// A seed that fails prints the shortest way to the failure that was found.
@Suite struct RandomWalkTests {
  private static func number(_ name: String, or standard: UInt64) -> UInt64 {
    getenv(name).flatMap { UInt64(String(cString: $0)) } ?? standard
  }

  @Test("No random sequence of inputs breaks a rule or gets the kiosk stuck")
  func walks() {
    let first = Self.number("JACKDAW_FIRST_SEED", or: 1)
    let inputs = Int(Self.number("JACKDAW_INPUTS", or: 10_000))
    for seed in first..<(first + Self.number("JACKDAW_SEEDS", or: 10)) {
      if let failure = walk(seed, inputs) { Issue.record("seed \(seed): \(failure)") }
    }
  }

  private func walk(_ seed: UInt64, _ inputs: Int) -> String? {
    var walk = RandomWalk(seed: seed)
    for number in 1...inputs {
      walk.step()
      if !walk.world.violations.isEmpty { return describe(seed, walk.steps, recovers: false) }
      if number % 500 == 0 || number == inputs, !walk.world.recovered(walk.setup).isEmpty {
        return describe(seed, walk.steps, recovers: true)
      }
    }
    return nil
  }

  private func describe(_ seed: UInt64, _ steps: [Step], recovers: Bool) -> String {
    let short = RandomWalk.shortened(seed, steps, recovers: recovers)
    let setup = RandomWalk(seed: seed).setup
    let way = short.map { step -> String in
      switch step {
      case .edge(let line): "edge \(setup.lines[line].name)"
      case .command(let index): setup.commands[index]
      default: "\(step)"
      }
    }
    let found = RandomWalk.replay(seed, short, recovers: recovers) ?? "gone when shortened"
    return "\(found) after \(steps.count) steps, \(short.count) of them needed: \(way.joined(separator: " → "))"
  }
}
