/// Visitors. Each function adds its steps and returns when they are over.
extension WorkloadGenerator {
  /// A visitor comes, tries everything and leaves.
  mutating func addVisit(at start: Int) -> Int {
    var now = start
    let port = random.pick("headphones", "headphones", "headphones", "dock", nil)
    if let port { now = plug(port, at: now) + random.logUniform(100_000, 10 * Self.second) }
    if random.chance(80) { now = press("play", at: now) }
    for _ in 0..<random.logUniform(1, 12) {
      now += random.logUniform(1_000, 90 * Self.second)
      now = act(at: now, port)
    }
    if random.chance(30) {
      now = press(random.pick("stop", "play"), at: now + random.logUniform(1_000, 5 * Self.second))
    }
    if let port, random.chance(90) { now = unplug(port, at: now + random.logUniform(1_000, 10 * Self.second)) }
    return now
  }

  private mutating func act(at now: Int, _ port: String?) -> Int {
    switch random.integer(0...99) {
    case 0..<16: return press("play", at: now)
    case 16..<20: return press(chosen, at: now)
    case 20..<24: return type(at: now, port)
    case 24..<34: return press(random.pick("next", "previous"), at: now)
    case 34..<44: return press(random.pick("volume-up", "volume-down"), at: now)
    case 44..<50:
      return hold(random.pick("volume-up", "volume-down", "play"), for: random.integer(200...4_000), at: now)
    case 50..<56: return press("stop", at: now)
    case 56..<62: return press("cue", at: now)
    case 62..<68: return press("record", at: now)
    case 68..<73: return press("play", at: press("play", at: now) + random.logUniform(40_000, 300_000))
    case 73..<80: return knock(port, at: now)
    case 80..<86: return replug(port, at: now)
    case 86..<90: return pull(port, at: now)
    case 90..<94: return chatter(random.pick("BTN_PLAY", "BTN_NEXT", "BTN_VOL_UP", "BTN_RECORD"), at: now)
    default: return mash(at: now)
    }
  }

  /// A button of one track; the music does not have every one of them.
  private var chosen: String {
    mutating get {
      random.pick(
        "track 2", "track 2", "track 6", "track \"7 longer\"", "track 99", "playlist Deutsch", "playlist Deutsch",
        "playlist Nowhere")
    }
  }

  /// Tokens that choose something and others, and some that nobody ends, or that an unplug overtakes.
  private mutating func type(at start: Int, _ port: String?) -> Int {
    let token = random.pick("2", "5", "7", "03", "99", "A7", "a4", "INFO", "A9", "123456789", "EN", "EN")
    guard random.chance(30) else {
      add(start, "type \(token)")
      return leave(token, from: start)
    }
    add(start, "type \(token.prefix(1)) unended")
    let now = random.chance(40) ? unplug(port ?? "headphones", at: start + random.logUniform(1, 100_000)) : start
    let end = now + random.logUniform(1_000, 8 * Self.second)
    if random.chance(70) { add(end, "type \(token.dropFirst().isEmpty ? "2" : String(token.dropFirst()))") }
    return end
  }

  /// Now and then it is a card that is left on a reader that repeats it, also over an unplug.
  private mutating func leave(_ token: String, from start: Int) -> Int {
    var choice = SeededGenerator(seed: UInt64(start) &* 11)
    guard choice.chance(30) else { return start + 60_000 }
    let pause = choice.integer(500_000...3_500_000)
    var now = start
    for _ in 0..<choice.integer(1...20) {
      now += pause
      add(now, "type \(token)")
    }
    return choice.chance(50) ? now + 60_000 : start + 60_000
  }

  mutating func press(_ button: String, at now: Int) -> Int {
    add(now, "press \(button)" + (random.chance(20) ? " for \(random.integer(1...400))ms" : ""))
    return now + 60_000
  }

  mutating func hold(_ button: String, for milliseconds: Int, at now: Int) -> Int {
    add(now, "press \(button) for \(milliseconds)ms")
    return now + milliseconds * 1_000
  }

  /// Several buttons at once.
  private mutating func mash(at start: Int) -> Int {
    var now = start
    for _ in 0..<random.integer(2...8) {
      let button = random.pick("play", "stop", "next", "previous", "volume-up", "record", "cue", nil)
      now = press(button ?? chosen, at: now)
      now += random.integer(-60_000...150_000)
    }
    return max(now, start)
  }

  // MARK: - Plugs

  private mutating func plug(_ port: String, at now: Int) -> Int {
    if random.chance(20) { return fumble(port, at: now) }
    add(now, "plug \(port)" + bounce())
    return now + 100_000
  }

  private mutating func unplug(_ port: String, at now: Int) -> Int {
    add(now, "unplug \(port)" + bounce())
    return now + 100_000
  }

  private mutating func bounce() -> String { random.chance(60) ? " bounce \(random.integer(1...60))ms" : "" }

  /// Pushes the plug half in and out a few times, and then in.
  private mutating func fumble(_ port: String, at start: Int) -> Int {
    var now = start
    for _ in 0..<random.integer(1...4) {
      add(now, "plug \(port)" + bounce())
      now += random.logUniform(1_000, 800_000)
      add(now, "unplug \(port)" + bounce())
      now += random.logUniform(1_000, 800_000)
    }
    add(now, "plug \(port)")
    return now + 100_000
  }

  /// The plug loses contact for a moment, shorter or longer than the debounce time.
  private mutating func knock(_ port: String?, at start: Int) -> Int {
    let line = port == "dock" ? "DOCK_SENSE" : "JACK_SENSE"
    var now = start
    for _ in 0..<random.integer(1...3) {
      add(now, "line \(line) 0")
      now += random.integer(200...45_000)
      add(now, "line \(line) 1")
      now += random.integer(200...45_000)
    }
    return now
  }

  /// Pulls the plug out while a button is down.
  private mutating func pull(_ port: String?, at start: Int) -> Int {
    var now = start
    if random.chance(30) { now = press("play", at: now) + random.integer(20_000...350_000) }
    let length = random.integer(10...3_000)
    let button = random.pick("play", "play", "play", "next", "cue", "volume-up")
    let out = unplug(port ?? "headphones", at: now + random.integer(0...length * 1_000))
    _ = hold(button, for: length, at: now)
    return plug(port ?? "headphones", at: max(out, now + length * 1_000) + random.logUniform(1_000, 60 * Self.second))
  }

  /// Pulls the plug out and puts it in again after a while, not always into the same port.
  private mutating func replug(_ port: String?, at now: Int) -> Int {
    let port = port ?? "headphones"
    let out = unplug(port, at: now)
    let again = random.chance(80) ? port : random.pick("headphones", "dock")
    let middle = random.chance(20) ? press(random.pick("play", "stop", "next", "volume-up"), at: out + 200_000) : out
    return plug(again, at: middle + random.logUniform(1_000, 8 * Self.minute))
  }

  private mutating func chatter(_ line: String, at start: Int) -> Int {
    var now = start
    for _ in 0..<random.integer(3...30) {
      add(now, "line \(line) \(random.pick("0", "1"))")
      now += random.integer(200...40_000)
    }
    add(now, "line \(line) 0")
    return now
  }
}
