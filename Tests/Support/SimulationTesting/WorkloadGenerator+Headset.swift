/// Headsets that come, fall silent, fail, are out of range for long, and go.
extension WorkloadGenerator {
  mutating func addHeadsets(until end: Int) {
    if random.chance(20) { add(0, "plug bluetooth") }
    var now = random.logUniform(1, 2 * Self.minute)
    while now < end {
      if random.chance(40) {
        // Longer than anybody waits for it, at times.
        let longest = random.chance(20) ? 9_000 : 1_400
        add(now, "output opening bluetooth \(random.integer(1...longest))ms")
      }
      add(now, "plug bluetooth")
      for _ in 0..<random.integer(0...5) { now = mishap(at: now + random.logUniform(1_000, 2 * Self.minute)) }
      now += random.logUniform(1_000, 5 * Self.minute)
      add(now, "unplug bluetooth")
      now += random.logUniform(1_000, 20 * Self.minute)
    }
  }

  private mutating func mishap(at now: Int) -> Int {
    switch random.integer(0...99) {
    case 0..<35: return fallSilent(at: now)
    case 35..<45:
      add(now, "output card bluetooth headset")
      return now
    case 45..<65: return tapKeys(at: now)
    case 65..<80:
      // Out of reach for a moment.
      add(now, "unplug bluetooth")
      let again = now + random.logUniform(1_000, Self.minute)
      add(again, "plug bluetooth")
      return again
    case 80..<90:
      add(now, "console \"play\"")
      return now
    default:
      add(now, "console \"route \(random.pick("bluetooth", "speaker", "auto"))\"")
      add(now + random.logUniform(1_000, Self.minute), "route auto")
      return now
    }
  }

  /// Its link takes nothing, for less than anybody notices or until it is given up; meanwhile somebody may do something.
  private mutating func fallSilent(at now: Int) -> Int {
    let back = now + random.logUniform(1_000, 40 * Self.second)
    add(now, "output stall bluetooth")
    if random.chance(40) {
      let what = random.pick(
        "press play", "press next", "press stop", "press volume-up", "plug headphones", "route speaker", "cue welcome")
      add(now + random.logUniform(1_000, 400_000), what)
      if what == "route speaker" { add(now + random.logUniform(500_000, Self.minute), "route auto") }
    }
    if random.chance(50) { add(now + random.logUniform(1_000, back - now + 1_000), "unplug bluetooth") }
    add(back, "output recover bluetooth")
    if random.chance(60) { add(back + random.logUniform(1, Self.second), "plug bluetooth") }
    return back
  }

  /// A key is pressed and let go in one instant, or nearly.
  private mutating func tapKeys(at start: Int) -> Int {
    var now = start
    for _ in 0..<random.integer(1...8) {
      let key = random.pick("playcd", "pausecd", "playcd", "nextsong", "previoussong", "stopcd")
      add(now, "line \"bluetooth \(key)\" 1")
      now += random.pick(0, 0, 1, 200_000)
      add(now, "line \"bluetooth \(key)\" 0")
      now += random.logUniform(1_000, Self.second)
    }
    return now
  }
}
