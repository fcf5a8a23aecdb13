import AudioSession
import BoardFiles
import Files

@testable import Simulator

/// What happens to a kiosk in some hours, as a scenario that `jackdaw simulate` plays.
public struct Life: Sendable {
  public struct Step: Hashable, Sendable {
    /// Microseconds after power on.
    public var at: Int
    /// In the scenario language, without the time.
    public var words: String

    public init(at: Int, words: String) {
      self.at = at
      self.words = words
    }
  }

  public var seed: UInt64
  /// One of `Kiosk.names`.
  public var kiosk: String
  /// In the order of time; the last one ends it.
  public var steps: [Step]

  public init(seed: UInt64, kiosk: String, steps: [Step]) {
    self.seed = seed
    self.kiosk = kiosk
    self.steps = steps
  }

  public var microseconds: Int { steps.last?.at ?? 0 }

  /// The scenario file.
  public var text: String {
    steps.reduce(into: "") { text, step in
      let fraction = String(step.at % 1_000_000)
      text +=
        "at \(step.at / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count)
        + "\(fraction)s \(step.words)\n"
    }
  }

  /// Without the steps that can do nothing where they stand, which no scenario may have: whoever makes a life up, or
  /// leaves steps out, need not look.
  public func acting(on board: BoardDescription) throws(FileError) -> Life {
    var life = self
    while true {
      let scenario = try ScenarioParser.words(of: life.text, file: "life-\(seed).scenario", board: board)
      let idle = Set(ScenarioCourse.faults(in: scenario, board: board).map(\.step))
      if idle.isEmpty { return life }
      life.steps = life.steps.enumerated().filter { !idle.contains($0.offset) }.map(\.element)
    }
  }

  /// A life that a scenario file tells; its comments and `expect`s are left out.
  public init(scenario text: String, kiosk: String, board: BoardDescription, file: String) throws(FileError) {
    let scenario = try ScenarioParser.parse(text, file: file, board: board)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var steps: [Step] = []
    for step in scenario.steps {
      if case .expect = step.action { continue }
      // Behind `at TIME`, in front of a comment.
      let words = lines[step.line - 1].prefix { $0 != "#" }.split(separator: " ").dropFirst(2)
      steps.append(Step(at: Int(step.at.nanoseconds / 1_000), words: words.joined(separator: " ")))
    }
    self.init(seed: 0, kiosk: kiosk, steps: steps)
  }
}
