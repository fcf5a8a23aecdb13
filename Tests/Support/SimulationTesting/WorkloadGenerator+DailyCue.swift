/// The power fails around the time of the cue of the day, which is at one o'clock.
extension WorkloadGenerator {
  /// Chosen apart from all else, so that each seed's visitors and faults stay what they are.
  mutating func addCutsAtDailyCue(seed: UInt64, until end: Int) {
    var choice = SeededGenerator(seed: seed &* 11)
    guard choice.chance(40) else { return }
    let start = choice.integer(0...end)
    let lead = choice.integer(0...20)
    add(start, "clock 12:59:\(60 - max(1, lead))")
    var now = start
    for _ in 0..<choice.integer(1...4) {
      now += choice.logUniform(1_000, 30 * Self.second)
      add(now, "power cut")
      now += choice.logUniform(1_000, 20 * Self.second)
      if choice.chance(20) { add(now - 1, "clock 12:59:\(choice.integer(40...59))") }
      add(now, "power on")
    }
  }
}
