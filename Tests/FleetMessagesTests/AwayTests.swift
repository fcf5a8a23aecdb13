import AudioSession
import JSON
import Testing

@testable import FleetMessages

/// The way to the centre is down, and what the board has counted and been brought meanwhile.
@Suite struct AwayTests {
  private static let link = "jackdaw/b7/link"

  private static func event(_ name: String, _ time: Int, _ fields: String = "{}") -> FleetAgent.Input {
    .line(#"{"seq":3,"type":"event","time":\#(time),"level":"info","event":"\#(name)","fields":\#(fields)}"#)
  }

  /// Replies to what the firmware is asked, with these periods.
  private static func reply(_ bench: inout FleetBench, _ periods: [String]) {
    bench.wait(.seconds(61))
    bench.feed(.line("{}"), .line("ok"))
    for period in periods { bench.feed(.line(period)) }
    bench.feed(.line("ok"))
  }

  @Test("F4: while the centre is out of reach only events are told, so that its queue has room for them; then the rest")
  func linkDown() throws {
    var bench = FleetBench.up()
    bench.feed(.message(FleetMessage(Self.link, "0", isRetained: true)))
    for index in 0..<1_000 {
      bench.feed(Self.event("volume.changed", index), .line(FleetBench.state("playing", seq: 3, ",\"n\":\(index)")))
      bench.wait(.seconds(1))
    }
    #expect(bench.published.count == 1_000 && bench.count("event") == 1_000)
    bench.feed(.message(FleetMessage(Self.link, "1", isRetained: true)))
    #expect(bench.count("state") == 1 && bench.count("event") == 1_000)
    #expect(try bench.last("state")?["n"]?.integer == 999)
  }

  @Test("F4.1: weeks of events leave room in the broker's queue for each day's counts, and those beyond are counted")
  func longAway() throws {
    var bench = FleetBench.up()
    bench.feed(.message(FleetMessage(Self.link, "0", isRetained: true)))
    for index in 0..<4_100 { bench.feed(Self.event("volume.changed", index)) }
    #expect(bench.count("event") == 4_000)
    bench.command("play")
    bench.feed(.line("ok"))
    for period in [[1], [1, 2]] {
      bench.feed(Self.event("track.started", 1))
      Self.reply(&bench, period.map { FleetBench.counts($0) })
    }
    #expect(bench.count("reply") == 1 && bench.count("stats") == 1)
    bench.forget()
    bench.feed(.message(FleetMessage(Self.link, "1", isRetained: true)), Self.event("volume.changed", 1))
    let events = try bench.published.filter { $0.topic.hasSuffix("/event") }.map {
      try JSONValue(parsing: $0.payload.utf8)
    }
    #expect(events.map { $0["event"]?.string } == ["fleet.dropped", "volume.changed"])
    #expect(events.first?["fields"]?["n"]?.string == "102")
    // It begins anew, and does not end while the centre is reached.
    for index in 0..<4_100 { bench.feed(Self.event("volume.changed", index)) }
    #expect(bench.count("event") == 4_102)
    bench.feed(.message(FleetMessage(Self.link, "0", isRetained: true)), Self.event("volume.changed", 1))
    #expect(bench.count("event") == 4_103)
  }

  @Test("F3: what the firmware has said last reaches the centre, also where it has ended before the link came back")
  func lastState() throws {
    var bench = FleetBench.up()
    bench.feed(.message(FleetMessage(Self.link, "0", isRetained: true)))
    bench.feed(.line(FleetBench.state("paused", seq: 3)), .controlDown)
    bench.wait(.seconds(1))
    bench.feed(.message(FleetMessage(Self.link, "1", isRetained: true)))
    #expect(try bench.last("state")?["state"]?.string == "paused")
    #expect(bench.published.contains(FleetMessage("jackdaw/b7/status", "offline", isRetained: true)))
  }

  @Test("F3: when the bridge has sent what the broker had kept, everything is told again, once")
  func retelling() {
    var bench = FleetBench.up()
    bench.feed(.message(FleetMessage(Self.link, "1", isRetained: true)))
    bench.wait(.seconds(4))
    #expect(bench.published == [])
    bench.wait(.seconds(1))
    #expect(Set(bench.published.map(\.topic)).count == 5)
    #expect(bench.published.contains(FleetMessage("jackdaw/b7/status", "online", isRetained: true)))
    bench.forget()
    bench.wait(.seconds(50))
    #expect(bench.published == [])
  }

  @Test("F8: a week offline: every day's counts are told as they were at its end, the current ones afterwards")
  func week() throws {
    var bench = FleetBench.up()
    bench.feed(.message(FleetMessage(Self.link, "0", isRetained: true)))
    for day in 1...7 {
      // Each day is asked after several times while it grows, and once after the next one has begun.
      for starts in 1...5 {
        bench.feed(Self.event("track.started", day))
        let former = day == 1 ? [] : [FleetBench.counts(day - 1, starts: 5)]
        Self.reply(&bench, former + [FleetBench.counts(day, starts: starts)])
      }
    }
    bench.feed(.message(FleetMessage(Self.link, "1", isRetained: true)))
    Self.reply(&bench, [6, 7].map { FleetBench.counts($0, starts: 5) })
    let told = bench.published.filter { $0.topic == "jackdaw/b7/stats" }
    // The last ones may have been dropped where the queue was full.
    #expect(told.map(\.payload) == ([1, 2, 3, 4, 5, 6] + [6, 7]).map { FleetBench.counts($0, starts: 5) })
    #expect(told.allSatisfy { $0.isRetained })
  }

  @Test("F8: counts that have not changed are told once, those that have whenever the firmware was asked")
  func counts() {
    var bench = FleetBench.up()
    for starts in [1, 1, 2] {
      bench.feed(Self.event("track.started", 1))
      Self.reply(&bench, [FleetBench.counts(1, starts: starts)])
    }
    #expect(bench.count("stats") == 2)
    bench.feed(.brokerDown, .brokerUp)
    Self.reply(&bench, [FleetBench.counts(1, starts: 2)])
    #expect(bench.count("stats") == 3)
  }

  @Test("F8: the state has the visits and listens of the current period only, and is told again when they have changed")
  func today() throws {
    var bench = FleetBench.up()
    bench.wait(.seconds(1))
    bench.feed(.line(FleetBench.state("playing", seq: 3)))
    #expect(try bench.last("state")?["today"] == .null)
    for periods in [[(1, 3)], [(1, 3)], [(1, 4), (2, 0)]] {
      bench.feed(Self.event("track.started", 1))
      Self.reply(&bench, periods.map { FleetBench.counts($0.0, starts: $0.1) })
      bench.wait(.seconds(1))
    }
    let told = try bench.published.filter { $0.topic == "jackdaw/b7/state" }.compactMap {
      try JSONValue(parsing: $0.payload.utf8)["today"]
    }
    #expect(
      told == [
        .null, ["period": "2026-11-11", "visits": .integer(4), "listens": .integer(3)],
        ["period": "2026-11-12", "visits": .integer(1), "listens": .integer(0)],
      ])
    bench.feed(.line(FleetBench.state("stopped", seq: 4)))
    #expect(try bench.last("state")?["today"]?["visits"]?.integer == 1)
  }

