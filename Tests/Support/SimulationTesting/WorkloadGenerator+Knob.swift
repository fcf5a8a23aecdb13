/// Visitors who turn the knob. Chosen apart from all else, so that each seed's visitors and faults stay what they are.
extension WorkloadGenerator {
  mutating func addKnobTurns(seed: UInt64, until end: Int) {
    guard kiosk == "lobby" || kiosk == "exhibit" else { return }
    var choice = SeededGenerator(seed: seed &* 29)
    // Where somebody does something, or at any time.
    let moments = steps.filter { ["plug", "unplug", "press", "line"].contains($0.words.prefix { $0 != " " }) }.map(\.at)
    for _ in 0..<choice.integer(5...60) {
      var now = choice.integer(1...end)
      if !moments.isEmpty && choice.chance(60) {
        now = max(1, moments[choice.integer(0...moments.count - 1)] + choice.integer(-400_000...400_000))
      }
      for _ in 0..<choice.integer(1...4) {
        let detents = choice.integer(1...12) * (choice.chance(50) ? 1 : -1)
        let time = abs(detents) * choice.logUniform(4, 700)
        let bounce = choice.chance(50) ? " bounce 0.\(choice.integer(1...9))ms" : ""
        add(now, "turn VOLUME \(detents) in \(time)ms\(bounce)")
        now += time * 1_000 + choice.logUniform(1_000, 2_000_000)
      }
    }
  }
}
