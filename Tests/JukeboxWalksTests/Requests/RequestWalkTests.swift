import Glibc
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Requests among coins, plugs, pages, failures, other music, a slow or full storage and power cuts, at random (J rows).
///
/// `JACKDAW_FIRST_SEED` and `JACKDAW_SEEDS` choose the seeds, as for `RandomWalkTests`. A seed that fails prints the
/// shortest way to the failure that was found.
@Suite struct RequestWalkTests {
  private static func number(_ name: String, or standard: UInt64) -> UInt64 {
    getenv(name).flatMap { UInt64(String(cString: $0)) } ?? standard
  }

  @Test("J1, J2, J4, J5: books kept by hand agree with every ledger, and each request is heard once, in its turn")
  func walks() {
    let first = Self.number("JACKDAW_FIRST_SEED", or: 1)
    for seed in first..<(first + Self.number("JACKDAW_SEEDS", or: 40)) {
      if let failure = Self.failure(seed) { Issue.record("\(failure)") }
    }
  }

  /// What is broken by the steps of this seed, and the shortest way there that was found.
  static func failure(_ seed: UInt64) -> String? {
    let steps = steps(seed)
    guard let failure = replay(seed, steps) else { return nil }
    let short = shortened(seed, Array(steps.prefix(failure.step + 1)))
    return "seed \(seed): \((replay(seed, short) ?? failure).rule): \(short)"
  }

  // MARK: - Steps

  private static let commands = [
    "play", "play", "play", "stop", "next", "next", "pause", "previous", "requests clear", "requests", "credits",
    "start",
  ]

  private static func steps(_ seed: UInt64) -> [RequestStep] {
    var generator = SplitMix64(state: seed ^ 0x5eed)
    return (0..<120).map { _ in step(&generator) }
  }

  private static func step(_ generator: inout SplitMix64) -> RequestStep {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<25: return .choose(one([1, 2, 3]), one(RequestChooser.allCases))
    case 25..<35: return .choose(one([1, 2, 3, 4, 5, 6, 7]), one([.console, .keypad]))
    case 35..<39: return .give(one([1, 2, 5, 998]))
    case 39..<45: return .coin(pulses: one([1, 1, 2, 3, 5, 7]))
    case 45..<55: return .type(one(commands))
    case 55..<58: return .press(one([.play, .stop, .next, .previous]))
    case 58..<66: return .toggle(one(["JACK", "JACK", "DOCK", "PAGE"]))
    case 66..<68: return .music(RequestWalk.files.indices.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 })
    case 68..<71: return .spoil(Int.random(in: RequestWalk.files.indices, using: &generator))
    case 71: return .breaksOff
    case 72..<74: return .refuses
    case 74..<78: return .isSlow
    case 78..<81: return .cut(isWritten: one([true, false]))
    default: return .wait(milliseconds: one([100, 400, 1_000, 3_000, 3_000, 9_000, 15_000, 40_000, 70_000]))
    }
  }

  // MARK: - Replaying

  private struct Failure {
    var step: Int
    var rule: String
  }

  private static func replay(_ seed: UInt64, _ steps: [RequestStep]) -> Failure? {
    var walk = RequestWalk(seed: seed)
    for (number, step) in steps.enumerated() {
      walk.take(step)
      if let rule = walk.violations.first { return Failure(step: number, rule: rule) }
    }
    walk.recover()
    return walk.violations.first.map { Failure(step: steps.count, rule: "at the end: \($0)") }
  }

  /// Fewer steps that lead to a failure, found by leaving some out.
  private static func shortened(_ seed: UInt64, _ steps: [RequestStep]) -> [RequestStep] {
    var steps = steps
    var size = max(steps.count / 2, 1)
    while size >= 1 {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if replay(seed, fewer) != nil { steps = fewer } else { start += size }
      }
      size /= 2
    }
    return steps
  }
}
