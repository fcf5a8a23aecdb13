import AudioSession
import JSON
import Testing

@testable import FleetMessages

@Suite struct ObeyingTests {
  @Test(
    "F5: a command is given to the firmware as the console's line",
    arguments: [
      ("volume", "40", "volume 40"), ("pause", "press", "pause"), ("play", "", "start"), ("start", "", "start"),
      ("volume/headphones", "+5", "volume headphones +5"),
      ("token", "A7", "token A7"), ("next", "", "next"),
      ("stop", "PRESS", "stop"), ("route", "auto", "route auto"), ("track", "a waltz.mp3", "track a waltz.mp3"),
      ("page", "begin", "interrupt begin page"), ("page", "end", "interrupt end page resume"),
      ("cue", "welcome", "cue welcome"), ("playlist", "Évening", "playlist Évening"), ("reload", "", "reload"),
      ("hours", "open", "hours open"), ("hours", "closed", "hours closed"), ("hours", "auto", "hours auto"),
      ("sleep", "30min", "sleep 30min"), ("sleep", "off", "sleep off"),
      ("requests", "clear", "requests clear"), ("credits", "+6", "credits +6"),
    ])
  func lines(verb: String, payload: String, line: String) throws {
    var bench = FleetBench.up()
    bench.command(verb, payload)
    #expect(bench.sent == [line])
    bench.feed(.line("volume 60: the ceiling of speaker"), .line("ok"))
    let reply = try bench.last("reply")
    #expect(reply?["command"]?.string == line && reply?["ok"]?.bool == true)
    #expect(reply?["lines"]?.strings == ["volume 60: the ceiling of speaker"])
    #expect(bench.published.last?.isRetained == false)
  }

  @Test(
    "F5: a bad command is refused and replied to, and the firmware hears nothing of it",
    arguments: [
      ("frob", "1"), ("volume", ""), ("volume", "  "), ("volume", "4\nstop"),
      ("track", String(repeating: "x", count: 201)),
      ("page", "now"), ("update", ""), ("content", ""), ("cue", "\u{1B}[2J"), ("", ""), ("volume/x", "1"),
      ("hours", ""), ("hours", "opened"), ("sleep", ""),
      ("requests", ""), ("requests", "drop"), ("credits", ""), ("credits", "6"), ("credits", "+0"),
      ("credits", "+1000"), ("credits", "-1"), ("credits", "++1"), ("credits", "+-1"),
    ])
  func bad(verb: String, payload: String) throws {
    var bench = FleetBench.up()
    bench.command(verb, payload)
    #expect(bench.sent == [] && bench.logged.count == 1)
    #expect(try bench.last("reply")?["ok"]?.bool == false)
  }

  @Test("F6: a command that arrives retained is refused and logged, whatever it is")
  func retained() throws {
    var bench = FleetBench.up()
    bench.command("stop", isRetained: true)
    bench.command("stop", isRetained: true, to: "jackdaw/all")
    #expect(bench.sent == [] && bench.logged.count == 2)
    #expect(try bench.last("reply")?["error"]?.string?.contains("retained") == true)
    // The board's own broker keeps it no longer, and what takes it back is not a command.
    bench.command("volume", "5", isRetained: true)
    let taken = FleetMessage("jackdaw/b7/set/volume", "", isRetained: true)
    #expect(bench.published.filter(\.isRetained) == [taken] && bench.logged.count == 3)
    // As by a slider: each is taken back, and the broker says each once more.
    bench.command("volume", "6", isRetained: true)
    bench.forget()
    bench.feed(.message(taken), .message(taken))
    #expect(bench.published == [] && bench.logged == [])
    var direct = FleetBench.up { $0.isDirect = true }
    direct.command("volume", "5", isRetained: true)
    #expect(direct.published.filter(\.isRetained) == [])
  }

  @Test("F5: commands for all and for its groups are obeyed, those for others are not, nor any by one that only tells")
  func groups() {
    var bench = FleetBench.up { $0.groups = ["hall", "north"] }
    bench.command("pause", to: "jackdaw/all")
    bench.feed(.line("ok"))
    bench.command("next", to: "jackdaw/group/north")
    bench.feed(.line("ok"))
    for other in ["jackdaw/b8", "jackdaw/group/south", "jackdaw/b7/set", "homeassistant"] {
      bench.command("stop", to: other)
    }
    #expect(bench.sent == ["pause", "next"])
    var telling = FleetBench { $0.tellsOnly = true }
    telling.feed(.brokerUp, .controlUp, .line("ok"), .line(FleetBench.board), .line(FleetBench.state()))
    #expect(telling.subscribed == ["homeassistant/status", "jackdaw/b7/content", "jackdaw/b7/link"])
    telling.forget()
    telling.command("stop")
    #expect(telling.sent == [] && telling.published == [])
  }

