import AudioSession
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

  /// With decoders that are never late.
  func prompt() -> MachineSetup {
    var setup = MachineSetup()
    setup.isLate = false
    return setup
  }

  @Test("a new field of the machine is part of the key, or is left out for a reason")
  func key() {
    let machine = OutputMachine(MachineSetup().machine)
    // Left out: the setup; how much a filling found free, which counts only where a frame is short of a millisecond;
    // that a device has stood still, which takes seconds; what it reported (`reported`), which every pass reads anew;
    // what the sides play, which no decision depends on (`matrices`, `matrix`); and what is only reported (`now`,
    // `decoded` and `notices` between two calls, `startedAt` of a voice).
    #expect(
      fields(of: machine) == [
        "setup", "rate", "state", "now", "decoded", "music", "cue", "cursor", "progress", "device", "output", "held",
        "pendingRoute", "ahead", "openBy", "wantsRelease", "isReleased", "hasCue", "isCueReported", "futileStarts",
        "refusals",
        "isRevived", "hasStoodStill", "awaited", "margins", "matrices", "matrix", "isAsked", "late", "notices",
      ])
    #expect(
      fields(of: machine.music) == [
        "capacity", "decoded", "state", "gains", "boundaries", "stream", "load", "isForgotten", "isAwaitingStream",
        "early",
        "place", "passage", "startedAt", "awaitsSilence", "startBy",
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
  func plain() { explore("plain", MachineSetup(), states: 8_112, transitions: 19_487) }

  @Test("R3: every order of play and silence as of an edge some time ago")
  func edges() {
    var setup = prompt()
    setup.commands = [.play]
    setup.edges = [0, 1, 2]
    explore("edges", setup, states: 43_005, transitions: 132_875)
  }

  @Test("P12: every order with writes that are refused or taken in part")
  func shortWrites() {
    var setup = prompt()
    setup.takesLess = true
    explore("short writes", setup, states: 26_255, transitions: 59_102)
  }

  @Test("P12: every order with a position that may be old, on a device that polls")
  func oldStamps() {
    var setup = MachineSetup()
    setup.hasOldStamps = true
    setup.polls = true
    explore("old stamps", setup, states: 34_650, transitions: 77_344)
  }

  @Test("I14: every call fails at every point")
  func failing() {
    var setup = prompt()
    setup.failing = [.status, .write, .stop, .start, .recover, .open]
    setup.commands += [.reopen]
    explore("failing calls", setup, states: 33_668, transitions: 71_660)
  }

  @Test("I14: suspend and loss at every point, and starts that come to nothing")
  func mishaps() {
    var setup = prompt()
    setup.mishaps = [.suspended, .disconnected]
    setup.dies = true
    explore("mishaps", setup, states: 56_398, transitions: 137_082)
  }

  @Test("I14: every order of mishaps on a device that says nothing of what it held, and may be busy")
  func forgets() {
    var setup = prompt()
    setup.mishaps = [.underrun, .disconnected]
    setup.forgets = true
    setup.failing = [.open]
    setup.commands += [.reopen]
    explore("forgetful device", setup, states: 58_983, transitions: 154_330)
  }

  @Test("B3: every order of play, unplugs and volumes on a device whose radio link may fall silent")
  func stalls() {
    var setup = prompt()
    setup.stalls = true
    setup.edges = [1]
    setup.commands = [.play, .gain(9), .reopen]
    explore("radio link", setup, states: 82_224, transitions: 245_671)
  }

  @Test("I14: every order of routes, tries and releases, and a device that answers late, with a failure or never")
  func slow() {
    var setup = prompt()
    setup.isSlow = true
    setup.devices = [0, 1]
    setup.failing = [.open]
    setup.commands += [.route(1, gain: 9), .release]
    explore("slow device", setup, states: 122_794, transitions: 305_453)
  }

  @Test("B1: every order of routes to and fro, tries and unplugs while the next device is opened, late or never")
  func opensAhead() {
    var setup = prompt()
    setup.isSlow = true
    setup.devices = [0, 1]
    setup.commands = [.play, .route(1, gain: 9), .route(0, gain: 9), .vacate(0)]
    explore("opened ahead", setup, states: 50_185, transitions: 135_892)
  }

  @Test("B3: every order of play and pauses by a person on a device whose radio link may fall silent")
  func stallsAndPauses() {
    var setup = prompt()
    setup.stalls = true
    setup.commands = [.play, .silence(edge: nil)]
    explore("radio link and pauses", setup, states: 25_794, transitions: 60_522)
  }

  @Test("B3: every order of routes away from a device whose radio link may fall silent, and back")
  func stallsWhileLeaving() {
    var setup = prompt()
    setup.stalls = true
    setup.devices = [0, 1]
    setup.isSlow = true
    setup.commands = [.play, .route(1, gain: 9), .route(0, gain: 9)]
    explore("radio link that is left", setup, states: 169_647, transitions: 418_142)
  }

  @Test("I14: every order of mishaps, a new output and a device that recovers late, with a failure or never")
  func recoversSlowly() {
    var setup = prompt()
    setup.isSlow = true
    setup.devices = [0, 1]
    setup.mishaps = [.underrun]
    setup.failing = [.recover]
    setup.commands += [.reopen, .route(1, gain: 9)]
    setup.commands.removeFirst()
    explore("slow recovery", setup, states: 189_949, transitions: 485_876)
  }

  @Test("P2: every order of routes to another device, to the same, to none, and releases")
  func routes() {
    var setup = prompt()
    setup.devices = [0, 1, 0]
    setup.commands += [.route(1, gain: 9), .route(2, gain: 9), .route(nil, gain: 0), .release]
    explore("routes", setup, states: 70_278, transitions: 176_283)
  }

  @Test("R3: every order of routes and devices that die or run dry while they are left, or cannot be opened")
  func leaving() {
    var setup = prompt()
    setup.devices = [0, 1]
    setup.mishaps = [.disconnected]
    setup.failing = [.open, .status]
    setup.commands = [.play, .route(1, gain: 9)]
    explore("leaving", setup, states: 30_127, transitions: 66_427)
    setup.mishaps = [.underrun]
    setup.failing = []
    explore("leaving while dry", setup, states: 16_561, transitions: 42_172)
  }

  @Test("P9: every order of loads, of a long track and of one that is nearly over")
  func loads() {
    var setup = prompt()
    setup.loads = true
    setup.tracks = [6, 1]
    explore("loads", setup, states: 6_065, transitions: 18_253)
  }

  @Test("P9: every order of loads that the decoder hears of long before the engine")
  func posts() {
    var setup = MachineSetup()
    setup.loads = true
    setup.posts = true
    setup.commands = []
    explore("early decoder", setup, states: 34_339, transitions: 76_529)
  }

  @Test("P10: every order over tracks of three, one and two frames")
  func tracks() {
    var setup = MachineSetup()
    setup.frame = 0
    setup.tracks = [3, 1, 2]
    explore("tracks", setup, states: 11_049, transitions: 27_682)
  }

  @Test("D4: every order of volumes and ducks with play and silence, on a device that keeps a margin")
  func gains() {
    var setup = prompt()
    setup.margin = 1
    setup.commands += [.gain(9), .duck(9, over: .milliseconds(2))]
    explore("gains", setup, states: 13_923, transitions: 35_593)
  }

  @Test("D7: every order of cues over music, paused, paused as of an edge and resumed")
  func cues() {
    var setup = prompt()
    setup.speaks = true
    setup.cue = 1
    setup.pauseCueEdges = [1]
    setup.commands = [.pauseCue(edge: nil), .resumeCue]
    explore("cues", setup, states: 52_406, transitions: 187_356)
  }

  @Test("D7: every order of cues over music on a device that takes nothing back")
  func cuesThatStay() {
    var setup = prompt()
    setup.speaks = true
    setup.cue = 2
    setup.rewinds = [0]
    setup.commands = [.pauseCue(edge: nil)]
    explore("cues that stay", setup, states: 77_402, transitions: 188_778)
  }

  @Test("R3, D7: every order of cues over music and of unplugs, also while a fade of the other is heard")
  func cuesAndEdges() {
    var setup = prompt()
    setup.speaks = true
    setup.cue = 3
    setup.tracks = [8]
    setup.edges = [1]
    setup.pauseCueEdges = [1]
    setup.commands = [.pauseCue(edge: nil), .silence(edge: nil)]
    explore("cues and edges", setup, states: 51_787, transitions: 155_415)
  }

  @Test("I14: every order of cues over music and a device that is lost and comes back")
  func cuesAndLoss() {
    var setup = prompt()
    setup.speaks = true
    setup.cue = 2
    setup.commands = []
    setup.mishaps = [.disconnected]
    explore("cues and loss", setup, states: 84_742, transitions: 178_924)
  }

  @Test("R12: every order of loads on a device that comes back with another buffer, or at another rate")
  func formats() {
    var setup = prompt()
    setup.loads = true
    setup.commands = [.play]
    setup.mishaps = [.disconnected]
    let same = PCMFormat(rate: MachineSetup.rate, bufferFrames: MachineSetup.size)
    setup.formats = [same, PCMFormat(rate: MachineSetup.rate, bufferFrames: 2)]
    explore("other buffers", setup, states: 19_516, transitions: 47_471)
    setup.formats = [same, PCMFormat(rate: 2 * MachineSetup.rate, bufferFrames: 6)]
    explore("other rates", setup, states: 15_904, transitions: 38_289)
  }
}
