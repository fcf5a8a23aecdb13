import BoardFiles
import Jukebox
import Simulator

/// A kiosk with opening hours around their boundaries: its clock jumps, its power fails, visitors press whatever there is,
/// and staff opens and closes.
public struct HoursWorkload {
  public var violation: Violation?
  /// Whether anything was heard at all, and how often each event was logged.
  public var heardFrames: Int
  public var events: [EventName: Int]
  /// How much of the timetable was done, or refused.
  public var timetableCount: Int
  /// Power cuts, sleeps and steps of the clock.
  public var jumps = 0
  /// As a scenario.
  public var text: String

  /// The same seed gives the same workload.
  public init(seed: UInt64, on kiosk: KioskSetup) throws {
    var random = SeededGenerator(seed: seed)
    let opening = random.pick("nothing", "play", "resume")
    let file = "hours-\(seed)"
    let fade = random.pick(0, 2, 10)
    let closing = random.pick("now", "track")
    let behaviour = "closing = \"\(closing)\"\nclosing_fade = \"3s\"\nopening = \"\(opening)\"\n"
    let hours = "[hours]\n\(HoursModel.settings)\n\(behaviour)"
    let text = hours + TimetableModel.settings + "\n[quiet]\n\(HoursModel.quietSettings)\nfade = \(fade)\n"
    var settings = kiosk.settings.settings
    let parsed = try SettingsFile.parse(Array(text.utf8), file: "\(file).toml").settings
    (settings.hours, settings.timetable, settings.quiet) = (parsed.hours, parsed.timetable, parsed.quiet)
    settings.visitGap = random.chance(50) ? .zero : settings.visitGap
    settings.playOnBoot = random.chance(50)
    settings.onConnect = random.chance(50) ? .play : .resume
    // What is due at a time of day, or is said by others, would be heard while it is closed.
    let cues = kiosk.cues.map { Cue(name: $0.name, path: $0.path, event: $0.event) }
    let steps = Self.steps(&random)
    jumps = steps.filter { $0.words.hasPrefix("clock") || $0.words == "power cut" || $0.words == "power sleep" }.count
    let workload = try Workload(seed: seed, kiosk: kiosk.name, steps: steps).withoutIdleSteps(on: kiosk.board)
    self.text =
      "# closing = \(closing), opening = \(opening), play_on_boot = \(settings.playOnBoot), fade = \(fade), "
      + "visit_gap = \(settings.visitGap)\n\(workload.text)"
    let oracle = HoursOracle(
      rate: kiosk.board.rate, closesWithTrack: closing == "track", playsAtOpening: opening == "play",
      quietFade: .seconds(fade), tellsVisits: settings.visitGap > .zero)
    let simulation = try Simulation(
      scenario: ScenarioParser.parse(workload.text, file: "\(file).scenario", board: kiosk.board), board: kiosk.board,
      settings: settings, clients: kiosk.settings.clients, cues: cues, library: kiosk.library, opener: kiosk.opener,
      audio: nil, onLine: { _ in }, observer: oracle)
    _ = try simulation.run()
    (violation, heardFrames, events) = (oracle.violation, oracle.heardFrames, oracle.events)
    timetableCount = oracle.timetable.count
  }

  /// Around the boundaries of the model's days.
  private static func moment(_ random: inout SeededGenerator, from second: Int = 40) -> String {
    let day = CalendarDay(number: HoursModel.firstDay + random.integer(0...12))
    let hour = random.pick(
      "08:59", "12:29", "13:59", "17:59", "19:59", "01:59", "23:59", "09:00", "03:00", "15:00", "14:59",
      "02:59")
    return "clock \(day.text) \(hour):\(random.integer(second...59))"
  }

  private static func steps(_ random: inout SeededGenerator) -> [Workload.Step] {
    var steps: [Workload.Step] = []
    var at = 0
    func add(_ words: String) { steps.append(Workload.Step(at: at, words: words)) }
    if random.chance(20) { add("clock unset") } else { add(moment(&random)) }
    for _ in 0..<40 {
      at += random.logUniform(10_000, 25_000_000)
      switch random.integer(0...21) {
      case 0...2: add(moment(&random))
      case 3, 4:
        add("power cut")
        at += random.logUniform(10_000, 5_000_000)
        if random.chance(20) { add("clock unset") } else if random.chance(50) { add(moment(&random)) }
        at += 1_000
        add("power on")
      case 5:
        add("power sleep")
        at += random.logUniform(10_000, 5_000_000)
        if random.chance(70) { add(moment(&random)) }
        at += 1_000
        add("power wake")
      case 6, 7: add("console \"hours \(random.pick("open", "closed", "auto"))\"")
      case 8...11: add("press play")
      case 12: add("press \(random.pick("volume-up", "volume-down"))")
      case 13: add("press \(random.pick("stop", "next", "previous", "volume-up", "cue", "record"))")
      case 14: add("press record")
      case 15: add("console \"\(random.pick("start", "track 2", "cue welcome", "token A4", "playlist English"))\"")
      case 16, 17: add(random.chance(50) ? "plug headphones" : "unplug headphones")
      case 18: add(random.chance(50) ? "interrupt begin page" : "interrupt end page resume")
      case 19, 20:
        // A cue is spoken over the boundary.
        add("press play")
        at += random.logUniform(100_000, 2_000_000)
        add("press cue")
        at += random.logUniform(100_000, 1_000_000)
        add(moment(&random, from: 59))
      default: add("turn VOLUME \(random.pick(1, -2)) in 200ms")
      }
    }
    at += 30_000_000
    add("end")
    return steps
  }
}
