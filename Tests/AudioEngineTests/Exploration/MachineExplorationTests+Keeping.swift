import AudioSession
import Board
import Testing

@testable import AudioEngine

/// Devices that keep some or all of what is queued, or whose position moves in steps.
extension MachineExplorationTests {
  @Test("R3: every order of silences on a device that takes little or nothing back")
  func kept() {
    var setup = prompt()
    setup.edges = [1]
    setup.rewinds = [1, 0]
    explore("kept", setup, states: 43_092, transitions: 110_917)
  }

  @Test("R3: every order of silences on a device that refuses to take back, by an underrun")
  func refuses() {
    var setup = prompt()
    setup.edges = [1]
    setup.refuses = true
    setup.oversleeps = true
    explore("refusal", setup, states: 274_318, transitions: 886_173)
  }

  @Test("R3: every order of silences, volumes and late wake-ups on a device that takes nothing back")
  func shallow() {
    var setup = holding()
    setup.oversleeps = true
    setup.commands += [.gain(9)]
    explore("shallow queue", setup, states: 239_680, transitions: 793_461)
  }

  @Test("P15, R3: every order of silences and volumes on a device whose position moves in steps")
  func steps() {
    var setup = prompt()
    setup.edges = [1]
    setup.positionStep = 2
    setup.commands += [.gain(9)]
    explore("steps", setup, states: 187_439, transitions: 428_970)
  }

  @Test("P15, R3: every order of silences on a device that takes nothing back and whose position moves in steps")
  func shallowSteps() {
    var setup = holding()
    setup.positionStep = 2
    explore("shallow steps", setup, states: 321_969, transitions: 752_359)
  }

  @Test("P12, P14: every order of silences on a device that takes nothing back and keeps frames behind its buffer")
  func shallowLatency() {
    var setup = holding()
    setup.latency = 2
    setup.formats = [PCMFormat(rate: MachineSetup.rate, bufferFrames: 2 * MachineSetup.size)]
    explore("shallow with latency", setup, states: 11_993, transitions: 32_117)
  }

  @Test("R3: every order of unplugs on a device that takes nothing back and recovers late, with a failure or never")
  func cutsSlowly() {
    var setup = holding()
    setup.isSlow = true
    setup.failing = [.recover, .stop]
    setup.commands = [.play, .reopen, .gain(9)]
    explore("slow cut", setup, states: 71_116, transitions: 185_819)
  }

  @Test("D7: every order of cues over music on a device that takes nothing back, and of unplugs")
  func shallowCues() {
    var setup = prompt()
    setup.speaks = true
    setup.cue = 1
    setup.tracks = [6]
    setup.edges = [1]
    setup.pauseCueEdges = [1]
    setup.takesBack = false
    setup.commands = []
    explore("shallow cues", setup, states: 23_514, transitions: 65_339)
  }

  /// Unplugs, on a device that takes nothing back.
  private func holding() -> MachineSetup {
    var setup = prompt()
    setup.edges = [1]
    setup.takesBack = false
    return setup
  }
}
