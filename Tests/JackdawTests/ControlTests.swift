import Glibc
import JSON
import TestSupport
import Testing

@Suite struct ControlTests {
  private static let onSim = ["run", "--board", "sim", "--output", "file:out.wav"]

  @Test("K7: ctl sends the running firmware a command and prints its reply")
  func commands() throws {
    let folder = try TemporaryFolder()
    let firmware = try Program(Self.onSim, in: folder, input: nil)
    try firmware.wait(for: " route.initial ")
    let volume = try Program.run(["ctl", "volume", "40"], in: folder)
    #expect(volume.status == 0 && volume.output == "" && volume.errors == "")
    try firmware.wait(for: " volume.changed ")
    let status = try Program.run(["ctl", "status"], in: folder)
    #expect(status.status == 0)
    #expect(status.output.hasPrefix("state=stopped ") && status.output.contains(" volume=40 "))
    #expect(status.output.split(separator: "\n").count == 1)
    try expectRefused(
      ["ctl", "volume", "400"], "volume 400: expected a whole number from 0 to 100, alone or behind + or -",
      in: folder, status: 1)
    try expectRefused(["ctl", "token", "99x"], "token 99x: no such token", in: folder, status: 1)
    #expect(try Program.run(["ctl", "help"], in: folder).output.contains("\nvolume N "))
    firmware.send("q")
    let end = try firmware.end()
    #expect(end.status == 0)
    // Replies go to the client that sent the command.
    #expect(!end.output.contains("state=stopped"))
    #expect(!folder.contains("jackdaw/control"))
  }

  @Test("F1: ctl watch prints the board, its state and whatever happens, each on a numbered line of JSON")
  func watching() throws {
    let folder = try TemporaryFolder()
    let firmware = try Program(Self.onSim, in: folder, input: nil)
    try firmware.wait(for: " route.initial ")
    let watcher = try Program(["ctl", "watch"], in: folder, input: nil)
    try watcher.wait(for: "\"type\":\"state\"")
    let status = try Program.run(["ctl", "status", "--json"], in: folder)
    #expect(try JSONValue(parsing: status.output.utf8)["state"]?.string == "stopped")
    #expect(try Program.run(["ctl", "volume", "41"], in: folder).status == 0)
    try watcher.wait(for: "\"volume\":41,")
    firmware.send("q")
    #expect(try firmware.end().status == 0)
    let end = try watcher.end()
    #expect(end.status == 1 && end.errors.hasSuffix("/jackdaw/control has ended\n"))
    let lines = try end.output.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
    #expect(lines.map { $0["seq"]?.integer } == (1...lines.count).map { $0 })
    #expect(lines.prefix(2).map { $0["type"]?.string } == ["board", "state"])
    #expect(lines[0]["ports"]?.elements.compactMap { $0["port"]?.string } == ["headphones", "line-out", "speaker"])
    let events = lines.compactMap { $0["event"]?.string }
    #expect(events.contains("volume.changed") && events.last == "shutdown")
    #expect(lines.contains { $0["type"]?.string == "state" && $0["volume"]?.integer == 41 })
  }

  @Test("F1, L1: a full disk ends watch and cards with what is lost, and not only once the firmware ends")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    folder.write("kiosk.toml", "music = [\"\(repositoryPath("board/sim/music"))\"]\n")
    let firmware = try Program(Self.onSim + ["--settings", "kiosk.toml"], in: folder, input: nil)
    try firmware.wait(for: " route.initial ")
    let full = ["sh", "-c", #"exec "$0" "$@" >/dev/full"#]
    let lost = "jackdaw: standard output: No space left on device\n"
    let watcher = try Program.run(["ctl", "watch"], under: full, in: folder)
    #expect(watcher.status == 1 && watcher.errors == lost)
    let cards = try Program(["cards", "--settings", "kiosk.toml"], under: full, in: folder, input: nil)
    try cards.wait(forErrors: "Lay a card")
    cards.send("2\n")
    _ = try Program.run(["ctl", "token", "04A2B1C3"], in: folder)
    let end = try cards.end()
    #expect(end.status == 1 && end.errors.hasSuffix(lost))
    firmware.send("q")
    #expect(try firmware.end().status == 0)
  }