  @Test("F5: commands take turns: each when the one before is replied to, sixteen wait, more are refused")
  func turns() throws {
    var bench = FleetBench.up()
    for volume in 1...20 { bench.command("volume", "\(volume)") }
    #expect(bench.sent == ["volume 1"] && bench.logged.count == 3)
    for _ in 1...20 { bench.feed(.line("ok")) }
    #expect(bench.sent == (1...17).map { "volume \($0)" })
    #expect(bench.count("reply") == 20)
  }

  @Test(
    "F5: a command for a firmware that is gone, or ends before it replies, is refused and not given to the next one")
  func gone() throws {
    var bench = FleetBench.up()
    bench.command("next")
    bench.command("stop")
    bench.feed(.controlDown)
    #expect(bench.count("reply") == 2)
    bench.command("pause")
    bench.feed(.controlUp)
    #expect(bench.sent == ["next", "watch"] && bench.count("reply") == 3)
    #expect(try bench.last("reply")?["ok"]?.bool == false)
  }

  @Test("F5: play means play: a second one does not pause")
  func play() throws {
    var bench = FleetBench.up()
    bench.feed(.line(FleetBench.state("playing", seq: 3)))
    bench.command("play")
    #expect(bench.sent == ["start"])
  }

  @Test("F9: a board that can look for content does so once a minute at most, by either command and no retained one")
  func looking() throws {
    var bench = FleetBench.up { $0.canLook = true }
    bench.command("content", isRetained: true)
    #expect(bench.looks == 0)
    bench.lookRefusal = "/run/look: No space left on device"
    bench.command("content", "press")
    #expect(try bench.last("reply")?["error"]?.string == bench.lookRefusal)
    bench.lookRefusal = nil
    bench.command("content", "press")
    #expect(bench.looks == 1 && bench.sent == [])
    #expect(try bench.last("reply")?["ok"]?.bool == true)
    bench.wait(.seconds(59))
    bench.command("update")
    #expect(bench.looks == 1)
    #expect(try bench.last("reply")?["error"]?.string?.contains("less than a minute") == true)
    bench.wait(.seconds(2))
    bench.command("update")
    #expect(bench.looks == 2)
    // The minute is that after the last look.
    bench.command("content")
    #expect(bench.looks == 2)
  }

