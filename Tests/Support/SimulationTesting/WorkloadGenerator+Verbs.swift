/// What scripts and timers say, whoever is there (K7.1 to K7.3). Chosen apart from all else.
extension WorkloadGenerator {
  mutating func addVerbs(seed: UInt64, until end: Int) {
    var choice = SeededGenerator(seed: seed &* 13)
    var now = choice.logUniform(Self.second, 20 * Self.minute)
    while now < end {
      let port = choice.pick("headphones", "line-out", "speaker")
      let command = choice.pick(
        "start", "start", "start", "volume +\(choice.integer(0...30))", "volume -\(choice.integer(0...30))",
        "volume \(port) \(choice.integer(0...100))", "volume \(port) +7", "token 2", "token a7", "token INFO",
        "token 99", "sleep \(choice.integer(1...90))s", "sleep track", "sleep off")
      add(now, "console \"\(command)\"")
      // Somebody who has it play now lets it end by itself.
      if command == "start", choice.chance(40) {
        add(now + choice.integer(0...3 * Self.second), "console \"sleep \(choice.integer(1...40))s\"")
      }
      now +=
        choice.chance(20) ? choice.logUniform(1_000, 4 * Self.second) : choice.logUniform(Self.second, 40 * Self.minute)
    }
  }
}
