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
  @Test("Every order of plugs, categories, time-outs, Play and Stop on headphones, dock and speaker")
  func threePorts() {
    var setup = Setup(ports: [Explorer.headphones, Explorer.dock, Explorer.speaker], tracks: 1)
    setup.categories = [.playback, .record]
    setup.input = .microphone
    Explorer.explore("three ports", setup, states: 10_968, transitions: 83_128)
  }

  @Test("Every order of plugs, skips and late reports with headphones only")
  func headphonesOnly() {
    var setup = Setup(ports: [Explorer.headphones], commands: ["play", "stop", "next", "previous"], backlog: 2)
    setup.hasBadFiles = true
    Explorer.explore("headphones only", setup, states: 6_690, transitions: 50_098)
  }

  @Test("Every order of plugs, overrides, categories and a failing output on headphones and speaker")
  func override() {
    var setup = Setup(ports: [Explorer.headphones, Explorer.speaker], tracks: 1)
    setup.commands = ["play", "stop", "route speaker", "route headphones", "route auto"]
    setup.hasFaults = true
    setup.categories = [.playback, .record]
    setup.input = .microphone
    Explorer.explore("override", setup, states: 12_836, transitions: 135_652)
  }

  @Test("Every order of a failing output and late reports")
  func faults() {
    var setup = Setup(ports: [Explorer.headphones, Explorer.speaker], tracks: 1, backlog: 2)
    setup.hasFaults = true
    Explorer.explore("late faults", setup, states: 23_841, transitions: 122_445)
  }

  @Test(
    "Every order with reports of older streams",
    arguments: [(Settings.Repeat.off, 8_800, 44_700), (.queue, 18_098, 92_709), (.track, 18_098, 92_709)])
  func staleReports(repeats: Settings.Repeat, states: Int, transitions: Int) {
    var setup = Setup(ports: [Explorer.headphones], commands: ["play", "next"], backlog: 1)
    setup.settings.repeats = repeats
    setup.hasBadFiles = true
    setup.keepsStaleReports = true
    Explorer.explore(
      "stale reports, repeat \(repeats)", setup, states: states, transitions: transitions)
  }

  @Test(
    "Every order of plugs with each on_connect, with a resume window and no prompt time-out",
    arguments: [(Settings.OnConnect.resume, 2_037, 11_417), (.play, 948, 5_447), (.nothing, 2_970, 17_406)])
  func windowOnly(onConnect: Settings.OnConnect, states: Int, transitions: Int) {
    var setup = Setup(ports: [Explorer.headphones, Explorer.dock, Explorer.speaker], tracks: 1)
    setup.settings.onConnect = onConnect
    setup.settings.promptTimeout = .zero
    Explorer.explore("window, on connect \(onConnect)", setup, states: states, transitions: transitions)
  }

  @Test(
    "Every order of plugs with each on_connect, with a prompt time-out and no resume window",
    arguments: [(Settings.OnConnect.resume, 651, 3_851), (.play, 651, 3_851), (.nothing, 1_674, 10_398)])
  func promptOnly(onConnect: Settings.OnConnect, states: Int, transitions: Int) {
    var setup = Setup(ports: [Explorer.headphones, Explorer.dock, Explorer.speaker], tracks: 1)
    setup.settings.onConnect = onConnect
    setup.settings.resumeWindow = .zero
    Explorer.explore("prompt, on connect \(onConnect)", setup, states: states, transitions: transitions)
  }

  @Test("Every order of gestures, skips, volumes, plugs and the idle reset", arguments: Settings.Repeat.allCases)
  func gestures(repeats: Settings.Repeat) {
    var setup = Setup(ports: [Explorer.headphones, Explorer.speaker], tracks: 3)
    setup.commands = ["play", "stop", "next", "previous", "volume 20", "volume 90"]
    setup.settings.repeats = repeats
    setup.hasGestures = true
    setup.hasIdleReset = true
    setup.saved = .state(
      SavedState(volumes: [:], track: "1", frame: World.heardFrame, intent: .playing, port: .headphones))
    setup.settings.playOnBoot = true
    Explorer.explore("gestures, repeat \(repeats)", setup, states: 3_365, transitions: 38_535)
  }
}
