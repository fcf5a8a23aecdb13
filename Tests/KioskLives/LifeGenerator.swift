/// Makes up the life of a kiosk: visitors come one after the other, and all that can go wrong goes wrong meanwhile.
struct LifeGenerator {
  var dice: Dice
  let kiosk: String
  private(set) var steps: [Life.Step] = []

  static let second = 1_000_000
  static let minute = 60 * second
  static let hour = 60 * minute

  private init(seed: UInt64) {
    dice = Dice(seed: seed)
    kiosk = Kiosk.names[dice.number(0...Kiosk.names.count - 1)]
  }

  static func life(seed: UInt64) -> Life {
    var generator = LifeGenerator(seed: seed)
    generator.live()
    return Life(seed: seed, kiosk: generator.kiosk, steps: generator.steps)
  }

  mutating func add(_ at: Int, _ words: String) { steps.append(Life.Step(at: at, words: words)) }

  private mutating func live() {
    let end = dice.one(1, 1, 2, 4, 8) * Self.hour
    let isBusy = dice.chance(70)
    standAtPowerOn()
    var now = dice.time(1, 30 * Self.second)
    while now < end {
      now = visit(at: now)
      now += isBusy ? dice.time(Self.second, 4 * Self.minute) : dice.time(Self.second, 90 * Self.minute)
    }
    now = dice.time(1, Self.minute)
    while now < end {
      // One mishap often brings the next.
      now = mishap(at: now) + (dice.chance(20) ? dice.time(1, 100_000) : dice.time(Self.second, 20 * Self.minute))
    }
    steps.removeAll { $0.at >= end }
    // What happens at the same instant happens in the order of making.
    steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    add(end, "end")
  }

  private mutating func standAtPowerOn() {
    if dice.chance(20) { add(0, "plug headphones") }
    if dice.chance(20) { add(0, "plug dock") }
    if dice.chance(5) { add(0, "line \(dice.one("BTN_PLAY", "BTN_VOL_UP", "BTN_RECORD")) 1") }
    if dice.chance(5) { add(0, "line \(dice.one("PAGE", "ALARM", "MUTE")) 1") }
    if dice.chance(3) { add(0, "storage \(dice.one("full", "read-only"))") }
  }
}
