/// Generates workloads: visitors come one after the other, and faults of every kind happen meanwhile.
struct WorkloadGenerator {
  var random: SeededGenerator
  let kiosk: String
  private(set) var steps: [Workload.Step] = []

  static let second = 1_000_000
  static let minute = 60 * second
  static let hour = 60 * minute

  private init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let chosen = ["lobby", "exhibit", "booth"][random.integer(0...2)]
    // Chosen apart from all else, so that what visitors do does not depend on it.
    var choice = SeededGenerator(seed: seed &* 7)
    let isSplit = choice.chance(50)
    switch chosen {
    case "lobby": kiosk = isSplit ? "headset" : choice.chance(40) ? "shop" : "lobby"
    case "exhibit": kiosk = choice.chance(40) ? "museum" : "exhibit"
    default: kiosk = chosen
    }
  }

  static func workload(seed: UInt64) -> Workload {
    var generator = WorkloadGenerator(seed: seed)
    generator.addCards(seed: seed)
    generator.generate(seed: seed)
    return Workload(seed: seed, kiosk: generator.kiosk, steps: generator.steps)
  }

  mutating func add(_ at: Int, _ words: String) { steps.append(Workload.Step(at: at, words: words)) }

  private mutating func generate(seed: UInt64) {
    let end = random.pick(1, 1, 2, 4, 8) * Self.hour
    let isBusy = random.chance(70)
    addStateAtPowerOn()
    var now = random.logUniform(1, 30 * Self.second)
    while now < end {
      now = addVisit(at: now)
      now += isBusy ? random.logUniform(Self.second, 4 * Self.minute) : random.logUniform(Self.second, 90 * Self.minute)
    }
    now = random.logUniform(1, Self.minute)
    while now < end {
      // Faults often come close together.
      now =
        addFault(at: now)
        + (random.chance(20) ? random.logUniform(1, 100_000) : random.logUniform(Self.second, 20 * Self.minute))
    }
    // Last, so that each seed's visitors and faults stay what they are.
    addMusicChanges(until: end)
    changeMusicWhileOff(seed: seed)
    forgetClock()
    if kiosk == "headset" {
      addHeadsets(until: end)
      addPairing(seed: seed, until: end)
      addHeadsetVolumes(seed: seed, until: end)
    }
    addCutsAtDailyCue(seed: seed, until: end)
    addVerbs(seed: seed, until: end)
    addKnobTurns(seed: seed, until: end)
    addChannels(seed: seed, until: end)
    addContacts(seed: seed, until: end)
    addHours(seed: seed, until: end)
    addLaidCards(seed: seed, until: end)
    steps.removeAll { $0.at >= end }
    // Steps at the same instant stay in the order in which they were generated.
    steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    add(end, "end")
  }

  /// The card of every port. Chosen apart from all else, so that what visitors do does not depend on the cards.
  private mutating func addCards(seed: UInt64) {
    var choice = SeededGenerator(seed: ~seed)
    for port in ["headphones", "line-out"] + (kiosk == "booth" ? [] : ["speaker"]) {
      let card = choice.pick("usual", "steps", "shallow", "queued")
      add(0, "output card \(port) \(card == "shallow" && choice.chance(50) ? "faulty" : card)")
    }
  }

  private mutating func addStateAtPowerOn() {
    if random.chance(20) { add(0, "plug headphones") }
    if random.chance(20) { add(0, "plug dock") }
    if random.chance(5) { add(0, "line \(random.pick("BTN_PLAY", "BTN_VOL_UP", "BTN_RECORD")) 1") }
    if random.chance(5) { add(0, "line \(random.pick("PAGE", "ALARM", "MUTE")) 1") }
    if random.chance(10) { add(0, "line LANGUAGE 1") }
    if random.chance(3) { add(0, "storage \(random.pick("full", "read-only"))") }
  }
}
