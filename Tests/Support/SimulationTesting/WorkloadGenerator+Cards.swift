/// Cards that are laid on a reader and lifted. Chosen apart from all else.
extension WorkloadGenerator {
  mutating func addLaidCards(seed: UInt64, until end: Int) {
    guard ["lobby", "exhibit", "booth", "headset"].contains(kiosk) else { return }
    var choice = SeededGenerator(seed: seed &* 29)
    var lying: String?
    var now = choice.chance(30) ? 0 : choice.logUniform(1_000, 10 * Self.minute)
    while now < end {
      // The same again, more often than not; or one on another.
      let token = choice.chance(60) ? lying ?? "A7" : choice.pick("A7", "A4", "2", "EN", "INFO", "99", "7777777777")
      add(now, "lay \(token) on SHELF")
      lying = token
      now +=
        choice.chance(30) ? choice.logUniform(1_000, 2 * Self.second) : choice.logUniform(Self.second, 20 * Self.minute)
      if choice.chance(80) {
        add(now, "lift from SHELF")
        // A flicker, or a while.
        now +=
          choice.chance(40) ? choice.logUniform(1_000, Self.second) : choice.logUniform(Self.second, 10 * Self.minute)
      }
    }
  }
}
