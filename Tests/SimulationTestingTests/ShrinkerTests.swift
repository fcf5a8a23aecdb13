import Testing

@testable import SimulationTesting

@Suite struct ShrinkerTests {
  @Test("Steps without a part in the failure go, the others stay in their order")
  func shrinks() {
    let left = Shrinker.shrink(Array(0..<100), mostTries: 1_000) { steps in
      [7, 42, 43].allSatisfy(steps.contains)
    }
    #expect(left == [7, 42, 43])
  }

  @Test("It returns what it has when the tries are used up")
  func endsInTime() {
    var tries = 0
    let left = Shrinker.shrink(Array(0..<100), mostTries: 5) { steps in
      tries += 1
      return steps.contains(99)
    }
    #expect(tries == 5)
    #expect(left.contains(99))
  }
}
