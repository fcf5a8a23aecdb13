import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Explores everything that can happen, breadth first, every state once.
struct Explorer {
  struct Result {
    var states = 0
    var transitions = 0
    /// The first violation, with the steps that lead to it.
    var failures: [String] = []
  }

  let setup: Setup
  /// Recovery is tried in one of this many states; it costs as much as forty transitions.
  var recoverEvery = 1
  private var seen: Set<[UInt8]> = []
  private var ways: [(from: Int, step: Step)] = []

  init(_ setup: Setup, recoverEvery: Int = 1) {
    self.setup = setup
    self.recoverEvery = recoverEvery
  }

  mutating func run() -> Result {
    var result = Result()
    var level: [(World, Int)] = []
    for bits in 0..<(1 << setup.contactAndSenseLines.count) {
      let plugged = Set(setup.contactAndSenseLines.filter { bits & (1 << $0) != 0 }.map(LineID.init))
      var world = World(setup, plugged: plugged)
      if setup.backlog == nil { world.drain(setup) }
      if !world.violations.isEmpty { result.failures.append("power on with \(plugged): \(world.violations)") }
      if seen.insert(world.key(setup)).inserted { level.append((world, -1)) }
    }
    while !level.isEmpty && result.failures.count < 3 {
      var next: [(World, Int)] = []
      for (world, index) in level {
        result.states += 1
        if result.states % recoverEvery == 0 { tryToRecover(world, index, &result) }
        expand(world, index, &next, &result)
        if result.failures.count >= 3 { break }
      }
      level = next
    }
    return result
  }

  private mutating func expand(_ world: World, _ index: Int, _ next: inout [(World, Int)], _ result: inout Result) {
    for step in world.steps(setup) {
      var after = world
      after.take(step, setup)
      result.transitions += 1
      if !after.violations.isEmpty {
        result.failures.append("\(way(to: index, step)): \(after.violations)")
        return
      }
      guard seen.insert(after.key(setup)).inserted else { continue }
      ways.append((index, step))
      next.append((after, ways.count - 1))
    }
  }

  private func tryToRecover(_ world: World, _ index: Int, _ result: inout Result) {
    let found = world.recovered(setup)
    if !found.isEmpty { result.failures.append("\(way(to: index, nil)), then all put right: \(found)") }
  }

  private func way(to index: Int, _ last: Step?) -> String {
    var steps = last.map { ["\($0)"] } ?? []
    var index = index
    while index >= 0 {
      steps.append("\(ways[index].step)")
      index = ways[index].from
    }
    return steps.reversed().joined(separator: " → ")
  }
}

extension Explorer {
  static let headphones = OutputPort(
    port: .headphones, sense: .line("JACK"), priority: 30, isPrivate: true, ceiling: 80)
  static let dock = OutputPort(port: .lineOut, sense: .line("DOCK"), priority: 20, isPrivate: true)
  static let bluetooth = OutputPort(
    port: .bluetooth, sense: .line("bluetooth"), priority: 40, isPrivate: true, isWireless: true)
  static let speaker = OutputPort(port: .speaker, sense: .always, priority: 10, isPrivate: false, ceiling: 50)

  static func explore(_ name: String, _ setup: Setup, states: Int, transitions: Int, recoverEvery: Int = 16) {
    var explorer = Explorer(setup, recoverEvery: recoverEvery)
    let result = explorer.run()
    print("explored \(name): \(result.states) states, \(result.transitions) transitions")
    for failure in result.failures { Issue.record("\(name): \(failure)") }
    guard result.failures.isEmpty else { return }
    // The numbers are exact, so that the exploration cannot shrink unnoticed; a brain with more or less state changes them.
    #expect(result.states == states, "\(name)")
    #expect(result.transitions == transitions, "\(name)")
  }
}
