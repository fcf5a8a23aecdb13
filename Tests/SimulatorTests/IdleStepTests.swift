import AudioSession
import Jukebox
import Testing

@testable import KioskTestSupport
@testable import Simulator

/// Random steps: those that the scenario language refuses as having no effect have none, and those that it takes have
/// one.
@Suite struct IdleStepTests {
  private let board = ScenarioSetup.board()

  private static let words = [
    "plug headphones", "unplug headphones", "plug dock", "unplug dock", "press stop", "press next for 400ms",
    "press record", "line PAGE 1", "line PAGE 0", "line JACK_SENSE 1", "line JACK_SENSE 0", "line BTN_PLAY 1",
    "line BTN_PLAY 0", "console status", "console \"volume 30\"", "console nonsense", "route speaker", "route auto",
    "interrupt begin alarm", "interrupt end alarm", "cue nothing", "console blocked", "console free", "output fail",
    "output restore", "output underrun", "output rate 48000", "storage full", "storage restore", "microphone fail",
    "microphone restore", "power cut", "power on", "power sleep", "power wake", "clock 13:00",
  ]

  /// A scenario of `count` steps, without bounce: a bouncing plug moves the contact even where it is in already.
  private func scenario(seed: UInt64, steps: Int) throws -> Scenario {
    var random = SplitMix64(state: seed)
    var text = ""
    for _ in 0..<steps {
      let pause = [0, 1, 20, 35, 100, 700, 3_000].randomElement(using: &random) ?? 0
      text += "after \(pause)ms \(Self.words.randomElement(using: &random) ?? "end")\n"
    }
    return try ScenarioParser.steps(of: text + "after 10ms end", file: "s", board: board)
  }

  private func play(_ scenario: Scenario, _ diary: Diary) throws -> Simulation.Outcome {
    let library = ["a", "b"].map { Track(path: $0, name: $0) }
    let simulation = try Simulation(
      scenario: scenario, board: board, settings: Settings(), library: library,
      opener: CountingTracks(["a": 60 * ScenarioSetup.rate, "b": 60 * ScenarioSetup.rate]), audio: nil,
      onLine: { _ in },
      observer: diary)
    return try simulation.run()
  }

  @Test("a refused step changes nothing; every accepted one has an effect", arguments: 1...60)
  func idle(seed: UInt64) throws {
    let whole = try scenario(seed: seed, steps: 60)
    var taken = whole
    while true {
      let idle = ScenarioValidator.faults(in: taken, board: board).map(\.step)
      if idle.isEmpty { break }
      taken.steps = taken.steps.indices.filter { !idle.contains($0) }.map { taken.steps[$0] }
    }
    #expect(taken.steps.count > 5 && taken.steps.count < whole.steps.count)
    let diary = Diary()
    let outcome = try play(taken, diary)
    let idle = taken.steps.filter { !diary.effective.contains($0.line) && !$0.action.isSilent }
    #expect(idle == [])
    #expect(outcome.failures.filter { $0.contains(" to be obeyed, ") }.count == diary.refusals)
    // A press of a button that is down does nothing, but it moves the release of the one before it.
    let faults = ScenarioValidator.faults(in: whole, board: board)
    if faults.contains(where: { $0.message.contains("is down") }) { return }
    let other = Diary()
    _ = try play(whole, other)
    #expect(other.log == diary.log)
  }

  /// Records the effect of each step.
  private final class Diary: SimulationObserver {
    let hasSeenEnough = false
    private(set) var log: [String] = []
    /// Lines of the steps that moved a contact, were commands, or changed the power.
    private(set) var effective: Set<Int> = []
    private(set) var refusals = 0
    private var step: Scenario.Step?
    private var last: SimulationSnapshot?

    func willDo(_ step: Scenario.Step, at now: Instant) { self.step = step }
    func moved(_ line: String, asserted: Bool, at now: Instant) { mark { $0.isOfContacts } }
    func poweredOn(asserted: Set<String>, at now: Instant) { mark { $0 == .power(.on) } }
    func replied(_ text: String) { if text.hasPrefix("error: ") { refusals += 1 } }
    func heard(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int, on port: Port) {}

    func logged(_ event: Event, at now: Instant) {
      log.append(event.line(at: now))
      if event.name == .consoleCommand { mark { $0.isCommand } }
    }

    func settled(_ scene: SimulationSnapshot) {
      if scene.isAsleep != last?.isAsleep || (scene.status == nil) != (last?.status == nil) {
        mark { if case .power = $0 { true } else { false } }
      }
      last = scene
      step = nil
    }

    private func mark(_ isMeant: (Scenario.Action) -> Bool) {
      if let step, isMeant(step.action) { effective.insert(step.line) }
    }
  }
}

extension Scenario.Action {
  fileprivate var isOfContacts: Bool {
    switch self {
    case .plug, .unplug, .press, .turn, .coin, .line: true
    case .type, .card, .console, .consoleBlocked, .microphone, .output, .outputRate, .outputCard, .outputVolume,
      .headset, .storage, .music, .power, .clock, .expect, .end, .outputOpening, .outputLink:
      false
    }
  }

  /// Whether its effect only shows in what other steps do.
  fileprivate var isSilent: Bool {
    switch self {
    case .power, .type: return false
    default: break
    }
    return !isOfContacts && !isCommand
  }
}
