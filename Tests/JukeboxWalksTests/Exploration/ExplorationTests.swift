import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Everything that can happen to small kiosks, in every order: sense lines, timers, the operator, the engine's reports
/// and the output. The rules are in `World+Feed` and `World+Rules`.
///
/// Buttons are left out of most, except the two gestures with an effect of their own: a gesture reaches the rest of the
/// brain only through `perform`, which calls what the console calls (`play`, `stop`, `next`, `previous`) or `next` and
/// `previous` with `thenPlay` (here `playHeld` and `playTwice`). What else reads a button's state is the loss of a
/// private port and the wake, and `fingers` and `sleep` go through those edge by edge. `GestureExplorationTests` covers
/// which contact sequences lead to which gestures.
@Suite struct ExplorationTests {
  @Test("Every order of plugs, categories, time-outs, Play and Stop on headphones, dock and speaker")
  func threePorts() {
    let setup = Setup(
      ports: [Explorer.headphones, Explorer.dock, Explorer.speaker], tracks: 1, input: .microphone,
      categories: [.playback, .record])
    Explorer.explore("three ports", setup, states: 8_034, transitions: 56_710)
  }

  @Test("Every order of plugs, skips and late reports with headphones only")
  func headphonesOnly() {
    let setup = Setup(
      ports: [Explorer.headphones], commands: ["play", "stop", "next", "previous"], hasBadFiles: true, backlog: 2)
    Explorer.explore("headphones only", setup, states: 18_072, transitions: 128_009)
  }

  @Test("Every order of plugs, overrides, categories and a failing output on headphones and speaker")
  func override() {
    let setup = Setup(
      tracks: 1, commands: ["play", "stop", "route speaker", "route headphones", "route auto"], input: .microphone,
      categories: [.playback, .record], hasFaults: true)
    Explorer.explore("override", setup, states: 9_660, transitions: 98_094)
  }

  @Test("Every order of a failing output and late reports")
  func faults() {
    Explorer.explore("late faults", Setup(tracks: 1, hasFaults: true, backlog: 2), states: 27_708, transitions: 132_912)
  }

  @Test("B2: every order of a headset that goes and comes, before and after its device fails, on headset and speaker")
  func wireless() {
    let setup = Setup(
      ports: [Explorer.bluetooth, Explorer.speaker], tracks: 1, commands: ["play", "stop", "next"], hasFaults: true)
    Explorer.explore("wireless", setup, states: 514, transitions: 3_434)
  }

  @Test("B2: every order of a headset and headphones")
  func wirelessAndWired() {
    let setup = Setup(ports: [Explorer.bluetooth, Explorer.headphones, Explorer.speaker], tracks: 1, hasFaults: true)
    Explorer.explore("wireless and wired", setup, states: 7_038, transitions: 52_476)
  }

  @Test("B1, B2: every order of plugs while a device is being opened, which takes its time or fails")
  func opening() {
    let setup = Setup(
      ports: [Explorer.bluetooth, Explorer.headphones, Explorer.speaker], tracks: 1, hasFaults: true, opensSlowly: true,
      settings: .explored(resumeWindow: .zero))
    Explorer.explore("opening", setup, states: 3_148, transitions: 22_844)
  }

  @Test("B1, R8: every order of plugs and forced routes while a device is being opened")
  func openingByForce() {
    let setup = Setup(
      ports: [Explorer.bluetooth, Explorer.headphones, Explorer.speaker], tracks: 1,
      commands: ["play", "stop", "next", "route speaker", "route headphones", "route auto"], opensSlowly: true,
      settings: .explored(resumeWindow: .zero, promptTimeout: .zero))
    Explorer.explore("opening by force", setup, states: 4_244, transitions: 40_360)
  }

  @Test("B1: every order of plugs and late reports while a device is being opened")
  func openingLate() {
    let setup = Setup(
      ports: [Explorer.bluetooth, Explorer.headphones], tracks: 1, opensSlowly: true, backlog: 2,
      settings: .explored(resumeWindow: .zero))
    Explorer.explore("opening late", setup, states: 26_157, transitions: 164_643)
  }

