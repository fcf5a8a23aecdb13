import Glibc
import TestSupport
import Testing

/// Which sockets and files the running firmware opens and leaves behind: see deploy/threats.md.
@Suite struct SecurityTests {
  private static let onSim = ["run", "--board", "sim", "--output", "file:/dev/null"]
  private static let music = "\(Sources.root)/board/sim/music"

  private func links(_ firmware: Program) -> [String] {
    (0..<256).compactMap { number in
      var target = [CChar](repeating: 0, count: 4_096)
      let length = readlink("/proc/\(firmware.id)/fd/\(number)", &target, target.count)
      return length < 0 ? nil : String(decoding: target.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test("no socket of the firmware is one of a network: all are UNIX sockets")
  func noNetwork() throws {
    let folder = try TemporaryFolder()
    let firmware = try Program(Self.onSim, in: folder, input: nil)
    try firmware.wait(for: " route.initial ")
    #expect(try Program.run(["ctl", "play"], in: folder).status == 0)
    try firmware.wait(for: " track.started ")
    let sockets = links(firmware).filter { $0.hasPrefix("socket:[") }.map { String($0.dropFirst(8).dropLast()) }
    let known = readFile("/proc/\(firmware.id)/net/unix") ?? []
    let inodes = String(decoding: known, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropFirst(6).first.map(String.init)
    }
    #expect(!sockets.isEmpty)
    #expect(sockets.allSatisfy(inodes.contains))
    firmware.send("q")
    #expect(try firmware.end().status == 0)
  }

  @Test("whatever the umask, only the owner and the group can read its files, and the group can use the socket")
  func modes() throws {
    let folder = try TemporaryFolder()
    let careless = ["sh", "-c", "umask 0 && exec \"$@\"", "sh"]
    let firmware = try Program(Self.onSim, under: careless, in: folder, input: nil)
    try firmware.wait(for: " route.initial ")
    #expect(mode("\(folder.path)/jackdaw/control") == 0o660)
    #expect(mode("\(folder.path)/jackdaw") == 0o750)
    firmware.send("r")
    try firmware.wait(for: " recording.started ")
    firmware.send("rq")
    let end = try firmware.end()
    let line = try #require(end.output.split(separator: "\n").first { $0.contains(" recording.started ") })
    let name = try #require(line.split(separator: "file=\"").last?.split(separator: "\"").first)
    let state = "\(folder.path)/state/jackdaw"
    #expect(mode("\(state)/recordings/\(name)") == 0o640)
    #expect(mode("\(state)/recordings") == 0o750)
    #expect(mode(state) == 0o750)
    #expect(mode("\(state)/state.toml") == 0o640)
  }

  @Test("commands can open no file but the cues: not by .., not by a path, not by a link")
  func commands() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("cues")
    folder.write("secret.mp3", try #require(readFile("\(Sources.fixtures)/cbr-128.mp3")))
    symlink("../secret.mp3", "\(folder.path)/cues/link.mp3")
    folder.write("cues/hello.mp3", try #require(readFile("\(Sources.fixtures)/cbr-128.mp3")))
    folder.write("settings.toml", "cue_folder = \"cues\"\n")
    let firmware = try Program(Self.onSim + ["--settings", "settings.toml"], in: folder, input: nil)
    try firmware.wait(for: " route.initial ")
    let path = "\(folder.path)/secret.mp3"
    for name in ["../secret", "../secret.mp3", path, "link", "hello.mp3", "cues/hello", ".", "/"] {
      try expectRefused(["ctl", "cue", name], "cue \(name): expected hello", in: folder, status: 1)
    }
    for command in [
      ["interrupt", "begin", "../x"], ["route", "/dev/null"], ["category", "../x"], ["volume", "/etc/passwd"],
      ["play", "/etc/passwd"], ["record", "/tmp/x"], ["!sh"], ["status;sh"], ["$(sh)"],
    ] {
      let outcome = try Program.run(["ctl"] + command, in: folder)
      #expect(outcome.status == 1 && outcome.output == "" && outcome.errors.split(separator: "\n").count == 1)
    }
    #expect(!links(firmware).contains { $0.contains("secret") })
    firmware.send("q")
    #expect(try firmware.end().status == 0)
  }

  @Test("a track whose name and tags would take over the terminal is played and shown as harmless text everywhere")
  func terminal() throws {
    let evil = "\u{1B}]0;evil\u{7}\u{9B}31m\u{202E}\n9.000000 info shutdown"
    let folder = try TemporaryFolder()
    folder.makeFolder("m")
    let tagged = try #require(readFile("\(Sources.fixtures)/tag-id3v24-utf8-controls.mp3"))
    folder.write("m/\(evil).mp3", tagged)
    let arguments = Self.onSim + ["--music", "m"]
    for locale in ["C", "C.UTF-8"] {
      let log = try Program.run(arguments, under: ["env", "LANG=\(locale)"], in: folder, input: "pq")
      #expect(log.output.contains(" track.started "))
      #expect(log.output.contains(locale == "C" ? "\\u{70cf}" : "夜の烏"))
      #expect(locale != "C" || log.output.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
      for piece in ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}", "\n9.000000 info shutdown"] {
        #expect(!log.output.contains(piece))
      }
    }
    let panel = try Program(
      arguments, under: ["env", "TERM=vt100"], in: folder, input: nil, output: .terminal)
    try panel.wait(for: "JACKDAW")
    panel.send("p")
    try panel.wait(for: "PLAYING")
    #expect(try Program.run(["ctl", "status"], in: folder).output.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
    panel.send("q")
    let shown = try panel.end().output
    for piece in ["\u{1B}]0;evil", "\u{9B}31m", "\u{202E}", "\u{7}", "\u{1B}[31mred"] {
      #expect(!shown.contains(piece))
    }
  }
}
