import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Which client may sound when, in every order: music × cue × page × recorder × mute line × ports × intent.
///
/// The whole product is too big, and need not be explored, because it factors: the parts of the brain read little of
/// each other, and each exploration covers both sides of one such border:
/// - Music reads of all others only whether anybody interrupts it, whether anybody ducks it, and whether an end lets it
///   go on (`Transport.interruptions`, `SessionArbiter.duckers`): `pages`, `overlaps`, `speech`.
/// - A cue reads nothing of the music. It reads of the others whether its client is interrupted; of the ports, whether
///   there is a route and whether its plug moves; of the output, whether it is lost: `cues`, `lateCues`, `mute`.
/// - The recorder reads whether a port moved and whether its client is interrupted, and others read of it only whether it
///   has the session: `recorder`.
/// - The mute line is read by clients of two categories only, each by itself: `mute`.
/// - `recreate` and `multi-route` change the commands to the output, and nothing that the session reads.
/// - Skips, repeats, files that fail, gestures, `on_connect` and the prompt read nothing of the session but the intent
///   and the holds: they are explored without it in `ExplorationTests`.
/// - Two clients differ only by priority, category and options, which `SessionArbiter` alone reads.
///
/// `RandomWalkTests` goes through the whole product at random, in case one of these is wrong.
@Suite struct SessionExplorationTests {
  private static let welcome = Cue(name: "welcome", path: "w")
  private static let call = Cue(name: "call", path: "c", client: "page")

  /// With one track, and without prompts that expire.
  private func explore(_ name: String, _ setup: Setup, states: Int, transitions: Int) {
    var setup = setup
    setup.tracks = 1
    setup.settings.promptTimeout = .zero
    Explorer.explore(name, setup, states: states, transitions: transitions)
  }

  @Test("I1 to I9: every order of a page by contact and console, plugs, limits and people")
  func pages() {
    let setup = Setup(
      commands: ["play", "pause", "stop", "interrupt end page", "interrupt begin page"], contacts: ["page"],
      hasBouncingContacts: true)
    explore("pages", setup, states: 5_214, transitions: 47_966)
  }

  @Test("I3, I6, I12: every order of interrupters that are stronger, equal, and without a word at their end")
  func overlaps() {
    let clients = [
      SessionClient(name: "alarm", category: .playback, priority: 90),
      SessionClient(name: "radio", category: .playback, options: [.notifyOthers], priority: 10),
    ]
    let setup = Setup(
      ports: [Explorer.speaker],
      commands: ["play", "pause", "interrupt begin radio", "interrupt end radio resume", "interrupt end page resume"],
      contacts: ["page", "alarm"], clients: clients)
    explore("overlaps", setup, states: 352, transitions: 2_648)
  }

  @Test("D1 to D7: every order of cues, plugs and people")
  func cues() {
    let setup = Setup(commands: ["play", "stop", "cue welcome", "cue call"], cues: [Self.welcome, Self.call])
    explore("cues", setup, states: 4_269, transitions: 27_463)
  }

  @Test("D7, R8: every order of cues, plugs and forced routes")
  func forcedCues() {
    let setup = Setup(
      commands: ["play", "cue welcome", "route speaker", "route auto"], cues: [Self.welcome],
      settings: .explored(resumeWindow: .zero))
    explore("forced cues", setup, states: 4_547, transitions: 28_511)
  }

  @Test("B1, D7: every order of cues and plugs while a device is being opened")
  func openingCues() {
    let setup = Setup(
      ports: [Explorer.bluetooth, Explorer.headphones, Explorer.speaker], commands: ["play", "stop", "cue welcome"],
      cues: [Self.welcome], opensSlowly: true, settings: .explored(resumeWindow: .zero))
    explore("opening, with cues", setup, states: 40_442, transitions: 278_947)
  }

  @Test("D5, D7: every order of cues, late reports and a failing output")
  func lateCues() {
    let setup = Setup(
      ports: [Explorer.speaker], commands: ["play", "cue welcome"], cues: [Self.welcome], hasFaults: true,
      hasBadCues: true, backlog: 2)
    explore("late cues", setup, states: 10_032, transitions: 30_588)
  }

  @Test("D6: every order of cues, pages and plugs over spoken word")
  func speech() {
    let setup = Setup(
      commands: ["play", "pause", "cue welcome"], contacts: ["page"],
      clients: [SessionClient(name: "music", category: .playback, priority: 10, isSpeech: true)], cues: [Self.welcome])
    explore("speech", setup, states: 6_196, transitions: 41_476)
  }

