import AudioSession
import JSON
import Testing

@testable import FleetMessages

@Suite struct TellingTests {
  @Test("F3: a board is online when broker and firmware are there, and all it tells is retained but events and replies")
  func online() throws {
    var bench = FleetBench()
    bench.feed(.brokerUp)
    #expect(bench.published.first == FleetMessage("jackdaw/b7/status", "offline", isRetained: true))
    bench.feed(.controlUp)
    #expect(bench.sent == ["watch"])
    bench.feed(.line("ok"), .line(FleetBench.board), .line(FleetBench.state()))
    #expect(bench.published.last { $0.topic == "jackdaw/b7/status" }?.payload == "online")
    #expect(try bench.last("info")?["boot"]?.string == "boot-1")
    #expect(try bench.last("info")?["seq"] == nil)
    let state = try bench.last("state")
    #expect(state?["state"]?.string == "stopped" && state?["frame"] == nil && state?["health"] == nil)
    #expect(try bench.last("health")?["problem"]?.bool == false)
    #expect(bench.published.allSatisfy { $0.isRetained })
    #expect(bench.agent.will == FleetMessage("jackdaw/b7/status", "offline", isRetained: true))
    bench.forget()
    bench.feed(.controlDown)
    #expect(bench.published.contains(FleetMessage("jackdaw/b7/status", "offline", isRetained: true)))
    #expect(try bench.last("health")?["problem"]?.bool == true)
  }

