/// Headsets that make their own volume, and listeners who turn it there.
extension WorkloadGenerator {
  /// Chosen apart from all else, so that what visitors and headsets do otherwise does not depend on it.
  mutating func addHeadsetVolumes(seed: UInt64, until end: Int) {
    let others = random
    random = SeededGenerator(seed: seed &* 13)
    defer { random = others }
    // Some take none.
    if random.chance(30) { return }
    add(0, "output volume bluetooth \(random.integer(0...127))")
    var now = random.logUniform(1_000, 10 * Self.minute)
    while now < end {
      now = turn(at: now)
      now +=
        random.chance(40) ? random.logUniform(1_000, 3 * Self.second) : random.logUniform(Self.second, 20 * Self.minute)
    }
  }

  /// One turn, a key that is held at the headset, a volume above every ceiling, or a headset of another kind.
  private mutating func turn(at start: Int) -> Int {
    var now = start
    switch random.integer(0...99) {
    case 0..<50: add(now, "output volume bluetooth \(random.integer(0...127))")
    case 50..<65:
      var level = random.integer(0...127)
      let step = random.pick(-8, 8, 1)
      for _ in 0..<random.integer(2...12) {
        level = min(127, max(0, level + step))
        add(now, "output volume bluetooth \(level)")
        now += random.integer(20_000...400_000)
      }
    case 65..<85: add(now, "output volume bluetooth \(random.integer(120...127))")
    case 85..<92: add(now, random.pick("press volume-up", "press volume-down", "console \"volume 50\""))
    default:
      add(now, "output volume bluetooth none")
      now += random.logUniform(1_000, 10 * Self.minute)
      add(now, "output volume bluetooth \(random.integer(0...127))")
    }
    return now
  }
}
