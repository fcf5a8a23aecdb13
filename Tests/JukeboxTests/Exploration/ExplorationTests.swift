import AudioSession
import Testing

@testable import Jukebox

/// Everything that can happen to small kiosks, in every order: sense lines, timers, people, the engine's reports and
/// the output. The rules are in `World+Feed` and `World+Rules`.
///
/// Buttons are left out of the product, but for the two gestures with an effect of their own: a gesture reaches the
/// rest of the brain only through `perform`, which calls what the console calls (`play`, `stop`, `next`, `previous`)
/// or `next` and `previous` with `thenPlay` (here `playHeld` and `playTwice`), and nothing else reads a button's state.
/// `GestureExplorationTests` covers which contact sequences lead to which gestures.
@Suite struct ExplorationTests {
  private static let headphones = OutputPort(
    port: .headphones, sense: .line("JACK"), priority: 30, isPrivate: true, ceiling: 80)
  private static let dock = OutputPort(port: .lineOut, sense: .line("DOCK"), priority: 20, isPrivate: true)
  private static let speaker = OutputPort(
    port: .speaker, sense: .always, priority: 10, isPrivate: false, ceiling: 50)

  private func explore(
    _ name: String, _ setup: Setup, states: Int, transitions: Int, recoverEvery: Int = 1
  ) {
    var explorer = Explorer(setup, recoverEvery: recoverEvery)
    let result = explorer.run()
    print("explored \(name): \(result.states) states, \(result.transitions) transitions")
    for failure in result.failures { Issue.record("\(name): \(failure)") }
    guard result.failures.isEmpty else { return }
    // Exact, so that nobody narrows the exploration without noticing; a brain that remembers more or less changes them.
    #expect(result.states == states, "\(name)")
    #expect(result.transitions == transitions, "\(name)")
  }

  @Test("Every order of plugs, categories, time-outs, Play and Stop on headphones, dock and speaker")
  func threePorts() {
    var setup = Setup(ports: [Self.headphones, Self.dock, Self.speaker], tracks: 1)
    setup.hasCategories = true
    explore("three ports", setup, states: 10_968, transitions: 83_128)
  }

  @Test("Every order of plugs, skips and late reports with headphones only")
  func headphonesOnly() {
    var setup = Setup(ports: [Self.headphones], commands: ["play", "stop", "next", "previous"], backlog: 2)
    setup.hasBadFiles = true
    explore("headphones only", setup, states: 4_476, transitions: 32_636, recoverEvery: 4)
  }

  @Test("Every order of plugs, overrides, categories and a failing output on headphones and speaker")
  func override() {
    var setup = Setup(ports: [Self.headphones, Self.speaker], tracks: 1)
    setup.commands = ["play", "stop", "route speaker", "route headphones", "route auto"]
    setup.hasFaults = true
    setup.hasCategories = true
    explore("override", setup, states: 12_836, transitions: 128_688, recoverEvery: 4)
  }

  @Test("Every order of a failing output and late reports")
  func faults() {
    var setup = Setup(ports: [Self.headphones, Self.speaker], tracks: 1, backlog: 2)
    setup.hasFaults = true
    explore("late faults", setup, states: 19_204, transitions: 95_234, recoverEvery: 4)
  }

  @Test(
    "Every order with reports of older streams",
    arguments: [(Settings.Repeat.off, 7_842, 39_514), (.queue, 17_642, 90_225), (.track, 17_642, 90_225)])
  func staleReports(repeats: Settings.Repeat, states: Int, transitions: Int) {
    var setup = Setup(ports: [Self.headphones], commands: ["play", "next"], backlog: 1)
    setup.settings.repeats = repeats
    setup.hasBadFiles = true
    setup.keepsStaleReports = true
    explore(
      "stale reports, repeat \(repeats)", setup, states: states, transitions: transitions, recoverEvery: 4)
  }

  @Test(
    "Every order of plugs with each on_connect, with a resume window and no prompt time-out",
    arguments: [(Settings.OnConnect.resume, 2_037, 11_417), (.play, 948, 5_447), (.nothing, 2_970, 17_406)])
  func windowOnly(onConnect: Settings.OnConnect, states: Int, transitions: Int) {
    var setup = Setup(ports: [Self.headphones, Self.dock, Self.speaker], tracks: 1)
    setup.settings.onConnect = onConnect
    setup.settings.promptTimeout = .zero
    explore("window, on connect \(onConnect)", setup, states: states, transitions: transitions, recoverEvery: 4)
  }

  @Test(
    "Every order of plugs with each on_connect, with a prompt time-out and no resume window",
    arguments: [(Settings.OnConnect.resume, 651, 3_851), (.play, 651, 3_851), (.nothing, 1_674, 10_398)])
  func promptOnly(onConnect: Settings.OnConnect, states: Int, transitions: Int) {
    var setup = Setup(ports: [Self.headphones, Self.dock, Self.speaker], tracks: 1)
    setup.settings.onConnect = onConnect
    setup.settings.resumeWindow = .zero
    explore("prompt, on connect \(onConnect)", setup, states: states, transitions: transitions, recoverEvery: 4)
  }

  @Test("Every order of gestures, skips, volumes, plugs and the idle reset", arguments: Settings.Repeat.allCases)
  func gestures(repeats: Settings.Repeat) {
    var setup = Setup(ports: [Self.headphones, Self.speaker], tracks: 3)
    setup.commands = ["play", "stop", "next", "previous", "volume 20", "volume 90"]
    setup.settings.repeats = repeats
    setup.hasGestures = true
    setup.hasIdleReset = true
    setup.saved = .state(
      SavedState(volumes: [:], track: "1", frame: World.heardFrame, intent: .playing, port: .headphones))
    setup.settings.playOnBoot = true
    explore("gestures, repeat \(repeats)", setup, states: 3_365, transitions: 38_535, recoverEvery: 4)
  }
}
