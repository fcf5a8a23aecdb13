import AudioSession
import Board
import BoardFiles
import Jukebox
import TestSupport
import Testing

@testable import Firmware

/// What the lines report, as the brain gets it.
@Suite struct WiringTests {
  /// Lines of which a headset comes and reports its volume.
  private final class Lines: LineSet {
    var volumes: [LineVolume] = []
    var sets: [LineVolume] = []

    var pollDescriptors: [PollDescriptor] { [] }
    func levels() -> [String: Bool] { [:] }
    var waiting = [LineEdge(line: "bluetooth", asserted: true, at: .powerOn)]
    func readEdges(into edges: inout [LineEdge]) {
      edges += waiting
      waiting = []
    }
    func takeVolumes() -> [LineVolume] { volumes }
    func setVolume(of line: String, to level: Int) { sets.append(LineVolume(line: line, level: level)) }
    func set(_ line: String, asserted: Bool) {}
    func close() {}
  }

  @Test("B6: a headset's volume comes before its plug, for its port, and is set on its line")
  func volumes() throws {
    let file = repositoryPath("Tests/SimulatorTests/Scenarios/B6-the-headset's-own-volume.board.toml")
    let lines = Lines()
    lines.volumes = [LineVolume(line: "bluetooth", level: 64), LineVolume(line: "another", level: 1)]
    let wiring = Wiring(lines, of: try BoardFile.read(file))
    let inputs = wiring.takeEdges(at: .powerOn)
    #expect(inputs.first == .headsetVolume(.bluetooth, level: 64))
    #expect(inputs.count == 2)
    wiring.setVolume(of: .bluetooth, to: 30)
    wiring.setVolume(of: .speaker, to: 40)
    #expect(lines.sets == [LineVolume(line: "bluetooth", level: 30)])
  }

  @Test("K1.1: of a key every press reaches the brain, however many come at once; of a contact that chatters few do")
  func keys() throws {
    let text = """
      name = "a"
      rate = 44100
      chip = "c"
      [lines.KEY]
      role = "volume-up"
      device = "knob"
      code = "volumeup"
      [lines.CONTACT]
      role = "play"
      offset = 1
      [ports.speaker]
      sense = "always"
      priority = 1
      pcm = "out"
      """
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(text.utf8), file: "a.toml"))
    lines.waiting = (0..<200).map { index in
      LineEdge(line: index % 4 < 2 ? "KEY" : "CONTACT", asserted: index % 2 == 0, at: .powerOn)
    }
    let inputs = wiring.takeEdges(at: .powerOn)
    #expect(inputs.count { if case .edge(LineID(0), _, _) = $0 { true } else { false } } == 100)
    #expect(inputs.count { if case .edge(LineID(1), _, _) = $0 { true } else { false } } == 3)
  }
}
