import Board
import Testing

@testable import AudioEngine

/// Devices that keep some or all of what is queued, or whose position moves in steps.
extension MachineExplorationTests {
  @Test("R3: every order of silences on a device that takes little or nothing back")
  func kept() {
    explore("kept", MachineSetup(edges: [1], rewinds: [1, 0]), states: 43_092, transitions: 110_917)
  }

  @Test("R3: every order of silences on a device that refuses to take back, by an underrun")
  func refuses() {
    explore("refusal", MachineSetup(edges: [1], refuses: true, oversleeps: true), states: 274_318, transitions: 886_173)
  }

  @Test("R3: every order of silences, volumes and late wake-ups on a device that takes nothing back")
  func shallow() {
    let setup = MachineSetup(commands: MachineSetup.usual + [.gain(9)], edges: [1], takesBack: false, oversleeps: true)
    explore("shallow queue", setup, states: 239_680, transitions: 793_461)
  }

  @Test("P15, R3: every order of silences and volumes on a device whose position moves in steps")
  func steps() {
    let setup = MachineSetup(commands: MachineSetup.usual + [.gain(9)], edges: [1], positionStep: 2)
    explore("steps", setup, states: 187_439, transitions: 428_970)
  }

  @Test("P15, R3: every order of silences on a device that takes nothing back and whose position moves in steps")
  func shallowSteps() {
    let setup = MachineSetup(edges: [1], takesBack: false, positionStep: 2)
    explore("shallow steps", setup, states: 321_969, transitions: 752_359)
  }

  @Test("P12, P14: every order of silences on a device that takes nothing back and keeps frames behind its buffer")
  func shallowLatency() {
    let setup = MachineSetup(
      edges: [1], takesBack: false, latency: 2,
      formats: [PCMFormat(rate: MachineSetup.rate, bufferFrames: 2 * MachineSetup.size)])
    explore("shallow with latency", setup, states: 11_993, transitions: 32_117)
  }

  @Test("R3: every order of unplugs on a device that takes nothing back and recovers late, with a failure or never")
  func cutsSlowly() {
    let setup = MachineSetup(
      commands: [.play, .reopen, .gain(9)], edges: [1], failing: [.recover, .stop], isSlow: true, takesBack: false)
    explore("slow cut", setup, states: 71_116, transitions: 185_819)
  }

  @Test("D7: every order of cues over music on a device that takes nothing back, and of unplugs")
  func shallowCues() {
    let setup = MachineSetup(
      commands: [], edges: [1], pauseCueEdges: [1], speaks: true, tracks: [6], cue: 1, takesBack: false)
    explore("shallow cues", setup, states: 23_514, transitions: 65_339)
  }
}
