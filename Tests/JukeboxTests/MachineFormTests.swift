import AudioSession
import JSON
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct MachineFormTests {
  @Test("F1: status --json has the state with its health, as numbers, lists and names")
  func status() throws {
    let kiosk = Kiosk()
    kiosk.feed(.health(.temperature(48_372)))
    kiosk.type("play", then: .seconds(1))
    kiosk.type("status --json")
    let reply = try JSONValue(parsing: (kiosk.replies.last ?? "").utf8)
    #expect(reply == kiosk.status.json)
    #expect(reply["state"]?.string == "playing" && reply["route"]?.string == "speaker")
    #expect(reply["track"]?.integer == 1 && reply["hold"] == .array([]) && reply["prompt"]?.bool == false)
    #expect(reply["frame"]?.integer == kiosk.status.frame && reply["cue"] == .null)
    #expect(reply["health"]?["uptime"]?.integer == 1 && reply["health"]?["temperature"] == .number("48.3"))
  }

  @Test("F8: stats --json counts what was heard until now, and is another reply than stats")
  func statistics() {
    let kiosk = Kiosk()
    kiosk.type("stats --json")
    #expect(kiosk.replies.last == "stats json")
    kiosk.type("stats")
    #expect(kiosk.replies.last == "stats text")
    kiosk.type("stats --jason")
    #expect(kiosk.replies.last?.hasPrefix("error: ") == true)
  }

  @Test("F1: the playlists are in the state, as many as a reply holds")
  func playlists() {
    var status = Kiosk().status
    #expect(status.json["playlists"]?.strings == [] && status.json["playlist"] == .null)
    (status.playlist, status.playlists) = ("day", (0..<500).map { "playlist \($0)" })
    let told = status.json["playlists"]?.strings ?? []
    #expect(status.json["playlist"]?.string == "day" && (100..<200).contains(told.count))
    #expect(told == Array(status.playlists.prefix(told.count)))
  }

  @Test("F1: what moves by itself is no change of the state, and what people do is one")
  func clocks() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .milliseconds(100))
    let before = kiosk.status
    kiosk.wait(.seconds(1))
    #expect(kiosk.status != before && kiosk.status.withoutClocks == before.withoutClocks)
    kiosk.type("volume 41")
    #expect(kiosk.status.withoutClocks != before.withoutClocks)
  }

  @Test("F1: an event has its fields as in the log, whatever is in them")
  func event() throws {
    let event = Event(.trackStarted, .info, ["file": "a \"b\"\nü.mp3", "frame": "0", "title": nil])
    let json = try JSONValue(parsing: event.json(at: .powerOn + .microseconds(2_030_001)).text.utf8)
    #expect(json["time"] == .number("2.030001") && json["event"]?.string == "track.started")
    #expect(json["fields"]?.members.map(\.name) == ["file", "frame"])
    #expect(json["fields"]?["file"]?.string == "a \"b\"\nü.mp3")
  }
}
