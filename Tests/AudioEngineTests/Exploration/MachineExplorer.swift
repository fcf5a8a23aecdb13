import Testing

@testable import AudioEngine

/// Breadth-first search through everything that can happen to a machine, visiting every state once.
struct MachineExplorer {
  let setup: MachineSetup
  /// After how many states the recovery is checked once; a check costs as much as many transitions.
  var recoverEvery = 256
  var maxStates = 400_000
  private(set) var states = 0
  private(set) var transitions = 0
  /// The first violations, with the steps that led there.
  private(set) var failures: [String] = []
  /// The number of every state that was seen.
  private var seen: [[UInt8]: Int] = [:]
  /// For every state, those that follow it without a wait.
  private var next: [[Int]] = []
  private var predecessors: [(from: Int, choice: MachineWorld.Choice)] = []

  init(_ setup: MachineSetup) { self.setup = setup }

  mutating func run() {
    var start = MachineWorld(setup)
    start.apply(.wake, setup)
    // Where the exploration begins: an output, and where nothing else loads or speaks, something to play.
    start.feed([.command(.route(setup.route, gain: 1 << 15))] + (setup.loads ? [] : [.load]) + [.command(.play)], setup)
    if !start.violations.isEmpty { failures.append("at first: \(start.violations)") }
    seen[MachineKey(start, setup).bytes] = 0
    next.append([])
    var level = [(start, -1)]
    while !level.isEmpty && failures.isEmpty && states < maxStates {
      var next: [(MachineWorld, Int)] = []
      for (world, index) in level {
        states += 1
        if states % recoverEvery == 0, let found = world.recoveryFailure(setup) {
          failures.append("\(trace(to: index, nil)), then with a healthy device: \(found)")
        }
        expand(world, index, &next)
        if failures.count >= 3 { break }
      }
      level = next
    }
    if failures.isEmpty, let state = firstOnCycle() {
      failures.append("\(trace(to: state - 1, nil)), then in a cycle without a wait")
    }
    if states >= maxStates { failures.append("more than \(maxStates) states") }
  }

  private mutating func expand(_ world: MachineWorld, _ index: Int, _ level: inout [(MachineWorld, Int)]) {
    for choice in world.choices(setup) {
      var after = world
      after.take(choice, setup)
      transitions += 1
      if !after.violations.isEmpty {
        failures.append("\(trace(to: index, choice)): \(after.violations) \(after.machine.state)")
        return
      }
      let key = MachineKey(after, setup).bytes
      let known = seen[key]
      let number = known ?? self.next.count
      if !world.isWaiting && after.waits == world.waits { self.next[index + 1].append(number) }
      guard known == nil else { continue }
      seen[key] = number
      self.next.append([])
      predecessors.append((index, choice))
      level.append((after, predecessors.count - 1))
    }
  }

  /// A state that the machine can return to without ever waiting, so that it would spin; depth-first search.
  private func firstOnCycle() -> Int? {
    enum Visit { case new, open, done }
    var visits = [Visit](repeating: .new, count: next.count)
    for start in next.indices where visits[start] == .new {
      visits[start] = .open
      var path = [(state: start, tried: 0)]
      while let (state, tried) = path.last {
        guard tried < next[state].count else {
          visits[state] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].tried += 1
        let after = next[state][tried]
        if visits[after] == .open { return after }
        if visits[after] == .new {
          visits[after] = .open
          path.append((after, 0))
        }
      }
    }
    return nil
  }

  private func trace(to index: Int, _ last: MachineWorld.Choice?) -> String {
    var steps = last.map { ["\($0)"] } ?? []
    var index = index
    while index >= 0 {
      steps.append("\(predecessors[index].choice)")
      index = predecessors[index].from
    }
    return steps.reversed().joined(separator: "\n → ")
  }
}

extension MachineWorld {
  /// Feeds commands to the machine, with a device that works, up to the next wait.
  mutating func feed(_ commands: [Choice], _ setup: MachineSetup) {
    var commands = commands
    var isFirst = true
    while isFirst || !commands.isEmpty || !isWaiting {
      isFirst = false
      switch call {
      case .wait: apply(.wake, setup)
      case .takeCommand where !ring.isEmpty: apply(choices(setup)[0], setup)
      case .takeCommand: apply(commands.isEmpty ? .result(.command(nil)) : commands.removeFirst(), setup)
      case .seekEdges, .takeBoundary, .ask, .open, .answer, .close, .openAhead, .closeAhead, .status, .rewind, .write,
        .stop, .start, .recover:
        apply(choices(setup)[0], setup)
      }
    }
  }

  fileprivate var isWaiting: Bool { if case .wait = call { true } else { false } }
}
