/// All that goes wrong, and what else wants the loudspeakers.
extension LifeGenerator {
  /// Something happens, and mostly ends; when it has begun.
  mutating func mishap(at now: Int) -> Int {
    switch dice.number(0...99) {
    case 0..<10: contact("PAGE", at: now)
    case 10..<14: contact("ALARM", at: now)
    case 14..<18: contact("MUTE", at: now)
    case 18..<26: interrupt(at: now)
    case 26..<34: output(at: now)
    case 34..<38: rate(at: now)
    case 38..<44: storage(at: now)
    case 44..<48: block(at: now)
    case 48..<56: cutPower(at: now)
    case 56..<62: sleep(at: now)
    case 62..<66: add(now, "clock \(clock())")
    case 66..<70: stick(at: now)
    case 70..<74: during(now, dice.time(1_000, 5 * Self.minute), "microphone fail", "microphone restore")
    case 74..<78: category(at: now)
    default: type(at: now)
    }
    return now
  }

  private mutating func during(_ now: Int, _ time: Int, _ begin: String, _ end: String) {
    add(now, begin)
    add(now + time, end)
  }

  private mutating func block(at now: Int) {
    let time = dice.time(1_000, 5 * Self.minute)
    during(now, time, "console blocked", "console free")
    // Sometimes more than the console's queue holds.
    guard dice.chance(40) else { return }
    for _ in 0..<dice.number(130...200) {
      add(now + dice.number(0...time), "console \"\(dice.one("help", "status"))\"")
    }
  }

  private mutating func contact(_ line: String, at now: Int) {
    during(now, dice.time(5_000, 15 * Self.minute), "line \(line) 1", "line \(line) 0")
  }

  private mutating func interrupt(at now: Int) {
    let name = dice.one("page", "alarm", "radio", "sign", "guide")
    let end = "interrupt end \(name)" + (dice.chance(60) ? " resume" : "")
    during(now, dice.time(1_000, 15 * Self.minute), "interrupt begin \(name)", end)
  }

  private mutating func output(at start: Int) {
    if dice.chance(50) {
      var now = start
      for _ in 0..<dice.number(1...4) {
        add(now, "output underrun")
        now += dice.time(1_000, Self.second)
      }
    } else {
      during(start, dice.time(1_000, 2 * Self.minute), "output fail", "output restore")
    }
  }

  private mutating func rate(at now: Int) {
    during(
      now, dice.time(1_000, 30 * Self.second), "output rate \(dice.one(16_000, 11_025, 48_000))", "output rate 8000")
  }

  private mutating func storage(at now: Int) {
    during(now, dice.time(1_000, 20 * Self.minute), "storage \(dice.one("full", "read-only"))", "storage restore")
  }

  private mutating func cutPower(at now: Int) {
    // Often just after somebody did something: that is when there is something to lose.
    let cut = dice.chance(50) ? (steps.randomElement(using: &dice)?.at ?? now) + dice.time(1, 4 * Self.second) : now
    let on = cut + dice.time(1_000, 10 * Self.minute)
    add(cut, "power cut")
    if dice.chance(40) { add(cut + (on - cut) / 2, "\(dice.one("plug", "unplug")) \(dice.one("headphones", "dock"))") }
    add(on, "power on")
  }

  private mutating func sleep(at now: Int) {
    let wake = now + dice.time(1_000, 20 * Self.minute)
    // A finger that was on a button when it fell asleep, and has left it or not when it wakes.
    if dice.chance(40) {
      let begin = dice.number(0...900_000)
      let length =
        dice.chance(50) ? (begin + dice.number(0...2_000_000)) : begin + wake - now + dice.number(0...2_000_000)
      _ = hold(dice.one("play", "volume-up", "stop"), for: length / 1_000 + 1, at: max(0, now - begin))
    }
    add(now, "power sleep")
    if dice.chance(60) {
      add(now + (wake - now) / 2, "\(dice.one("plug", "unplug")) \(dice.one("headphones", "dock"))")
    }
    add(wake, "power wake")
  }

  private mutating func clock() -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    // Just before the cue of the day, or anywhere.
    return dice.chance(50)
      ? "12:59:\(two(dice.number(0...59)))" : "\(two(dice.number(0...23))):\(two(dice.number(0...59)))"
  }

  private mutating func stick(at now: Int) {
    let button = dice.one("play", "stop", "volume-up", "volume-down", "next", "previous", "record", "cue")
    add(now, "press \(button) for \(dice.number(4_000...60_000))ms")
  }

  private mutating func category(at now: Int) {
    let name = dice.one("ambient", "solo-ambient", "multi-route", "record", "play-and-record")
    // Ambient music is what the mute line is there for; mostly for longer than an interruption may last.
    if name.hasSuffix("ambient") && dice.chance(60) {
      let time = dice.time(30 * Self.second, 15 * Self.minute)
      during(now + dice.number(1...1_000_000), time, "line MUTE 1", "line MUTE 0")
      return during(now, time + 2 * Self.second, "console \"category \(name)\"", "console \"category playback\"")
    }
    during(now, dice.time(1_000, 5 * Self.minute), "console \"category \(name)\"", "console \"category playback\"")
  }

  private mutating func type(at now: Int) {
    let command = dice.one(
      "play", "pause", "stop", "next", "previous", "record", "status", "help", "volume \(dice.number(0...100))",
      "volume 300", "route headphones", "route line-out", "route speaker", "route auto", "route auto", "cue welcome",
      "cue ask", "cue broken", "cue endless", "cue nothing", "nonsense", "")
    add(now, "console \"\(command)\"")
    if command.hasPrefix("route") { add(now + dice.time(1_000, 5 * Self.minute), "route auto") }
    if dice.chance(20) { add(now + dice.time(1, 3 * Self.second), "cue \(dice.one("welcome", "ask", "broken"))") }
  }
}