  @Test(
    "Every order with reports of older streams",
    arguments: [(Settings.Repeat.off, 8_275, 38_902), (.queue, 33_660, 165_198), (.track, 33_660, 165_198)])
  func staleReports(repeats: Settings.Repeat, states: Int, transitions: Int) {
    var settings = Settings.explored()
    settings.repeats = repeats
    let setup = Setup(
      ports: [Explorer.headphones], commands: ["play", "next"], hasBadFiles: true, backlog: 1, keepsStaleReports: true,
      settings: settings)
    Explorer.explore("stale reports, repeat \(repeats)", setup, states: states, transitions: transitions)
  }

  @Test(
    "Every order of plugs with each on_connect, with a resume window and no prompt time-out",
    arguments: [(Settings.OnConnect.resume, 1_338, 7_447), (.play, 690, 3_943), (.nothing, 1_986, 11_599)])
  func windowOnly(onConnect: Settings.OnConnect, states: Int, transitions: Int) {
    var settings = Settings.explored(promptTimeout: .zero)
    settings.onConnect = onConnect
    let setup = Setup(ports: [Explorer.headphones, Explorer.dock, Explorer.speaker], tracks: 1, settings: settings)
    Explorer.explore("window, on connect \(onConnect)", setup, states: states, transitions: transitions)
  }

  @Test(
    "Every order of plugs with each on_connect, with a prompt time-out and no resume window",
    arguments: [(Settings.OnConnect.resume, 495, 2_895), (.play, 495, 2_895), (.nothing, 1_143, 6_399)])
  func promptOnly(onConnect: Settings.OnConnect, states: Int, transitions: Int) {
    var settings = Settings.explored(resumeWindow: .zero)
    settings.onConnect = onConnect
    let setup = Setup(ports: [Explorer.headphones, Explorer.dock, Explorer.speaker], tracks: 1, settings: settings)
    Explorer.explore("prompt, on connect \(onConnect)", setup, states: states, transitions: transitions)
  }

  @Test("P1, Q2, K3: every order of a finger on Play, plugs and Stop, edge by edge")
  func fingers() {
    let setup = Setup(
      commands: ["stop"], hasButtonEdges: true, settings: .explored(resumeWindow: .zero, promptTimeout: .zero))
    Explorer.explore("fingers", setup, states: 4_508, transitions: 22_960)
  }

  @Test("R11: every order of sleeps, a finger on Play and plugs, edge by edge")
  func sleep() {
    let setup = Setup(
      tracks: 1, commands: ["stop"], hasButtonEdges: true, hasSleep: true,
      settings: .explored(resumeWindow: .zero, promptTimeout: .zero))
    Explorer.explore("sleep", setup, states: 3_846, transitions: 30_617)
  }

  @Test(
    "T1, T2, T3, T7, T8: every order of choices, plugs, Play and Stop, and of tracks that fail",
    arguments: [
      (Settings.Again.restart, Settings.AfterTrack.next, 1307, 10_457), (.pause, .stop, 1_014, 8_026),
      (.ignore, .repeat, 1368, 10_908), (.pause, .next, 1329, 10_587),
    ])
  func choices(again: Settings.Again, after: Settings.AfterTrack, states: Int, transitions: Int) {
    var settings = Settings.explored(resumeWindow: .zero)
    settings.again = again
    settings.afterTrack = after
    let setup = Setup(
      commands: ["play", "stop", "next", "track 1", "track 2"], hasBadFiles: true, settings: settings)
    Explorer.explore("choices, again \(again), then \(after)", setup, states: states, transitions: transitions)
  }

  @Test(
    "T2, T4, T7: every order of playlists that a switch and the console choose, tracks of them, plugs, Play and Stop",
    arguments: [
      (Settings.Again.restart, Settings.PlaylistStart.beginning, 1_279, 14_965), (.pause, .resume, 11_978, 140_130),
      (.ignore, .resume, 12_246, 143_282),
    ])
  func playlists(again: Settings.Again, start: Settings.PlaylistStart, states: Int, transitions: Int) {
    var settings = Settings.explored(resumeWindow: .zero)
    settings.again = again
    settings.playlistStart = start
    let setup = Setup(
      names: ["A/1", "A/2", "B/1", "loose"],
      commands: ["play", "stop", "next", "playlist A", "playlist B", "playlist", "playlist C", "track A/2"],
      selector: ("A", "B"), hasIdleReset: true, settings: settings)
    Explorer.explore("playlists, again \(again), from \(start)", setup, states: states, transitions: transitions)
  }

