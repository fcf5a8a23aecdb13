/// The music changes, and its storage fails.
extension WorkloadGenerator {
  mutating func addMusicChanges(until end: Int) {
    guard random.chance(60) else { return }
    var now = random.logUniform(1, 20 * Self.minute)
    while now < end {
      if random.chance(70) { exchangeFile(at: now) } else { failMusic(at: now) }
      // Often one after the other, as a folder is copied.
      now +=
        random.chance(30) ? random.logUniform(1, 3 * Self.second) : random.logUniform(Self.second, 40 * Self.minute)
    }
  }

  /// A file is deleted, and mostly copied back.
  private mutating func exchangeFile(at now: Int) {
    let file = random.pick(
      "1 long.wav", "2 middle.wav", "4 short.wav", "7 longer.wav", "Deutsch/kurz.wav", "English/brief.wav")
    add(now, "music remove \"\(file)\"")
    if random.chance(20) { add(now + random.logUniform(1, 3 * Self.second), "console \"reload\"") }
    if random.chance(90) { add(now + random.logUniform(1_000, 30 * Self.minute), "music add \"\(file)\"") }
  }

  private mutating func failMusic(at now: Int) {
    add(now, "music fails")
    add(now + random.logUniform(1_000, 15 * Self.minute), "music works")
  }

  /// Without a clock chip nobody knows the time after power on.
  mutating func forgetClock() {
    if random.chance(15) { add(0, "clock unset") }
    for step in steps where step.words == "power on" && random.chance(20) { add(step.at - 1, "clock unset") }
  }
}
