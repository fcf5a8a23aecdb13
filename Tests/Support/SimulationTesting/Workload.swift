import AudioSession
import BoardFiles
import Files
import Simulator

/// What happens to a kiosk in some hours, as a scenario that `jackdaw simulate` plays.
public struct Workload: Sendable {
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
  /// One of `KioskSetup.names`.
  public var kiosk: String
  /// In the order of time; the last one ends it.
  public var steps: [Step]

  public init(seed: UInt64, kiosk: String, steps: [Step]) {
    self.seed = seed
    self.kiosk = kiosk
    self.steps = steps
  }

  /// The same seed gives the same workload.
  public static func generated(from seed: UInt64) -> Workload { WorkloadGenerator.workload(seed: seed) }

  /// The scenario file.
  public var text: String {
    steps.reduce(into: "") { text, step in
      let fraction = String(step.at % 1_000_000)
      text +=
        "at \(step.at / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count)
        + "\(fraction)s \(step.words)\n"
    }
  }

  /// The workload without the steps that can have no effect where they stand, which the scenario parser refuses: neither
  /// the generator nor the shrinker keeps track of them.
  public func withoutIdleSteps(on board: BoardDescription) throws(FileError) -> Workload {
    var workload = self
    while true {
      let scenario = try ScenarioParser.steps(of: workload.text, file: "workload-\(seed).scenario", board: board)
      let idle = Set(ScenarioValidator.faults(in: scenario, board: board).map(\.step))
      if idle.isEmpty { return workload }
      workload.steps = workload.steps.enumerated().filter { !idle.contains($0.offset) }.map(\.element)
    }
  }

  /// Reads the workload from a scenario file, without its comments and `expect`s.
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