  @Test("F9.1: boards that are asked to look together do so at times of their own, which each says; one alone, at once")
  func lookingTogether() throws {
    var delays: Set<Duration> = []
    for index in 0..<50 {
      var bench = FleetBench.up { ($0.id, $0.groups, $0.canLook) = ("board-\(index)", ["hall"], true) }
      bench.command("content", to: index.isMultiple(of: 2) ? "jackdaw/all" : "jackdaw/group/hall")
      delays.insert(try #require(bench.agent.lookDue) - bench.now)
      bench.command("update", to: "jackdaw/all")
      #expect(bench.looks == 0 && bench.logged.count == 1)
      bench.wait(.seconds(1_800))
      #expect(bench.looks == 1 && bench.agent.lookDue == nil)
    }
    #expect(delays.count > 10 && delays.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(1_800) })
    var bench = FleetBench.up { $0.canLook = true }
    bench.command("content", to: "jackdaw/all")
    let seconds = try #require(bench.agent.lookDue) - bench.now
    let lines = try bench.last("reply")?["lines"]?.strings
    #expect(lines == ["the board looks for newer content and software in \(seconds.components.seconds) s"])
    bench.command("content")
    #expect(bench.looks == 1)
    bench.wait(.seconds(1_800))
    #expect(bench.looks == 1)
  }

  @Test("F7: a board announces itself once, and again after Home Assistant's birth, each at a time of its own")
  func birth() throws {
    var delays: Set<Duration> = []
    for index in 0..<50 {
      var bench = FleetBench.up { $0.id = "board-\(index)" }
      let start = bench.now
      bench.feed(.message(FleetMessage("homeassistant/status", "online")))
      #expect(bench.published == [])
      let due = try #require(bench.agent.nextWake)
      delays.insert(due - start)
      bench.wait(.seconds(31))
      #expect(bench.published.map(\.topic) == ["homeassistant/device/board-\(index)/config"])
    }
    #expect(delays.count > 10 && delays.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(30) })
  }

  @Test("F7: Home Assistant's message names every entity once, and none is a media player")
  func discovery() throws {
    var bench = FleetBench()
    bench.feed(.controlUp, .line("ok"), .line(FleetBench.board), .line(FleetBench.state()), .brokerUp)
    let message = try #require(bench.published.first { $0.topic == "homeassistant/device/b7/config" })
    #expect(message.isRetained)
    let json = try JSONValue(parsing: message.payload.utf8)
    let entities = try #require(json["cmps"]).members
    let names = Set(entities.map(\.name))
    #expect(names.isSuperset(of: ["state", "track", "temperature", "problem", "plug_headphones", "volume", "event"]))
    #expect(names.isSuperset(of: ["play", "stop", "page", "page_end", "route", "software", "exhibition"]))
    #expect(names.isSuperset(of: ["visits", "listens"]))
    #expect(!names.contains("playlist") && names.count == entities.count)
    // Home Assistant removes what has nothing but its platform.
    let gone = entities.filter { $0.value.members.count == 1 }
    let plugs = Port.allCases.filter { $0 != .headphones }.map { "plug_\($0.rawValue)" }
    let optional = ["look", "hours_state", "hours", "requests_waiting", "credits", "clear_requests"]
    #expect(Set(gone.map(\.name)) == Set(plugs + optional))
    #expect(entities.allSatisfy { $0.value["p"]?.string.map { $0 != "media_player" } ?? false })
    let ids = Set(entities.compactMap { $0.value["uniq_id"]?.string })
    #expect(ids.count == entities.count - gone.count && message.payload.utf8.count < 16_384)
    #expect(json["o"]?["name"]?.string == "jackdaw-fleet" && json["avty_mode"]?.string == "all")
    #expect(json["avty"]?.elements.count == 2)
    #expect(json["cmps"]?["volume"]?["max"]?.integer == 80)
    #expect(json["cmps"]?["route"]?["ops"]?.strings == ["auto", "headphones", "speaker"])
    let visits = json["cmps"]?["visits"]?["val_tpl"]?.string
    #expect(json["cmps"]?["event"]?["val_tpl"]?.string?.contains("'utc': value_json.utc") == true)
    #expect(visits == "{{ value_json.today.visits if value_json.today else 'None' }}")
  }

  @Test("F7: what a firmware has that starts anew with other settings is announced")
  func announcesTheNext() throws {
    var bench = FleetBench.up()
    bench.feed(.controlDown, .controlUp, .line("ok"), .line(FleetBench.board))
    bench.feed(.line(FleetBench.state(seq: 1, #","hours":{"state":"open"}"#)))
    let message = try #require(bench.published.last { $0.topic == "homeassistant/device/b7/config" })
    #expect(try JSONValue(parsing: message.payload.utf8)["cmps"]?["hours"]?["ops"] != nil)
  }

  @Test("F7: playlists are announced when there are some; a board that only tells has nothing to press")
  func choices() throws {
    var bench = FleetBench.up()
    bench.feed(.line(FleetBench.state(seq: 3, #","playlist":"day","playlists":["day","night"]"#)))
    let message = try #require(bench.published.first { $0.topic.hasPrefix("homeassistant/") })
    #expect(try JSONValue(parsing: message.payload.utf8)["cmps"]?["playlist"]?["ops"]?.strings == ["day", "night"])
    var telling = FleetBench { ($0.tellsOnly, $0.isDirect) = (true, true) }
    telling.feed(.controlUp, .line("ok"), .line(FleetBench.board), .line(FleetBench.state()), .brokerUp)
    let told = try #require(telling.published.first { $0.topic.hasPrefix("homeassistant/") })
    let json = try JSONValue(parsing: told.payload.utf8)
    let commands = (json["cmps"]?.members ?? []).filter { $0.value["cmd_t"] != nil }
    #expect(commands == [])
    // Those that another setting had announced before are removed.
    var obeying = FleetBench.up { ($0.isDirect, $0.canLook) = (true, true) }
    obeying.feed(.line(FleetBench.state(seq: 3, #","playlists":["day","night"]"#)))
    let before = try #require(obeying.published.first { $0.topic.hasPrefix("homeassistant/") })
    let announced = try JSONValue(parsing: before.payload.utf8)["cmps"]?.members ?? []
    #expect(announced.contains { $0.name == "playlist" })
    for entity in announced {
      let now = json["cmps"]?[entity.name]
      #expect(now?["p"] == entity.value["p"], "\(entity.name)")
    }
    #expect(json["avty"]?.elements.count == 1)
  }

  @Test("F7: only playlists are offered whose names a command can have; a value that is none of them is none")
  func unfit() throws {
    let long = String(repeating: "x", count: 201)
    let state = #","playlists":["day","\#(long)","a\tb"," ","night"]"#
    let playlist = try entities(state)?["playlist"]
    #expect(playlist?["ops"]?.strings == ["day", "night"])
    let value = "{{ value_json.playlist if value_json.playlist in value_json.playlists else 'None' }}"
    #expect(playlist?["val_tpl"]?.string == value)
    #expect(try entities(#","playlists":["\#(long)"]"#)?["playlist"] == nil)
  }

  /// What has Home Assistant remove an entity.
  private static func gone(_ platform: String) -> JSONValue { ["p": .string(platform)] }

  /// What is announced of a board with more in its state.
  private func entities(_ more: String, _ change: (inout FleetOptions) -> Void = { _ in }) throws -> JSONValue? {
    var bench = FleetBench(change)
    bench.feed(.controlUp, .line("ok"), .line(FleetBench.board), .line(FleetBench.state(seq: 2, more)), .brokerUp)
    let message = try #require(bench.published.first { $0.topic == "homeassistant/device/b7/config" })
    return try JSONValue(parsing: message.payload.utf8)["cmps"]
  }

  @Test("F7: the sleep timer is a number of minutes, and opening hours are announced where there are some")
  func day() throws {
    let always = try entities(#","hours":null"#)
    #expect(always?["sleep"]?["cmd_t"]?.string == "jackdaw/b7/set/sleep" && always?["sleep"]?["p"]?.string == "number")
    #expect(always?["sleep_track"]?["pl_prs"]?.string == "track")
    #expect(always?["hours"] == Self.gone("select") && always?["hours_state"] == Self.gone("sensor"))
    let shop = #","hours":{"state":"open","until":"2026-11-27 18:00","by":"clock"}"#
    let daily = try entities(shop)
    #expect(daily?["hours"]?["ops"]?.strings == ["auto", "open", "closed"])
    #expect(daily?["hours"]?["cmd_t"]?.string == "jackdaw/b7/set/hours")
    #expect(daily?["hours_state"]?["ops"]?.strings == ["open", "closing", "closed"])
    let telling = try entities(shop) { $0.tellsOnly = true }
    #expect(telling?["hours"] == Self.gone("select") && telling?["sleep"] == Self.gone("number"))
    #expect(telling?["hours_state"]?["ops"] != nil)
  }

  @Test("F7, J7: what waits and the credits are told where there are any, and whoever may press clears the requests")
  func requests() throws {
    let names = ["requests_waiting", "credits", "clear_requests"]
    for (more, shown) in [
      ("", []), (#","waiting":null,"credits":null"#, []),
      (#","waiting":0,"credits":null"#, ["requests_waiting", "clear_requests"]), (#","waiting":3,"credits":0"#, names),
    ] {
      let found = try entities(more)
      #expect(names.filter { found?[$0]?["name"] != nil } == shown, "\(more)")
    }
    let paid = try entities(#","waiting":3,"credits":0"#)
    #expect(paid?["clear_requests"]?["cmd_t"]?.string == "jackdaw/b7/set/requests")
    #expect(paid?["clear_requests"]?["pl_prs"]?.string == "clear")
    let template = "{{ value_json.credits if value_json.credits is number else 'None' }}"
    #expect(paid?["credits"]?["val_tpl"]?.string == template)
    let telling = try entities(#","waiting":3,"credits":0"#) { $0.tellsOnly = true }
    #expect(telling?["clear_requests"] == Self.gone("button") && telling?["credits"]?["name"] != nil)
  }

  @Test("F4: the bridge keeps what a board tells and no command, and boards come back at times of their own")
  func bridge() {
    var options = FleetOptions(id: "b7")
    options.groups = ["hall"]
    var file = BridgeFile(host: "centre", socket: "/run/x/broker")
    (file.ca, file.boards) = ("/etc/ca.pem", 10_000)
    let lines = Set(file.text(options).split(separator: "\n").map(String.init))
    for line in [
      "listener 0 /run/x/broker", "address centre:8883", "bridge_cafile /etc/ca.pem", "cleansession false",
      "topic jackdaw/b7/event out 1", "topic jackdaw/b7/set/# in 0", "topic jackdaw/group/hall/set/# in 0",
      "topic homeassistant/device/b7/config out 1", "topic homeassistant/status in 0", "keepalive_interval 15",
      "notification_topic jackdaw/b7/link",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(!lines.contains { $0.hasPrefix("topic") && $0.contains("set") && $0.hasSuffix("in 1") })
    let bases = (0..<1_000).map { file.firstRetry(FleetOptions(id: "board-\($0)")) }
    #expect(Set(bases).count > 200 && bases.allSatisfy { (10..<300).contains($0) })
    options.tellsOnly = true
    #expect(!file.text(options).contains("/set/"))
  }
}
