/// Visitors' headsets that pair, are forgotten, are switched off and on, and strangers who ask.
extension WorkloadGenerator {
  private static let addresses = ["00:1A:7D:DA:71:13", "AA:BB:CC:DD:EE:FF", "11:22:33:44:55:66"]

  /// Chosen apart from all else, so that what visitors and headsets do otherwise does not depend on it.
  mutating func addPairing(seed: UInt64, until end: Int) {
    let others = random
    random = SeededGenerator(seed: seed &* 11)
    defer { random = others }
    var now = random.logUniform(1, 5 * Self.minute)
    while now < end {
      pair(at: now)
      for _ in 0..<random.integer(0...6) {
        now += random.logUniform(1_000, 10 * Self.minute)
        change(at: now)
      }
      now += random.logUniform(Self.second, 40 * Self.minute)
    }
  }

  private mutating func address() -> String { Self.addresses[random.integer(0...2)] }

  /// Somebody holds a headset to the box that is ready to pair, or does so too early, too late or not at all.
  private mutating func pair(at now: Int) {
    let press = random.chance(60) ? "press pair" : "console \"pair\""
    add(now, press)
    if random.chance(20) { add(now + random.logUniform(1_000, 70 * Self.second), press) }
    let headset = address()
    if random.chance(80) { add(max(0, now + random.integer(-20...70) * Self.second), "headset \(headset) pairing") }
    if random.chance(20) { add(now + random.logUniform(1_000, 60 * Self.second), "headset \(headset) off") }
    if random.chance(10) { add(now + random.logUniform(1_000, 5 * Self.second), "power cut") }
    if random.chance(10) { add(now + 30 * Self.second, "power on") }
  }

  private mutating func change(at now: Int) {
    switch random.integer(0...99) {
    case 0..<25: add(now, "headset \(address()) on")
    case 25..<50: add(now, "headset \(address()) off")
    case 50..<60: add(now, "headset \(address()) pairing")
    case 60..<70: add(now, "console \"unpair \(random.pick("all", address()))\"")
    case 70..<75: add(now, "console \"paired\"")
    case 75..<85:
      for _ in 0..<random.integer(1...20) {
        add(now + random.logUniform(1, 3 * Self.minute), "headset \(address()) asks")
      }
    default:
      // The power comes back, and some of them are absent.
      add(now, "power cut")
      add(now + random.logUniform(1_000, Self.minute), "power on")
    }
  }
}
