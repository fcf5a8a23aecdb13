import AudioSession
import Board
import Testing

@testable import AudioEngine

/// Breadth first through everything that can happen to a machine, every state once.
struct MachineExplorer {
  let setup: MachineSetup
  /// Every how many states it is put right again; that costs as much as many transitions.
  var recoverEvery = 256
  var mostStates = 400_000
  private(set) var states = 0
  private(set) var transitions = 0
  /// What went wrong first, with the way there.
  private(set) var failures: [String] = []
  /// The states' numbers, and for each those that follow it without a wait.
  private var seen: [[UInt8]: Int] = [:]
  private var next: [[Int]] = []
  private var ways: [(from: Int, choice: MachineWorld.Choice)] = []

  init(_ setup: MachineSetup) { self.setup = setup }

  mutating func run() {
    var start = MachineWorld(setup)
    start.happen(.wake, setup)
    // Where the exploration is to begin: an output, and where nothing else loads or speaks, something to play.
    start.give([.command(.route(setup.route, gain: 1 << 15))] + (setup.loads ? [] : [.load]) + [.command(.play)], setup)
    if !start.complaints.isEmpty { failures.append("at first: \(start.complaints)") }
    seen[MachineKey(start, setup).bytes] = 0
    next.append([])
    var level = [(start, -1)]
    while !level.isEmpty && failures.isEmpty && states < mostStates {
      var next: [(MachineWorld, Int)] = []
      for (world, index) in level {
        states += 1
        if states % recoverEvery == 0, let found = world.recovered(setup) {
          failures.append("\(way(to: index, nil)), then all put right: \(found)")
        }
        expand(world, index, &next)
        if failures.count >= 3 { break }
      }
      level = next
    }
    if failures.isEmpty, let state = firstOnCircle() {
      failures.append("\(way(to: state - 1, nil)), then round and round without a wait")
    }
    if states >= mostStates { failures.append("more than \(mostStates) states") }
  }

  private mutating func expand(_ world: MachineWorld, _ index: Int, _ level: inout [(MachineWorld, Int)]) {
    for choice in world.choices(setup) {
      var after = world
      after.take(choice, setup)
      transitions += 1
      if !after.complaints.isEmpty {
        failures.append("\(way(to: index, choice)): \(after.complaints) \(after.machine.state)")
        return
      }
      let key = MachineKey(after, setup).bytes
      let known = seen[key]
      let number = known ?? self.next.count
      if !world.isWaiting && after.waits == world.waits { self.next[index + 1].append(number) }
      guard known == nil else { continue }
      seen[key] = number
      self.next.append([])
      ways.append((index, choice))
      level.append((after, ways.count - 1))
    }
  }

  /// A state from which the machine may come back to it without ever waiting: it would spin. Depth first.
  private func firstOnCircle() -> Int? {
    enum Mark { case new, open, done }
    var boundaries = [Mark](repeating: .new, count: next.count)
    for start in next.indices where boundaries[start] == .new {
      boundaries[start] = .open
      var path = [(state: start, tried: 0)]
      while let (state, tried) = path.last {
        guard tried < next[state].count else {
          boundaries[state] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].tried += 1
        let after = next[state][tried]
        if boundaries[after] == .open { return after }
        if boundaries[after] == .new {
          boundaries[after] = .open
          path.append((after, 0))
        }
      }
    }
    return nil
  }

  private func way(to index: Int, _ last: MachineWorld.Choice?) -> String {
    var steps = last.map { ["\($0)"] } ?? []
    var index = index
    while index >= 0 {
      steps.append("\(ways[index].choice)")
      index = ways[index].from
    }
    return steps.reversed().joined(separator: "\n → ")
  }
}

extension MachineWorld {
  /// Has the machine obey, with a device that works, up to the next wait.
  mutating func give(_ commands: [Choice], _ setup: MachineSetup) {
    var commands = commands
    var isFirst = true
    while isFirst || !commands.isEmpty || !isWaiting {
      isFirst = false
      switch call {
      case .wait: happen(.wake, setup)
      case .takeCommand: happen(commands.isEmpty ? .answer(.command(nil)) : commands.removeFirst(), setup)
      case .takeBoundary, .ask, .open, .close, .status, .rewind, .write, .drop, .start, .recover:
        happen(choices(setup)[0], setup)
      }
    }
  }

  fileprivate var isWaiting: Bool { if case .wait = call { true } else { false } }
}
