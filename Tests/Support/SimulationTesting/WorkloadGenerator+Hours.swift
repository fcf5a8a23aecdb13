import Jukebox

/// Visitors and staff around the boundaries of opening hours. Chosen apart from all else.
extension WorkloadGenerator {
  mutating func addHours(seed: UInt64, until end: Int) {
    guard kiosk == "shop" || kiosk == "museum" else { return }
    var choice = SeededGenerator(seed: seed &* 17)
    var now = choice.logUniform(Self.second, 20 * Self.minute)
    while now < end {
      let boundary = choice.chance(60) ? jump(at: now, &choice) : say(at: now, &choice)
      for _ in 0..<choice.integer(1...7) { gesture(around: boundary, &choice) }
      now = boundary + choice.logUniform(Self.second, 40 * Self.minute)
    }
  }

  /// Somebody sets the clock to shortly before a boundary, or to any other time. Returns when that minute begins.
  private mutating func jump(at now: Int, _ choice: inout SeededGenerator) -> Int {
    let second = choice.integer(40...59)
    let hour = choice.pick("08:59", "12:29", "12:29", "13:59", "17:59", "17:59", "19:59", "01:59", "23:59", "15:00")
    let day = CalendarDay(number: HoursModel.firstDay + choice.integer(0...12)).text
    add(now, "clock \(choice.chance(50) ? "\(day) " : "")\(hour):\(second)")
    return now + (60 - second) * Self.second
  }

  private mutating func say(at now: Int, _ choice: inout SeededGenerator) -> Int {
    add(now, "console \"hours \(choice.pick("open", "closed", "closed", "auto"))\"")
    if choice.chance(50) {
      let again = choice.pick("open", "open", "auto", "closed")
      add(now + choice.logUniform(1_000, 2 * Self.minute), "console \"hours \(again)\"")
    }
    return now
  }

  /// Before the boundary, within the fade, or while it is closed.
  private mutating func gesture(around boundary: Int, _ choice: inout SeededGenerator) {
    let lead = choice.pick(-1, 1, 1)
    let now = max(1, boundary + lead * choice.logUniform(1_000, 20 * Self.second))
    let words = choice.pick(
      "press play", "press play", "press play", "console \"start\"", "choose track 2", "press next", "press stop",
      "press record", "press cue", "plug headphones", "unplug headphones", "plug dock", "unplug dock", "line SEAT 1",
      "line SEAT 0", "line PIR 1", "type \"7\"", "console \"playlist English\"",
      "turn VOLUME \(choice.pick(2, -1)) in 200ms",
      "interrupt begin page", "interrupt end page resume", "interrupt end page", "console \"sleep track\"",
      "console \"sleep 4s\"", "cue welcome", "press volume-up", "press play for 1500ms", "output fail",
      "output restore",
      "power sleep", "power cut")
    add(now, words)
    let end = ["output fail": "output restore", "power sleep": "power wake", "power cut": "power on"][words]
    if let end { add(now + choice.logUniform(1_000, 30 * Self.second), end) }
  }
}
