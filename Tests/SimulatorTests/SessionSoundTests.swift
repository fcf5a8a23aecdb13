import AudioSession
import Jukebox
import Simulator
import Testing

@testable import KioskTestSupport

/// The sound of sessions, cues and interruptions, from the buttons to the WAV.
@Suite struct SessionSoundTests {
  private func stage() -> ScenarioSetup {
    var stage = ScenarioSetup()
    stage.cues = [Cue(name: "welcome", path: "welcome")]
    stage.cueFiles = ["welcome": 40_000]
    return stage
  }

  private let start = """
    at 0s plug headphones
    at 1s press play

    """

  @Test("D1 D2: after a cue the music is bit for bit what it is without one")
  func level() throws {
    let plain = try stage().play(start + "at 8s end")
    let cued = try stage().play(start + "at 3s cue welcome\nat 8s end")
    let quiet = try #require(plain.left[.headphones])
    let spoken = try #require(cued.left[.headphones])
    let began = try #require(zip(quiet, spoken).enumerated().first { $1.0 != $1.1 }?.offset)
    let ended = try #require(zip(quiet, spoken).enumerated().reversed().first { $1.0 != $1.1 }?.offset)
    let up = ScenarioSetup.rate / 5 + 40_000
    #expect(abs(began - 3 * ScenarioSetup.rate) <= 20)
    #expect(
      (up + ScenarioSetup.rate / 2 - 600...up + ScenarioSetup.rate / 2 + ScenarioSetup.rate / 50).contains(
        ended - began))
    #expect(cued.events("cue.started").count == 1 && cued.events("cue.ended").count == 1)
  }

  @Test("I10 I11: an interruption with the policy recreate sounds the same as with hold, sample by sample")
  func policies() throws {
    var performances: [ScenarioResult] = []
    for policy in Settings.InterruptionPolicy.allCases {
      var stage = stage()
      stage.settings.interruptionPolicy = policy
      performances.append(
        try stage.play(start + "at 3s interrupt begin page\nat 4s interrupt end page resume\nat 6s end"))
    }
    #expect(performances[0].left == performances[1].left)
    let runs = performances[0].runs(.headphones)
    #expect(runs.count == 2)
  }

  @Test("I10 I11: the policies sound the same, however soon after a start pages come", arguments: exactCards)
  func soonPages(card: SimulatedCard) throws {
    var pages = ""
    for time in stride(from: 3, to: 1_000, by: 83) {
      pages += "after \(time)ms interrupt begin page\nafter 400ms interrupt end page resume\n"
    }
    try expectSame("at 0s output card headphones \(card)\n" + start + pages + "after 2s end")
  }

  @Test("I11, P10: a page while the last frames of a track are heard: it does not begin again", arguments: cards)
  func pageAtEnd(card: SimulatedCard) throws {
    for time in 0..<15 {
      let page = "at \(2_005 + 2 * time)ms interrupt begin page\nafter 1s interrupt end page resume\n"
      try expectSame("at 0s output card headphones \(card)\n" + start + page + "at 5s end") {
        $0.tracks = [("a", 44_100)]
      }
    }
  }

  @Test("K5.3: a pause has the frame heard then, a resume the one at which its fade began", arguments: cards)
  func frames(card: SimulatedCard) throws {
    let played = try stage().play(
      "at 0s output card headphones \(card)\n" + start
        + """
        at 3s console "pause"
        at 4s console "play"
        at 6s unplug headphones
        at 7s plug headphones
        at 8s end
        """)
    func frames(_ name: String) throws -> [Int] {
      try played.events(name).map { try #require(Int($0.split(separator: "=").last ?? "")) }
    }
    let (paused, resumed) = (try frames("playback.paused"), try frames("playback.resumed"))
    try #require(paused.count == 2 && resumed.count == 2)
    let heard = (Duration.milliseconds(1_970) - card.latency).frames(rate: ScenarioSetup.rate)
    #expect(abs(paused[0] - heard) <= 5)
    let most = card == .usual ? Duration.zero : .milliseconds(30) + card.latency
    #expect((paused[0] - 5...paused[0] + 5 + most.frames(rate: ScenarioSetup.rate)).contains(resumed[0]))
    #expect(resumed[1] == paused[1])
  }

  private static let cards = SimulatedCard.allCases.filter { $0 != .headset }
  /// Where to the frame: those that cannot be rewound queue by what is known of their position, which one that was
  /// opened again has to show again.
  private static let exactCards = cards.filter(\.takesBack)

  /// Plays it under both policies.
  private func expectSame(_ scenario: String, _ change: (inout ScenarioSetup) -> Void = { _ in }) throws {
    var performances: [ScenarioResult] = []
    for policy in Settings.InterruptionPolicy.allCases {
      var stage = stage()
      change(&stage)
      stage.settings.interruptionPolicy = policy
      performances.append(try stage.play(scenario))
    }
    #expect(performances[0].left == performances[1].left)
    for name in ["track.started", "track.ended", "playback.resumed", "queue.ended"] {
      #expect(performances[0].events(name) == performances[1].events(name))
    }
  }

  @Test("D7: unplugged while a cue speaks, nothing reaches the speaker")
  func leak() throws {
    let performance = try stage().play(start + "at 3s cue welcome\nat 3.5s unplug headphones\nat 6s end")
    #expect(performance.runs(.speaker).isEmpty)
    let last = try #require(performance.runs(.headphones).last).upperBound
    #expect(last <= ScenarioSetup.rate * 35 / 10 + ScenarioSetup.fade + 1)
  }

  @Test("R12: the output's rate changes and the music goes on at its frame, a cue over it too")
  func rate() throws {
    let performance = try stage().play(
      start + "at 3s output rate 48000\nat 5s cue welcome\nat 8s expect state playing\nat 8s end")
    #expect(performance.outcome.failures == [])
    #expect(performance.events("route.changed").count == 1)
    #expect(performance.events("cue.ended").count == 1 && performance.events("output.lost").isEmpty)
    let runs = performance.runs(.headphones)
    #expect(runs.count <= 2 && (runs.last?.upperBound ?? 0) > ScenarioSetup.rate * 79 / 10)
  }

  @Test("S6: in a multi-route all ports play the same, and a cue speaks on all")
  func multiRoute() throws {
    let performance = try stage().play(
      "at 0s plug headphones\nat 0.5s console \"category multi-route\"\nat 1s press play\nat 3s cue welcome\nat 7s end")
    let headphones = try #require(performance.left[.headphones])
    #expect(headphones.contains { $0 != 0 } && performance.left[.speaker] == headphones)
  }
}
