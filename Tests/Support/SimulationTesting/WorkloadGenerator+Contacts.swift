/// Seats, mats, lids and motion sensors. Chosen apart from all else, so that each seed's visitors and faults stay what they
/// are.
extension WorkloadGenerator {
  mutating func addContacts(seed: UInt64, until end: Int) {
    guard KioskSetup.lobbies.contains(kiosk) else { return }
    var choice = SeededGenerator(seed: seed &* 37)
    let kinds = ["plug", "unplug", "press", "line", "console", "power", "interrupt"]
    let moments = steps.filter { kinds.contains(String($0.words.prefix { $0 != " " })) }.map(\.at)
    if choice.chance(20) { add(0, "line \(choice.pick("SEAT", "MAT", "LID", "PIR")) 1") }
    for _ in 0..<choice.integer(10...90) {
      // Where something else happens soon, or at any time.
      var now = choice.integer(1...end)
      if !moments.isEmpty && choice.chance(70) {
        let before = moments[choice.integer(0...moments.count - 1)] - choice.logUniform(1_000, 20 * Self.second)
        if before > 0 { now = before }
      }
      switch choice.integer(0...9) {
      case 0..<4: hold(at: now, &choice)
      case 4..<6: sitAndPull(at: now, &choice)
      default: trip(at: now, &choice)
      }
    }
  }

  private mutating func close(_ line: String, for time: Int, at now: Int, _ choice: inout SeededGenerator) {
    add(now, "line \(line) 1")
    if choice.chance(20) {
      // The contact bounces.
      add(now + 2_000, "line \(line) 0")
      add(now + 2_000 + choice.integer(200...20_000), "line \(line) 1")
    }
    add(now + max(time, 60_000), "line \(line) 0")
  }

  private mutating func hold(at now: Int, _ choice: inout SeededGenerator) {
    let line = choice.pick("SEAT", "SEAT", "MAT", "MAT", "LID", "LID")
    close(line, for: choice.logUniform(20_000, 3 * Self.minute), at: now, &choice)
  }

  /// Somebody sits down, and pulls out the plug; whoever comes next puts it in, here or there.
  private mutating func sitAndPull(at start: Int, _ choice: inout SeededGenerator) {
    let port = choice.pick("headphones", "dock")
    add(start, "plug \(port)")
    var now = start + choice.logUniform(50_000, 3 * Self.second)
    let line = choice.pick("SEAT", "MAT", "LID")
    let time = choice.logUniform(Self.second, 60 * Self.second)
    // Now and then something else speaks, and its cue has to wait.
    if choice.chance(40) { add(now - 1_000, "console \"cue \(choice.pick("welcome", "ask"))\"") }
    close(line, for: time, at: now, &choice)
    now += choice.logUniform(50_000, time)
    if port == "dock" && choice.chance(40) {
      // The other plug comes in while this one moves.
      add(now, "plug headphones")
      now += choice.integer(1_000...29_000)
      add(now, "unplug dock")
    }
    add(now, choice.pick("unplug \(port)", "unplug \(port)", "route speaker", "interrupt begin page"))
    now += choice.logUniform(10_000, 5 * Self.second)
    add(now, "plug \(choice.pick(port, "headphones", "dock"))")
    add(now + choice.logUniform(1_000, 20 * Self.second), "interrupt end page resume")
    add(now + 30 * Self.second, "route auto")
  }

  private mutating func trip(at start: Int, _ choice: inout SeededGenerator) {
    // What begins the next file of a folder is known only of kiosks that restart what plays already (T2).
    let line =
      kiosk == "lobby"
      ? choice.pick("PIR", "LATER", "MORE", "DRAW", "BELL_PULL") : choice.pick("PIR", "LATER", "BELL_PULL")
    var now = start
    for _ in 0..<choice.integer(1...5) {
      let time = choice.logUniform(35_000, 10 * Self.second)
      close(line, for: time, at: now, &choice)
      now += time + choice.logUniform(60_000, 15 * Self.second)
    }
  }
}