  @Test("C1 to C6, I13: every order of recordings, pages, plugs and failures")
  func recorder() {
    let setup = Setup(
      commands: ["play", "record"], contacts: ["page"], input: .microphone, hasRecorderFaults: true,
      settings: .explored(resumeWindow: .zero))
    explore("recorder", setup, states: 1_038, transitions: 7_195)
  }

  @Test("C1 to C6, D5: every order of recordings, cues and pages")
  func recorderAndCues() {
    let setup = Setup(
      ports: [Explorer.speaker], commands: ["play", "record", "cue welcome"], contacts: ["page"], input: .microphone,
      cues: [Self.welcome], hasRecorderFaults: true)
    explore("recorder and cues", setup, states: 400, transitions: 2_404)
  }

  @Test("C1, I13: every order of recordings where an event has a page spoken")
  func pagedRecorder() {
    let setup = Setup(
      ports: [Explorer.speaker], commands: ["play", "record", "stop"], input: .microphone,
      cues: [Cue(name: "call", path: "c", client: "page", event: .sessionActivated)], hasRecorderFaults: true)
    explore("paged recorder", setup, states: 118, transitions: 576)
  }

  @Test("S1, S2, R10: every order of the mute line, categories, cues and a ducking contact")
  func mute() {
    let clients = [
      SessionClient(name: "sign", category: .ambient, options: [.duckOthers, .notifyOthers], priority: 5),
      SessionClient(name: "cue", category: .ambient, options: [.duckOthers, .notifyOthers], priority: 20),
    ]
    let setup = Setup(
      ports: [Explorer.speaker], commands: ["play", "cue welcome"], contacts: ["sign"], hasMute: true, clients: clients,
      cues: [Self.welcome], categories: [.playback, .ambient, .soloAmbient])
    explore("mute", setup, states: 1_044, transitions: 7_666)
  }

  @Test("I11, I14: every order of pages, plugs, late reports and a failing output under the policy recreate")
  func recreate() {
    var settings = Settings.explored(resumeWindow: .zero)
    settings.interruptionPolicy = .recreate
    let setup = Setup(commands: ["play"], contacts: ["page"], hasFaults: true, backlog: 1, settings: settings)
    explore("recreate", setup, states: 10_105, transitions: 42_959)
  }

  @Test("I11, D1: every order of pages, cues and plugs under the policy recreate")
  func recreateWithCues() {
    var settings = Settings.explored(resumeWindow: .zero)
    settings.interruptionPolicy = .recreate
    let setup = Setup(commands: ["play", "cue welcome"], contacts: ["page"], cues: [Self.welcome], settings: settings)
    explore("recreate with cues", setup, states: 6_345, transitions: 33_374)
  }

  @Test("S6: every order of plugs, categories and cues on every port at once")
  func multiRoute() {
    let setup = Setup(
      commands: ["play", "cue welcome"], cues: [Self.welcome], categories: [.playback, .multiRoute],
      settings: .explored(resumeWindow: .zero))
    explore("multi-route", setup, states: 2_818, transitions: 14_844)
  }

  @Test(
    "B1, B2, S6: every order of plugs, forced routes and categories with a headset that fails, alone and beside others")
  func wirelessMultiRoute() {
    // Without pauses, skips and prompts that expire: those are in the explorations of a headset that is alone.
    let setup = Setup(
      ports: [Explorer.bluetooth, Explorer.speaker], commands: ["play", "route speaker", "route auto"],
      categories: [.playback, .multiRoute], hasFaults: true, opensSlowly: true,
      settings: .explored(resumeWindow: .zero))
    explore("wireless multi-route", setup, states: 2_588, transitions: 18_780)
  }

  @Test("B2, S6: every order of plugs and categories with a headset that fails, headphones and everybody's loudspeaker")
  func wirelessAndWiredMultiRoute() {
    let setup = Setup(
      ports: [Explorer.bluetooth, Explorer.headphones, Explorer.speaker], commands: ["play"],
      categories: [.playback, .multiRoute], hasFaults: true, settings: .explored(resumeWindow: .zero))
    explore("wireless and wired multi-route", setup, states: 6_060, transitions: 42_902)
  }

  @Test("R12: every order of a device that changes its shape, cues and late reports")
  func reshapes() {
    let setup = Setup(
      ports: [Explorer.speaker], commands: ["play", "stop", "cue welcome"], cues: [Self.welcome], hasRateChanges: true,
      backlog: 1, keepsStaleReports: true, settings: .explored(resumeWindow: .zero))
    explore("reshapes", setup, states: 2_113, transitions: 7_865)
  }
}
