import AudioSession
import Testing

@testable import Jukebox

/// Which client may sound when, in every order: music × cue × page × recorder × mute line × ports × intent.
///
/// The whole product is too big, and need not be explored, as it factors: the parts of the brain read little of each
/// other, and each exploration covers both sides of one such border:
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
  private static let ports = [Explorer.headphones, Explorer.speaker]

  private func setup(_ commands: [String], ports: [OutputPort] = SessionExplorationTests.ports) -> Setup {
    var setup = Setup(ports: ports, tracks: 1, commands: commands)
    setup.settings.promptTimeout = .zero
    return setup
  }

  @Test("I1 to I9: every order of a page by contact and console, plugs, limits and people")
  func pages() {
    var setup = setup(["play", "pause", "stop", "interrupt end page", "interrupt begin page"])
    setup.contacts = ["page"]
    setup.hasBouncingContacts = true
    Explorer.explore("pages", setup, states: 5_214, transitions: 47_966)
  }

  @Test("I3, I6, I12: every order of interrupters that are stronger, equal, and without a word at their end")
  func overlaps() {
    var setup = setup(
      ["play", "pause", "interrupt begin radio", "interrupt end radio resume", "interrupt end page resume"],
      ports: [Explorer.speaker])
    setup.contacts = ["page", "alarm"]
    setup.clients = [
      SessionClient(name: "alarm", category: .playback, priority: 90),
      SessionClient(name: "radio", category: .playback, options: [.notifyOthers], priority: 10),
    ]
    Explorer.explore("overlaps", setup, states: 352, transitions: 2_648)
  }

  @Test("D1 to D7: every order of cues, plugs and people")
  func cues() {
    var setup = setup(["play", "stop", "cue welcome", "cue call"])
    setup.cues = [Self.welcome, Self.call]
    Explorer.explore("cues", setup, states: 4_269, transitions: 27_463)
  }

  @Test("D7, R8: every order of cues, plugs and forced routes")
  func forcedCues() {
    var setup = setup(["play", "cue welcome", "route speaker", "route auto"])
    setup.cues = [Self.welcome]
    setup.settings.resumeWindow = .zero
    Explorer.explore("forced cues", setup, states: 4_547, transitions: 28_511)
  }

  @Test("B1, D7: every order of cues and plugs while a device is being opened")
  func openingCues() {
    var setup = setup(
      ["play", "stop", "cue welcome"], ports: [Explorer.bluetooth, Explorer.headphones, Explorer.speaker])
    setup.cues = [Self.welcome]
    setup.opensSlowly = true
    setup.settings.resumeWindow = .zero
    Explorer.explore("opening, with cues", setup, states: 40_442, transitions: 278_947)
  }

  @Test("D5, D7: every order of cues, late reports and a failing output")
  func lateCues() {
    var setup = setup(["play", "cue welcome"], ports: [Explorer.speaker])
    setup.cues = [Self.welcome]
    setup.backlog = 2
    setup.hasFaults = true
    setup.hasBadCues = true
    Explorer.explore("late cues", setup, states: 10_032, transitions: 30_588)
  }

  @Test("D6: every order of cues, pages and plugs over spoken word")
  func speech() {
    var setup = setup(["play", "pause", "cue welcome"])
    setup.cues = [Self.welcome]
    setup.contacts = ["page"]
    setup.clients = [SessionClient(name: "music", category: .playback, priority: 10, isSpeech: true)]
    Explorer.explore("speech", setup, states: 6_196, transitions: 41_476)
  }

  @Test("C1 to C6, I13: every order of recordings, pages, plugs and failures")
  func recorder() {
    var setup = setup(["play", "record"])
    setup.settings.resumeWindow = .zero
    setup.contacts = ["page"]
    setup.input = .microphone
    setup.hasRecorderFaults = true
    Explorer.explore("recorder", setup, states: 1_038, transitions: 7_195)
  }

  @Test("C1 to C6, D5: every order of recordings, cues and pages")
  func recorderAndCues() {
    var setup = setup(["play", "record", "cue welcome"], ports: [Explorer.speaker])
    setup.cues = [Self.welcome]
    setup.contacts = ["page"]
    setup.input = .microphone
    setup.hasRecorderFaults = true
    Explorer.explore("recorder and cues", setup, states: 400, transitions: 2_404)
  }

  @Test("C1, I13: every order of recordings where an event has a page spoken")
  func pagedRecorder() {
    var setup = setup(["play", "record", "stop"], ports: [Explorer.speaker])
    setup.cues = [Cue(name: "call", path: "c", client: "page", event: .sessionActivated)]
    setup.input = .microphone
    setup.hasRecorderFaults = true
    Explorer.explore("paged recorder", setup, states: 118, transitions: 576)
  }

  @Test("S1, S2, R10: every order of the mute line, categories, cues and a ducking contact")
  func mute() {
    var setup = setup(["play", "cue welcome"], ports: [Explorer.speaker])
    setup.cues = [Self.welcome]
    setup.contacts = ["sign"]
    setup.hasMute = true
    setup.clients = [
      SessionClient(name: "sign", category: .ambient, options: [.duckOthers, .notifyOthers], priority: 5),
      SessionClient(name: "cue", category: .ambient, options: [.duckOthers, .notifyOthers], priority: 20),
    ]
    setup.categories = [.playback, .ambient, .soloAmbient]
    Explorer.explore("mute", setup, states: 1_044, transitions: 7_666)
  }

  @Test("I11, I14: every order of pages, plugs, late reports and a failing output under the policy recreate")
  func recreate() {
    var setup = setup(["play"])
    setup.contacts = ["page"]
    setup.settings.interruptionPolicy = .recreate
    setup.settings.resumeWindow = .zero
    setup.backlog = 1
    setup.hasFaults = true
    Explorer.explore("recreate", setup, states: 10_105, transitions: 42_959)
  }

  @Test("I11, D1: every order of pages, cues and plugs under the policy recreate")
  func recreateWithCues() {
    var setup = setup(["play", "cue welcome"])
    setup.cues = [Self.welcome]
    setup.contacts = ["page"]
    setup.settings.interruptionPolicy = .recreate
    setup.settings.resumeWindow = .zero
    Explorer.explore("recreate with cues", setup, states: 6_345, transitions: 33_374)
  }

  @Test("S6: every order of plugs, categories and cues on every port at once")
  func multiRoute() {
    var setup = setup(["play", "cue welcome"])
    setup.cues = [Self.welcome]
    setup.categories = [.playback, .multiRoute]
    setup.settings.resumeWindow = .zero
    Explorer.explore("multi-route", setup, states: 2_818, transitions: 14_844)
  }

  @Test(
    "B1, B2, S6: every order of plugs, forced routes and categories with a headset that fails, alone and beside others")
  func wirelessMultiRoute() {
    // Without pauses, skips and prompts that expire: those are in the explorations of a headset that is alone.
    var setup = setup(["play", "route speaker", "route auto"], ports: [Explorer.bluetooth, Explorer.speaker])
    setup.categories = [.playback, .multiRoute]
    setup.opensSlowly = true
    setup.hasFaults = true
    setup.settings.resumeWindow = .zero
    Explorer.explore("wireless multi-route", setup, states: 2_588, transitions: 18_780)
  }

  @Test("B2, S6: every order of plugs and categories with a headset that fails, headphones and everybody's loudspeaker")
  func wirelessAndWiredMultiRoute() {
    var setup = setup(["play"], ports: [Explorer.bluetooth, Explorer.headphones, Explorer.speaker])
    setup.categories = [.playback, .multiRoute]
    setup.hasFaults = true
    setup.settings.resumeWindow = .zero
    Explorer.explore("wireless and wired multi-route", setup, states: 6_060, transitions: 42_902)
  }

  @Test("R12: every order of a device that changes its shape, cues and late reports")
  func reshapes() {
    var setup = setup(["play", "stop", "cue welcome"], ports: [Explorer.speaker])
    setup.cues = [Self.welcome]
    setup.hasRateChanges = true
    setup.keepsStaleReports = true
    setup.backlog = 1
    setup.settings.resumeWindow = .zero
    Explorer.explore("reshapes", setup, states: 2_113, transitions: 7_865)
  }
}
