/// The music changes, and its storage fails.
extension WorkloadGenerator {
  /// Somebody takes the stick to a PC while the power is off, as a kiosk's music is mostly changed, and looks what has
  /// become of it. Chosen apart from all else.
  mutating func changeMusicWhileOff(seed: UInt64) {
    var choice = SeededGenerator(seed: seed &* 13)
    for (index, step) in steps.enumerated() where step.words == "power on" {
      let off = steps[..<index].last { $0.words == "power cut" }?.at ?? step.at
      guard off < step.at, choice.chance(50) else { continue }
      for _ in 0..<choice.integer(1...4) {
        let file = choice.pick(
          "1 long.wav", "2 middle.wav", "4 short.wav", "5 blink.wav", "7 longer.wav", "Deutsch/lang.wav",
          "English/brief.wav")
        add(choice.integer(off + 1...step.at), "music remove \"\(file)\"")
        if choice.chance(80) { add(step.at + choice.logUniform(1, 10 * Self.minute), "music add \"\(file)\"") }
      }
      guard choice.chance(60) else { continue }
      let words = choice.pick(
        "press play", "press next", "choose track 1", "choose track 2", "choose track 5", "choose track \"4 short\"",
        "console \"playlist English\"", "type \"3\"")
      add(step.at + choice.logUniform(1_000, 5 * Self.second), words)
      if choice.chance(40) {
        let next = choice.pick("press stop", "press play", "press next", "unplug headphones", "choose track 1")
        add(step.at + choice.logUniform(1_000, 5 * Self.second), next)
      }
    }
  }

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