  @Test("F9: what is installed or refused is told, and the exhibition stays known, also when this program starts anew")
  func content() throws {
    var bench = FleetBench.up()
    #expect(bench.count("content") == 0)
    bench.feed(Self.event("content.reading", 1), .line(FleetBench.state(seq: 3, #","lamp":"flicker""#)))
    #expect(try bench.last("content")?["state"]?.string == "reading")
    bench.feed(Self.event("content.installed", 2, #"{"name":"exhibition_7"}"#))
    #expect(try bench.last("content")?["exhibition"]?.string == "exhibition_7")
    bench.feed(Self.event("content.installed", 3, #"{"name":"jackdaw 0.2"}"#))
    bench.feed(Self.event("content.refused", 4, #"{"reason":"bad signature"}"#))
    let refused = try bench.last("content")
    #expect(refused?["state"]?.string == "refused" && refused?["reason"]?.string == "bad signature")
    #expect(refused?["exhibition"]?.string == "exhibition_7" && refused?["name"] == .null)
    var next = FleetBench.up()
    next.feed(.message(FleetMessage("jackdaw/b7/content", refused?.text ?? "", isRetained: true)))
    #expect(next.count("content") == 0)
    next.feed(Self.event("content.reading", 1), .line(FleetBench.state(seq: 3, #","lamp":"flicker""#)))
    // A recording is shown instead.
    next.feed(.line(FleetBench.state(seq: 4, #","lamp":"on","recording":true"#)))
    #expect(try next.last("content")?["state"]?.string == "reading")
    next.feed(.line(FleetBench.state(seq: 5, #","lamp":"on""#)))
    #expect(try next.last("content")?["state"]?.string == "idle")
    #expect(try next.last("content")?["exhibition"]?.string == "exhibition_7")
  }

  @Test("F9: a board whose program ended while it read is not said to read for ever")
  func interrupted() throws {
    var bench = FleetBench.up()
    let kept = #"{"state":"reading","exhibition":"exhibition_7","name":null,"reason":null}"#
    bench.feed(.message(FleetMessage("jackdaw/b7/content", kept, isRetained: true)))
    #expect(try bench.last("content")?["state"]?.string == "idle")
    for nonsense in ["", "[]", "{\"state\":\"x\"}", "oops"] {
      var other = FleetBench.up()
      other.feed(.message(FleetMessage("jackdaw/b7/content", nonsense, isRetained: true)))
      #expect(other.published == [])
    }
  }

  @Test("F3: a board whose firmware has no room for one more that watches is asked again, and said so once")
  func watchRefused() {
    var bench = FleetBench()
    bench.feed(.brokerUp, .controlUp)
    for _ in 0..<3 {
      bench.feed(.line("error: watch: 16 watch already"))
      bench.wait(.seconds(5))
    }
    #expect(bench.sent.filter { $0 == "watch" }.count == 4 && bench.logged.count == 1)
    bench.feed(.line("ok"))
    bench.wait(.seconds(30))
    #expect(bench.sent.filter { $0 == "watch" }.count == 4)
  }
}