  @Test(
    "T5, T7, P1: every order of keys of a keypad, plugs, Play and Stop, and of keys that come late, and again",
    arguments: [(0, 842, 8_014), (3, 2_209, 21_013)])
  func keypad(repeatTime: Int, states: Int, transitions: Int) {
    var settings = Settings.explored(resumeWindow: .zero)
    settings.readerRepeat = .seconds(repeatTime)
    let setup = Setup(hasReader: true, hasSleep: true, settings: settings)
    Explorer.explore("keypad, read again within \(repeatTime) s", setup, states: states, transitions: transitions)
  }

  @Test(
    "L rows: every order of cards that are laid and lifted, plugs, a page, sleep, Play, Stop and Next",
    arguments: [(false, 5_459, 62_302), (true, 6_574, 51_120)])
  func cards(isPaged: Bool, states: Int, transitions: Int) {
    let setup = Setup(
      commands: ["play", "stop"] + (isPaged ? [] : ["next"]), contacts: isPaged ? ["page"] : [],
      cards: isPaged ? ["1"] : ["1", "2"], hasSleep: !isPaged,
      settings: .explored(resumeWindow: isPaged ? .zero : .seconds(300)))
    Explorer.explore("cards, a page: \(isPaged)", setup, states: states, transitions: transitions)
  }

  @Test(
    "V2, V3, V4, V5, V6: every order of plugs, a page, presses, Play, Stop, volumes and times that pass",
    arguments: [
      (Settings.OnConnect.resume, true, 8_877, 65_840), (.play, true, 7_185, 53_785),
      (.nothing, true, 10_450, 78_691),
      (.resume, false, 4_378, 32_668),
    ])
  func visits(onConnect: Settings.OnConnect, hasSpeaker: Bool, states: Int, transitions: Int) {
    var settings = Settings.explored()
    settings.startVolume = 30
    settings.visitGap = .seconds(10)
    settings.onConnect = onConnect
    let setup = Setup(
      ports: [Explorer.headphones] + (hasSpeaker ? [Explorer.speaker] : []), tracks: 1,
      commands: ["play", "stop", "volume 90"], contacts: ["page"], hasIdleReset: true, settings: settings)
    Explorer.explore(
      "visits, on_connect \(onConnect), speaker \(hasSpeaker)", setup, states: states, transitions: transitions)
  }

  @Test("V1, V2, V6: every order of plugs, a finger on a volume button, Play and times that pass, edge by edge")
  func fingersOfVisitors() {
    var settings = Settings.explored(resumeWindow: .zero)
    settings.volumeStep = 100
    settings.startVolume = 30
    settings.visitGap = .seconds(10)
    let setup = Setup(
      tracks: 1, commands: ["play"], buttons: [.volumeUp], hasButtonEdges: true, hasIdleReset: true, settings: settings)
    Explorer.explore("fingers of visitors", setup, states: 8_466, transitions: 50_068)
  }

  @Test("T6, T7: every order of seeks, plugs, pages, Play, Stop and Next, and of tracks that fail")
  func seeks() {
    let setup = Setup(
      commands: ["play", "stop", "next", "seek 1s"], contacts: ["page"], hasBadFiles: true,
      settings: .explored(resumeWindow: .zero))
    Explorer.explore("seeks", setup, states: 4_413, transitions: 36_873)
  }

  @Test("Every order of gestures, skips, volumes, plugs and the idle reset", arguments: Settings.Repeat.allCases)
  func gestures(repeats: Settings.Repeat) {
    var settings = Settings.explored()
    settings.repeats = repeats
    settings.playOnBoot = true
    let saved = SavedState(volumes: [:], track: "1", frame: World.heardFrame, intent: .playing, port: .headphones)
    let setup = Setup(
      tracks: 3, commands: ["play", "stop", "next", "previous", "volume 20", "volume 90"], hasGestures: true,
      hasIdleReset: true, saved: .state(saved), settings: settings)
    Explorer.explore("gestures, repeat \(repeats)", setup, states: 4_155, transitions: 45_067)
  }
}
