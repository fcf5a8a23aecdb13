/// Faults, interruptions, and everything else that happens without a visitor.
extension WorkloadGenerator {
  /// Adds something that happens and, mostly, ends again; returns when it begins.
  mutating func addFault(at now: Int) -> Int {
    switch random.integer(0...99) {
    case 0..<10: assertLine("PAGE", at: now)
    case 10..<14: assertLine("ALARM", at: now)
    case 14..<18: assertLine("MUTE", at: now)
    case 18..<26: interrupt(at: now)
    case 26..<34: failOutput(at: now)
    case 34..<38: changeRate(at: now)
    case 38..<44: failStorage(at: now)
    case 44..<48: blockConsole(at: now)
    case 48..<56: cutPower(at: now)
    case 56..<62: sleep(at: now)
    case 62..<66: add(now, "clock \(randomTimeOfDay())")
    case 66..<70: holdButton(at: now)
    case 70..<74: addPair(now, random.logUniform(1_000, 5 * Self.minute), "microphone fail", "microphone restore")
    case 74..<78: changeCategory(at: now)
    default: typeCommand(at: now)
    }
    return now
  }

  private mutating func addPair(_ now: Int, _ time: Int, _ begin: String, _ end: String) {
    add(now, begin)
    add(now + time, end)
  }

  private mutating func blockConsole(at now: Int) {
    let time = random.logUniform(1_000, 5 * Self.minute)
    addPair(now, time, "console blocked", "console free")
    // Sometimes more than the console's queue can hold.
    guard random.chance(40) else { return }
    for _ in 0..<random.integer(130...200) {
      add(now + random.integer(0...time), "console \"\(random.pick("help", "status"))\"")
    }
  }

  private mutating func assertLine(_ line: String, at now: Int) {
    addPair(now, random.logUniform(5_000, 15 * Self.minute), "line \(line) 1", "line \(line) 0")
  }

  private mutating func interrupt(at now: Int) {
    let name = random.pick("page", "alarm", "radio", "sign", "guide")
    let end = "interrupt end \(name)" + (random.chance(60) ? " resume" : "")
    var time = random.logUniform(1_000, 15 * Self.minute)
    if name == "sign" {
      // It ducks: there is music to duck, and it stands until it has ducked for too long.
      add(now, "console \"play\"")
      time += 2 * Self.minute
    }
    addPair(now, time, "interrupt begin \(name)", end)
  }

  private mutating func failOutput(at start: Int) {
    if random.chance(50) {
      var now = start
      for _ in 0..<random.integer(1...4) {
        add(now, "output underrun")
        // A card that cannot be rewound and runs dry again sooner has more queued (P14), which the probes do not know
        // of.
        now += Self.second + random.logUniform(1_000, Self.second)
      }
    } else {
      addPair(start, random.logUniform(1_000, 2 * Self.minute), "output fail", "output restore")
    }
  }

  private mutating func changeRate(at now: Int) {
    addPair(
      now, random.logUniform(1_000, 30 * Self.second), "output rate \(random.pick(16_000, 11_025, 48_000))",
      "output rate 8000")
  }

  private mutating func failStorage(at now: Int) {
    addPair(
      now, random.logUniform(1_000, 20 * Self.minute), "storage \(random.pick("full", "read-only"))", "storage restore")
  }

  private mutating func cutPower(at now: Int) {
    // Often just after another step, when there is something to lose.
    let cut =
      random.chance(50) ? (steps.randomElement(using: &random)?.at ?? now) + random.logUniform(1, 4 * Self.second) : now
    let on = cut + random.logUniform(1_000, 10 * Self.minute)
    add(cut, "power cut")
    if random.chance(40) {
      add(cut + (on - cut) / 2, "\(random.pick("plug", "unplug")) \(random.pick("headphones", "dock"))")
    }
    add(on, "power on")
  }

