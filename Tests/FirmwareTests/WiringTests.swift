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
    func readEdges(into edges: inout [LineEdge]) {
      edges.append(LineEdge(line: "bluetooth", asserted: true, at: .powerOn))
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
}