  @Test("without a firmware, ctl lists where it looked")
  func nobody() throws {
    let folder = try TemporaryFolder()
    let line = "no firmware listens at \(folder.path)/jackdaw/control or /run/jackdaw/control; `jackdaw run` starts one"
    // Otherwise a firmware that runs on this machine would reply.
    guard access("/run/jackdaw/control", F_OK) != 0 else { return }
    try expectRefused(["ctl", "status"], line, in: folder, status: 1)
    try expectRefused(["ctl", String(repeating: "x", count: 257)], "<command> is longer than 256 bytes", in: folder)
  }

  @Test("W4: a firmware that was killed leaves a socket and locks that do not keep the next one from starting")
  func killed() throws {
    let folder = try TemporaryFolder()
    do {
      let first = try Program(Self.onSim, in: folder, input: nil)
      try first.wait(for: " route.initial ")
      first.signalled(SIGKILL)
      #expect(try first.end().status == 128 + SIGKILL)
    }
    #expect(folder.contains("jackdaw/control"))
    let next = try Program(Self.onSim, in: folder, input: nil)
    try next.wait(for: " route.initial ")
    #expect(try Program.run(["ctl", "status"], in: folder).status == 0)
    next.send("q")
    #expect(try next.end().errors == "")
  }

  @Test("W4: a second firmware on the same state folder or control socket is refused, and the first plays on")
  func second() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("other")
    folder.write("other.toml", "state = \"other\"\n")
    folder.write("first.toml", "visit_gap = 0\n")
    let first = try Program(Self.onSim + ["--settings", "first.toml"], in: folder, input: nil)
    try first.wait(for: " route.initial ")
    let state = "\(folder.path)/state/jackdaw"
    try expectRefused(
      Self.onSim, "\(state): another firmware keeps its state there, expected a folder of its own", in: folder,
      status: 1)
    try expectRefused(
      Self.onSim + ["--settings", "other.toml"], "\(folder.path)/jackdaw/control: another firmware answers there",
      in: folder, status: 1)
    #expect(try Program.run(["ctl", "volume", "40"], in: folder).status == 0)
    first.send("q")
    #expect(try first.end().status == 0)
    #expect(String(decoding: folder.read("state/jackdaw/state.toml") ?? [], as: UTF8.self).contains("speaker = 40\n"))
  }

  @Test("W3: a state folder that cannot be locked does not keep the firmware from playing")
  func unlockable() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("state")
    folder.makeFolder("state/jackdaw")
    folder.makeFolder("state/jackdaw/state.lock")
    let outcome = try Program.run(Self.onSim, in: folder, input: "pq")
    #expect(outcome.status == 0 && outcome.output.contains(" playback.started "))
  }

  @Test("L1, L2, L6, L7, K7.3: the example for an RC522 reports what lies on a simulated one")
  func rc522() throws {
    let outcome = try Program.run([], under: ["python3", repositoryPath("Tests/Tools/Readers/rc522")])
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.output)\(outcome.errors)")
  }

  @Test("T5, L1: cards asks for each card that is read what it chooses, and prints its line of the settings")
  func cards() throws {
    let folder = try TemporaryFolder()
    folder.write(
      "kiosk.toml", "music = [\"\(repositoryPath("board/sim/music"))\"]\n[tokens]\n\"XB\" = { track = 3 }\n")
    let firmware = try Program(Self.onSim + ["--settings", "kiosk.toml"], in: folder, input: nil)
    try firmware.wait(for: " boot ")
    let cards = try Program(["cards", "--settings", "kiosk.toml"], in: folder, input: nil)
    try cards.wait(forErrors: "Lay a card")
    cards.send("nowhere\n2\n3\n")
    for (token, line) in [("04A2B1C3", "2 Blue Rooftop.mp3"), ("XB", "3 Lullaby for a Nest.mp3")] {
      _ = try Program.run(["ctl", "token", token], in: folder)
      try cards.wait(for: "\"\(token)\" = { track = \"\(line)\" }\n")
    }
    // Nobody answers now.
    cards.closeInput()
    _ = try Program.run(["ctl", "token", "04A2B1C4"], in: folder)
    let end = try cards.end()
    #expect(end.status == 0 && end.output.split(separator: "\n").count == 2)
    firmware.send("q")
    _ = try firmware.end()
    let alone = try Program.run(["cards", "--settings", "kiosk.toml"], in: folder)
    #expect(alone.status == 1 && alone.errors.contains("no firmware listens"))
    try expectRefused(["cards"], "cards without --settings, expected the file that names the music")
  }
}
