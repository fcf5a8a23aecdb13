import AudioSession
import Jukebox
import Testing

@testable import SimulationTesting

@Suite struct VolumeCommandTests {
  private static let ports = [
    OutputPort(port: .headphones, sense: .line("JACK"), priority: 30, isPrivate: true, ceiling: 80),
    OutputPort(port: .speaker, sense: .always, priority: 10, isPrivate: false),
  ]

  @Test(
    "K7.1, R13: the port that is named or the route's, a number or a step, up to the ceiling",
    arguments: [
      ("volume 30", "speaker", "30"), ("volume +5", "speaker", "65"), ("volume -70", "speaker", "0"),
      ("volume headphones 90", "headphones", "80"), ("volume headphones -1", "headphones", "59"),
    ])
  func changes(command: String, port: String, volume: String) throws {
    let model = try #require(VolumeCommand(command.split(separator: " "), route: .speaker))
    func row(_ port: String, _ volume: String) -> String? {
      let event = Event(.volumeChanged, .info, ["port": port, "volume": volume, "from": "60"])
      return model.check(event, ports: Self.ports)?.row
    }
    #expect(row(port, volume) == nil)
    #expect(row(port, "61") == "K7.1")
    #expect(row(port == "speaker" ? "headphones" : "speaker", volume) == "K7.1")
  }
}