  private mutating func sleep(at now: Int) {
    let wake = now + random.logUniform(1_000, 20 * Self.minute)
    // A button that is down when the sleep begins, and up or still down at the wake.
    if random.chance(40) {
      let begin = random.integer(0...900_000)
      let length =
        random.chance(50) ? (begin + random.integer(0...2_000_000)) : begin + wake - now + random.integer(0...2_000_000)
      _ = hold(random.pick("play", "volume-up", "stop"), for: length / 1_000 + 1, at: max(0, now - begin))
    }
    add(now, "power sleep")
    if random.chance(60) {
      add(now + (wake - now) / 2, "\(random.pick("plug", "unplug")) \(random.pick("headphones", "dock"))")
    }
    add(wake, "power wake")
  }

  private mutating func randomTimeOfDay() -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    // Just before the cue of the day, or anywhere.
    return random.chance(50)
      ? "12:59:\(two(random.integer(0...59)))" : "\(two(random.integer(0...23))):\(two(random.integer(0...59)))"
  }

  private mutating func holdButton(at now: Int) {
    let button = random.pick("play", "stop", "volume-up", "volume-down", "next", "previous", "record", "cue")
    add(now, "press \(button) for \(random.integer(4_000...60_000))ms")
  }

  private mutating func changeCategory(at now: Int) {
    let name = random.pick("ambient", "solo-ambient", "multi-route", "record", "play-and-record")
    // The mute line only acts on ambient music; mostly for longer than an interruption may last.
    if name.hasSuffix("ambient") && random.chance(60) {
      let time = random.logUniform(30 * Self.second, 15 * Self.minute)
      addPair(now + random.integer(1...1_000_000), time, "line MUTE 1", "line MUTE 0")
      return addPair(now, time + 2 * Self.second, "console \"category \(name)\"", "console \"category playback\"")
    }
    addPair(
      now, random.logUniform(1_000, 5 * Self.minute), "console \"category \(name)\"", "console \"category playback\"")
  }

  private mutating func choose(at now: Int) {
    let name = random.pick(
      "1", "2", "3", "5", "7", "\"4 short\"", "\"4 short\"", "\"4 short.wav\"", "12", "short",
      "lang", "extended")
    // More often than not, it is heard to its end.
    if random.chance(30) { return choosePlaylist(at: now) }
    if random.chance(60) { add(now, "console \"stop\"") }
    add(now + (random.chance(50) ? 0 : random.logUniform(1, 2 * Self.second)), "choose track \(name)")
  }

  /// Somebody turns the selector and back again, or types.
  private mutating func choosePlaylist(at now: Int) {
    if random.chance(50) { return assertLine("LANGUAGE", at: now) }
    add(now, "console \"\(random.pick("playlist English", "playlist Deutsch", "playlist Nowhere", "playlist"))\"")
  }

  /// Forwards and back, often several times in a row, and sometimes beyond the track.
  private mutating func seek(at start: Int) {
    var now = start
    for _ in 0..<random.integer(1...4) {
      add(now, "seek \(random.pick("+10s", "-10s", "+0.4s", "-2.5s", "0s", "0:20", "1:05", "17s", "+900s", "-900s"))")
      now += random.logUniform(1, 20 * Self.second)
    }
  }

  private mutating func typeCommand(at now: Int) {
    if random.chance(25) { return choose(at: now) }
    if random.chance(25) { return seek(at: now) }
    let command = random.pick(
      "play", "pause", "stop", "next", "previous", "record", "status", "help", "volume \(random.integer(0...100))",
      "volume 300", "route headphones", "route line-out", "route speaker", "route auto", "route auto", "cue welcome",
      "cue ask", "cue broken", "cue endless", "cue nothing", "nonsense", "")
    add(now, "console \"\(command)\"")
    if command.hasPrefix("route") { add(now + random.logUniform(1_000, 5 * Self.minute), "route auto") }
    if random.chance(20) {
      add(now + random.logUniform(1, 3 * Self.second), "cue \(random.pick("welcome", "ask", "broken"))")
    }
  }
}
