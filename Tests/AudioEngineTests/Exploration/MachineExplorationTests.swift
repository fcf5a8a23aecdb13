import Board
import Testing

@testable import AudioEngine

/// Everything that can happen to the audio thread's machine on a small device, in every order. The rules are in
/// `MachineWorld+Rules` and `MachineWorld+Listener`.
///
/// The full product of choices is too large: every exploration varies some things that the others hold fixed. Devices that
/// keep what is queued are in `MachineExplorationTests+Keeping`.
@Suite struct MachineExplorationTests {
  func explore(_ name: String, _ setup: MachineSetup, states: Int, transitions: Int) {
    var explorer = MachineExplorer(setup)
    explorer.run()
    print("explored \(name): \(explorer.states) states, \(explorer.transitions) transitions")
    for failure in explorer.failures { Issue.record("\(name): \(failure)") }
    guard explorer.failures.isEmpty else { return }
    // Exact numbers, so that nobody narrows the exploration without noticing. They change when the machine remembers
    // more or less.
    #expect(explorer.states == states, "\(name)")
    #expect(explorer.transitions == transitions, "\(name)")
  }

  @Test("a new field of the machine is part of the key, or is left out for a reason")
  func key() {
    let machine = OutputMachine(MachineSetup().machine)
    // Left out: the setup; how much a filling found free, which counts only where a frame is short of a millisecond;
    // that a device has stood still, which takes seconds; what it reported (`reported`), which every pass reads again;
    // what the sides play, which no decision depends on (`matrices`, `matrix`); and what is only reported (`now`,
    // `decoded` and `notices` between two calls, `startedAt` of a voice).
    #expect(
      fields(of: machine) == [
        "setup", "rate", "state", "now", "decoded", "music", "cue", "cursor", "progress", "device", "output", "held",
        "pendingRoute", "ahead", "openBy", "wantsRelease", "isReleased", "hasCue", "isCueReported", "futileStarts",
        "refusals", "isRevived", "hasStoodStill", "awaited", "margins", "matrices", "matrix", "isAsked", "late",
        "notices",
      ])
    #expect(
      fields(of: machine.music) == [
        "capacity", "decoded", "state", "gains", "boundaries", "stream", "load", "isForgotten", "isAwaitingStream",
        "early", "place", "passage", "startedAt", "awaitsSilence", "startBy",
      ])
    // No device here stands still for the seconds after which `movedAt` counts.
    #expect(
      fields(of: machine.progress) == [
        "isOn", "start", "heard", "at", "acceptedAt", "unwritten", "movedAt", "latency", "mostLatency", "isFilled",
        "reported", "isUnpaced",
      ])
  }

  @Test("every flag of a world is part of the key")
  func flags() {
    let setup = MachineSetup()
    let world = MachineWorld(setup)
    let flags: [WritableKeyPath<MachineWorld, Bool>] = [
      \.history.wantsRelease, \.history.wantsMusic, \.history.hasFailed, \.history.isExplained, \.history.isLost,
      \.isPosted, \.history.isVacated, \.history.wasRefused, \.history.hasOverslept,
    ]
    var keys = Set([MachineKey(world, setup).bytes])
    for flag in flags {
      var other = world
      other[keyPath: flag].toggle()
      keys.insert(MachineKey(other, setup).bytes)
    }
    #expect(keys.count == 1 + flags.count)
  }

  private func fields(of value: Any) -> [String] { Mirror(reflecting: value).children.map { $0.label ?? "" } }

  @Test("P12: every order of play, silence and a late decoder")
  func plain() { explore("plain", MachineSetup(isLate: true), states: 8_112, transitions: 19_487) }

  @Test("R3: every order of play and silence as of an edge some time ago")
  func edges() {
    explore("edges", MachineSetup(commands: [.play], edges: [0, 1, 2]), states: 43_005, transitions: 132_875)
  }

  @Test("P12: every order with writes that are refused or taken in part")
  func shortWrites() {
    explore("short writes", MachineSetup(takesLess: true), states: 26_255, transitions: 59_102)
  }

  @Test("P12: every order with a position that may be old, on a device that polls")
  func oldStamps() {
    let setup = MachineSetup(hasOldStamps: true, polls: true, isLate: true)
    explore("old stamps", setup, states: 34_650, transitions: 77_344)
  }

  @Test("I14: every call fails at every point")
  func failing() {
    let setup = MachineSetup(
      commands: MachineSetup.usual + [.reopen], failing: [.status, .write, .stop, .start, .recover, .open])
    explore("failing calls", setup, states: 33_668, transitions: 71_660)
  }

  @Test("I14: suspend and loss at every point, and starts that come to nothing")
  func mishaps() {
    let setup = MachineSetup(mishaps: [.suspended, .disconnected], dies: true)
    explore("mishaps", setup, states: 56_398, transitions: 137_082)
  }

  @Test("I14: every order of mishaps on a device that says nothing of what it held, and may be busy")
  func forgets() {
    let setup = MachineSetup(
      commands: MachineSetup.usual + [.reopen], failing: [.open], mishaps: [.underrun, .disconnected], forgets: true)
    explore("forgetful device", setup, states: 58_983, transitions: 154_330)
  }

  @Test("B3: every order of play, unplugs and volumes on a device whose radio link may fall silent")
  func stalls() {
    let setup = MachineSetup(commands: [.play, .gain(9), .reopen], edges: [1], stalls: true)
    explore("radio link", setup, states: 82_224, transitions: 245_671)
  }

  @Test("I14: every order of routes, tries and releases, and a device that answers late, with a failure or never")
  func slow() {
    let setup = MachineSetup(
      commands: MachineSetup.usual + [.route(1, gain: 9), .release], devices: [0, 1], failing: [.open], isSlow: true)
    explore("slow device", setup, states: 122_794, transitions: 305_453)
  }

  @Test("B1: every order of routes to and fro, tries and unplugs while the next device is opened, late or never")
  func opensAhead() {
    let setup = MachineSetup(
      commands: [.play, .route(1, gain: 9), .route(0, gain: 9), .vacate(0)], devices: [0, 1], isSlow: true)
    explore("opened ahead", setup, states: 50_185, transitions: 135_892)
  }

  @Test("B3: every order of play and pauses by a person on a device whose radio link may fall silent")
  func stallsAndPauses() {
    let setup = MachineSetup(commands: [.play, .silence(edge: nil)], stalls: true)
    explore("radio link and pauses", setup, states: 25_794, transitions: 60_522)
  }

  @Test("B3: every order of routes away from a device whose radio link may fall silent, and back")
  func stallsWhileLeaving() {
    let setup = MachineSetup(
      commands: [.play, .route(1, gain: 9), .route(0, gain: 9)], devices: [0, 1], isSlow: true, stalls: true)
    explore("radio link that is left", setup, states: 169_647, transitions: 418_142)
  }

  @Test("I14: every order of mishaps, a new output and a device that recovers late, with a failure or never")
  func recoversSlowly() {
    let setup = MachineSetup(
      commands: [.silence(edge: nil), .reopen, .route(1, gain: 9)], devices: [0, 1], failing: [.recover], isSlow: true,
      mishaps: [.underrun])
    explore("slow recovery", setup, states: 189_949, transitions: 485_876)
  }

  @Test("P2: every order of routes to another device, to the same, to none, and releases")
  func routes() {
    let setup = MachineSetup(
      commands: MachineSetup.usual + [.route(1, gain: 9), .route(2, gain: 9), .route(nil, gain: 0), .release],
      devices: [0, 1, 0])
    explore("routes", setup, states: 70_278, transitions: 176_283)
  }

  @Test("R3: every order of routes and devices that die or run dry while they are left, or cannot be opened")
  func leaving() {
    let commands: [EngineCommand] = [.play, .route(1, gain: 9)]
    let dies = MachineSetup(
      commands: commands, devices: [0, 1], failing: [.open, .status], mishaps: [.disconnected])
    explore("leaving", dies, states: 30_127, transitions: 66_427)
    let setup = MachineSetup(commands: commands, devices: [0, 1], mishaps: [.underrun])
    explore("leaving while dry", setup, states: 16_561, transitions: 42_172)
  }

  @Test("P9: every order of loads, of a long track and of one that is nearly over")
  func loads() {
    explore("loads", MachineSetup(loads: true, tracks: [6, 1]), states: 6_065, transitions: 18_253)
  }

  @Test("P9: every order of loads that the decoder hears of long before the engine")
  func posts() {
    let setup = MachineSetup(commands: [], loads: true, posts: true, isLate: true)
    explore("early decoder", setup, states: 34_339, transitions: 76_529)
  }

  @Test("P10: every order over tracks of three, one and two frames")
  func tracks() {
    explore("tracks", MachineSetup(tracks: [3, 1, 2], frame: 0, isLate: true), states: 11_049, transitions: 27_682)
  }

  @Test("D4: every order of volumes and ducks with play and silence, on a device that keeps a margin")
  func gains() {
    let setup = MachineSetup(commands: MachineSetup.usual + [.gain(9), .duck(9, over: .milliseconds(2))], margin: 1)
    explore("gains", setup, states: 13_923, transitions: 35_593)
  }

  @Test("D7: every order of cues over music, paused, paused as of an edge and resumed")
  func cues() {
    let setup = MachineSetup(commands: [.pauseCue(edge: nil), .resumeCue], pauseCueEdges: [1], speaks: true, cue: 1)
    explore("cues", setup, states: 52_406, transitions: 187_356)
  }

  @Test("D7: every order of cues over music on a device that takes nothing back")
  func cuesThatStay() {
    let setup = MachineSetup(commands: [.pauseCue(edge: nil)], speaks: true, cue: 2, rewinds: [0])
    explore("cues that stay", setup, states: 77_402, transitions: 188_778)
  }

  @Test("R3, D7: every order of cues over music and of unplugs, also while a fade of the other is heard")
  func cuesAndEdges() {
    let setup = MachineSetup(
      commands: [.pauseCue(edge: nil), .silence(edge: nil)], edges: [1], pauseCueEdges: [1], speaks: true, tracks: [8],
      cue: 3)
    explore("cues and edges", setup, states: 51_787, transitions: 155_415)
  }

  @Test("I14: every order of cues over music and a device that is lost and comes back")
  func cuesAndLoss() {
    let setup = MachineSetup(commands: [], speaks: true, cue: 2, mishaps: [.disconnected])
    explore("cues and loss", setup, states: 84_742, transitions: 178_924)
  }

  @Test("R12: every order of loads on a device that comes back with another buffer, or at another rate")
  func formats() {
    var setup = MachineSetup(commands: [.play], loads: true, mishaps: [.disconnected])
    let same = PCMFormat(rate: MachineSetup.rate, bufferFrames: MachineSetup.size)
    setup.formats = [same, PCMFormat(rate: MachineSetup.rate, bufferFrames: 2)]
    explore("other buffers", setup, states: 19_516, transitions: 47_471)
    setup.formats = [same, PCMFormat(rate: 2 * MachineSetup.rate, bufferFrames: 6)]
    explore("other rates", setup, states: 15_904, transitions: 38_289)
  }
}