  @Test("F3: a broker that was away is told everything again, and nothing twice while it stays")
  func again() throws {
    var bench = FleetBench.up()
    bench.feed(.line(FleetBench.state(seq: 3)))
    bench.wait(.seconds(1))
    #expect(bench.published == [])
    bench.feed(.brokerDown, .brokerUp)
    #expect(Set(bench.published.map(\.topic)).count == 5)
    #expect(
      bench.subscribed == [
        "jackdaw/b7/set/#", "jackdaw/all/set/#", "homeassistant/status", "jackdaw/b7/content", "jackdaw/b7/link",
      ])
  }

  @Test("F3: a firmware that has not said anything yet is not online, and the state of the one before it is not told")
  func next() {
    var bench = FleetBench.up()
    bench.feed(.controlDown, .controlUp, .brokerDown)
    bench.forget()
    bench.feed(.brokerUp)
    #expect(bench.published.first { $0.topic == "jackdaw/b7/status" }?.payload == "offline")
    #expect(bench.count("state") == 0)
  }

  @Test("F3: until the next firmware has said something, nothing of the one before is told as its own")
  func nextSaysNothing() throws {
    var bench = FleetBench.up()
    bench.wait(.seconds(1))
    bench.feed(.line(FleetBench.state("paused", seq: 3)))
    let lost = FleetBench.state(seq: 4).replacing("\"hold\":[]", with: "\"hold\":[\"output-unavailable\"]")
    bench.feed(.line(lost), .controlDown, .controlUp)
    bench.forget()
    bench.wait(.seconds(1))
    #expect(bench.count("state") == 0)
    bench.feed(.brokerDown, .brokerUp)
    #expect(try bench.last("health")?["problems"]?.strings == ["no firmware"])
  }

  @Test("F3: the state is told at once, and ten times a second at most; the last is never left out")
  func pace() throws {
    var bench = FleetBench.up()
    bench.wait(.seconds(1))
    for step in 0..<50 {
      bench.feed(.line(FleetBench.state("playing", seq: step + 3, ",\"n\":\(step)")))
      if step == 0 { #expect(bench.count("state") == 1) }
      bench.wait(.milliseconds(20))
    }
    bench.wait(.seconds(1))
    #expect((10...11).contains(bench.count("state")))
    #expect(try bench.last("state")?["n"]?.integer == 49)
  }

  @Test("F3: an event has the boot and its uptime, and the time of day only where the clock is synchronised")
  func events() throws {
    let line = #"{"seq":3,"type":"event","time":14.5,"level":"info","event":"port.connected","fields":{"port":"usb"}}"#
    var bench = FleetBench.up()
    bench.feed(.line(line))
    let event = try bench.last("event")
    #expect(event?["event"]?.string == "port.connected" && event?["uptime"] == .number("14.5"))
    #expect(event?["boot"]?.string == "boot-1" && event?["fields"]?["port"]?.string == "usb")
    #expect(event?["utc"] == nil && bench.published.last?.isRetained == false)
    bench.utc = 1_795_930_560_250
    bench.feed(.line(line))
    #expect(try bench.last("event")?["utc"]?.string == "2026-11-29T05:36:00.250Z")
  }

  @Test("F4: events wait for a broker that is away, the newest 200 of them, and what was dropped is counted")
  func waiting() throws {
    var bench = FleetBench.up()
    bench.feed(.brokerDown)
    for index in 0..<203 {
      bench.feed(.line(#"{"seq":3,"type":"event","time":\#(index),"level":"info","event":"e","fields":{}}"#))
    }
    #expect(bench.published == [])
    bench.feed(.brokerUp)
    let events = try bench.published.filter { $0.topic.hasSuffix("/event") }.map {
      try JSONValue(parsing: $0.payload.utf8)
    }
    #expect(events.map { $0["uptime"]?.integer } == (3..<203).map { $0 } + [nil])
    #expect(events.last?["fields"]?["n"]?.string == "3")
  }

  @Test("F3: a problem is told at once, figures once a minute")
  func health() throws {
    var bench = FleetBench.up()
    bench.wait(.seconds(10))
    let lost = FleetBench.state(seq: 3).replacing("\"hold\":[]", with: "\"hold\":[\"output-unavailable\"]")
    bench.feed(.line(lost))
    #expect(try bench.last("health")?["problems"]?.strings == ["output-unavailable"])
    bench.feed(.line(FleetBench.state(seq: 4)))
    #expect(try bench.last("health")?["problem"]?.bool == false)
    let faults = "\"saves\":0,\"left-out\":1,\"cue-faults\":1,\"save-failed\":1"
    bench.feed(.line(FleetBench.state(seq: 5).replacing("\"saves\":0", with: faults)))
    #expect(try bench.last("health")?["problems"]?.strings == ["files left out", "cues missing", "state not saved"])
    bench.feed(.line(FleetBench.state(seq: 6)))
    bench.forget()
    for saves in 1...20 {
      bench.feed(.line(FleetBench.state(seq: 4).replacing("\"saves\":0", with: "\"saves\":\(saves)")))
      bench.feed(.temperature(40_000 + saves * 1_000))
      bench.wait(.seconds(10))
    }
    #expect((3...4).contains(bench.count("health")))
  }

  @Test("F3.3: music that cannot be read or is not there is a problem, which is told at once as any other, and its end")
  func withoutMusic() throws {
    var bench = FleetBench.up()
    let lost = FleetBench.state(seq: 3).replacing("\"hold\":[]", with: "\"hold\":[\"storage-unavailable\"]")
    let lostAndEmpty = lost.replacing("\"tracks\":3", with: "\"tracks\":0")
    let empty = FleetBench.state(seq: 5).replacing("\"tracks\":3", with: "\"tracks\":0")
    let steps: [(String, [String])] = [
      (lost, ["storage-unavailable"]), (lostAndEmpty, ["storage-unavailable", "no tracks"]), (empty, ["no tracks"]),
      (FleetBench.state(seq: 6), []),
    ]
    for (line, problems) in steps {
      bench.feed(.line(line))
      #expect(try bench.last("health")?["problems"]?.strings == problems)
      #expect(try bench.last("health")?["problem"]?.bool == !problems.isEmpty)
    }
    #expect(["storage.lost", "library.missing", "library.empty"].allSatisfy(Discovery.events.contains))
  }

  @Test("F3: a firmware that does nothing is asked once; one that does something, once a minute later")
  func asking() throws {
    var bench = FleetBench.up()
    bench.wait(.seconds(61))
    bench.feed(.line("{}"), .line("ok"), .line(FleetBench.counts(1)), .line("ok"))
    #expect(bench.sent == ["status --json", "stats --json"])
    bench.forget()
    bench.wait(.seconds(3_600))
    #expect(bench.sent == [])
    let event = #"{"seq":3,"type":"event","time":1,"level":"info","event":"button.pressed","fields":{}}"#
    for _ in 0..<5 { bench.feed(.line(event)) }
    bench.wait(.seconds(59))
    #expect(bench.sent == [])
    bench.wait(.seconds(2))
    #expect(bench.sent == ["status --json"])
    let asked =
      #"{"seq":4,"type":"event","time":1,"level":"debug","event":"console.command","fields":{"command":"status --json"}}"#
    bench.feed(.line(asked), .line(#"{"state":"stopped","health":{"saves":9,"dropped":2}}"#), .line("ok"))
    #expect(bench.sent == ["status --json", "stats --json"])
    bench.feed(.line("error: stats: unknown command"))
    bench.wait(.seconds(3_600))
    #expect(bench.sent.count == 2 && bench.count("event") == 5)
    #expect(try bench.last("health")?["dropped"]?.integer == 2)
    bench.feed(.line(event))
    bench.wait(.seconds(61))
    #expect(bench.sent.count == 3)
  }

  @Test("a firmware that sends what is no JSON is logged")
  func nonsense() {
    var bench = FleetBench.up()
    bench.feed(.line("{\"seq\":1,oops"), .line("{\"seq\":9,\"type\":\"news\"}"))
    #expect(bench.logged.count == 1 && bench.published == [])
  }

  @Test(
    "days are counted as the calendar does",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
      (1_798_761_599_000, "2026-12-31T23:59:59.000Z"),
    ])
  func days(milliseconds: Int, text: String) { #expect(UTCStamp.text(milliseconds: milliseconds) == text) }
}
