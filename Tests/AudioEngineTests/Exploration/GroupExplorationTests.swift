import Testing

/// A loudspeaker and a headset in one multi-route, and whatever can happen to the headset, in every order.
@Suite struct GroupExplorationTests {
  /// How many steps after the first ones are tried in every order.
  private static let depth = 3

  @Test(
    "S6, B1, B2, B3: whatever a headset does in a multi-route, the loudspeaker plays on, and both are together in the end",
    arguments: zip(
      [[GroupWorld.Step.play], [.opens, .both, .play], [.opens, .headsetAndSpeaker, .play], [.both, .play, .opens]],
      [392, 501, 483, 501]))
  func everyOrder(first: [GroupWorld.Step], orders: Int) {
    var count = 0
    var found: Set<String> = []
    explore(first, Self.depth, &count, &found)
    print("explored a group after \(first): \(count) orders")
    // An exact number, so that nobody narrows the exploration without noticing.
    if found.isEmpty { #expect(count == orders) }
  }

  /// Begins again for every order, because a group has no value to go on from.
  private func explore(_ steps: [GroupWorld.Step], _ left: Int, _ count: inout Int, _ found: inout Set<String>) {
    let world = GroupWorld()
    for step in steps { world.take(step) }
    let next = left > 0 ? GroupWorld.Step.allCases.filter(world.allows) : []
    count += 1
    if next.isEmpty { world.recover() }
    for violation in world.violations where found.insert(violation).inserted { Issue.record("\(violation): \(steps)") }
    // What is broken once is broken in all that follows.
    if !world.violations.isEmpty { return }
    for step in next { explore(steps + [step], left - 1, &count, &found) }
  }
}
