import Files
import Glibc
import TestSupport
import Testing

@Suite struct BadFileTests {
  /// A folder with a good scenario and some files that are not scenarios.
  private func furnished() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    folder.write("good", "at 1s end\n")
    folder.write("empty", "")
    folder.write("binary", [0x7F, 0x45, 0x4C, 0x46, 0, 0xFF, 0xFE])
    folder.write("large", [UInt8](repeating: 0x20, count: 1 << 20 + 1))
    folder.makeFolder("folder")
    mkfifo("\(folder.path)/fifo", 0o600)
    return folder
  }

  @Test(
    "what is no file, no folder or not there is named",
    arguments: [
      ("simulate nowhere", "nowhere: no such file"),
      ("simulate good/x", "good/x: no such file"),
      ("simulate empty", "empty: no step in it, expected at least one"),
      ("simulate folder", "folder: is a folder, expected a file"),
      ("simulate binary", "binary:1: is not UTF-8 text"),
      ("simulate large", "large: is larger than 1 MiB"),
      ("simulate fifo", "fifo: is not a regular file"),
      ("simulate good --board ./nowhere", "./nowhere: no such file"),
      ("simulate good --board folder/", "folder/: is a folder, expected a file"),
      ("simulate good --settings nowhere", "nowhere: no such file"),
      ("simulate good --settings folder", "folder: is a folder, expected a file"),
      ("simulate good --music nowhere", "nowhere: no such file or folder"),
      ("simulate good --music fifo", "fifo: is neither a file nor a folder"),
      ("simulate good --audio empty", "empty: is a file, expected a folder"),
      ("simulate good --audio nowhere/x", "nowhere/x: cannot be made: no such folder above it"),
      ("simulate good --log nowhere/x", "nowhere/x: cannot be written: no such folder"),
      ("simulate good --log folder", "folder: cannot be written: is a folder, expected a file"),
      ("simulate good --log /dev/full", "/dev/full: cannot be written: No space left on device"),
      ("run --board sim --output file:nowhere/x", "nowhere/x: cannot be written: no such folder"),
      ("run --board sim --output file:folder", "folder: cannot be written: is a folder, expected a file"),
      ("scan nowhere", "nowhere: no such file or folder"),
    ])
  func paths(command: String, line: String) throws {
    try expectRefused(command.split(separator: " ").map(String.init), line, in: furnished())
  }

  @Test("an unknown board is refused with a list of the known ones")
  func unknownBoard() throws {
    let boards = FileAccess.names(in: "\(Sources.root)/board").filter { $0.hasSuffix(".toml") }
    let names = Wording.list(boards.map { String($0.dropLast(5)) } + ["a path"])
    try expectRefused(
      ["simulate", "good", "--board", "nowhere"], "nowhere: no such board, expected \(names)", in: furnished())
  }

  @Test("a name with a line break in it still makes one line")
  func names() throws {
    try expectRefused(["simulate", "a\nb"], "a\\u{a}b: no such file")
    try expectRefused(["scan", "a\nb"], "a\\u{a}b: no such file or folder")
  }

  @Test("a folder that may not be read is named", .enabled(if: geteuid() != 0))
  func unreadable() throws {
    let folder = try furnished()
    chmod("\(folder.path)/folder", 0)
    try expectRefused(["scan", "folder"], "folder: permission denied", in: folder)
    try expectRefused(["simulate", "good", "--music", "folder"], "folder: permission denied", in: folder)
  }

  @Test(
    "a mistake in a board file is reported with its line",
    arguments: [
      ("rate ", "rate = 44", "rate: 44 is out of range, expected 8000...192000"),
      ("simulated = true", "simulated = 1", "simulated: found 1, expected true or false"),
      ("simulated = true", "simulatd = true", "simulatd: unknown key, did you mean simulated?"),
      ("line = \"DOCK_SENSE\"", "line = \"DOCK\"", "ports.line-out.line: \"DOCK\" is not a line of this board, "),
      ("[lines.BTN_STOP]", "[lines.BTN_STOP", "lines.BTN_STOP: not valid TOML at column "),
    ])
  func board(old: String, new: String, error: String) throws {
    let folder = try furnished()
    let text = Sources.text("board/sim.toml")
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let index = try #require(lines.firstIndex { $0.hasPrefix(old) })
    lines[index] = new
    folder.write("board.toml", lines.joined(separator: "\n"))
    for command in [["simulate", "good"], ["run"]] {
      let outcome = try Program.run(command + ["--board", "board.toml"], in: folder)
      #expect(outcome.errors.hasPrefix("jackdaw: board.toml:\(index + 1): \(error)"))
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(outcome.output == "")
      #expect(outcome.status == 2)
    }
  }

  @Test(
    "a mistake in a settings file is reported with its line",
    arguments: [
      ("start_volume = 101", "settings:2: start_volume: 101 is out of range, expected 0...100"),
      ("start_volum = 50", "settings:2: start_volum: unknown key, did you mean start_volume?"),
      ("resume_window = \"a while\"", "settings:2: resume_window: \"a while\" is no number with ms, s, min, h or d, "),
      ("music = \"x\"", "settings:2: music: found "),
      ("route = \"usb\"", "settings:2: route: "),
      ("[cues.welcome]\nat = \"25:00\"", "settings:3: cues.welcome.at: \"25:00\" is out of range, expected "),
      (
        "[cues.welcome]\nclient = \"fire\"",
        "settings:3: cues.welcome.client: \"fire\" is unknown, expected cue or page"
      ),
      (
        "[sessions.recorder]\ncategory = \"playback\"", "settings:3: sessions.recorder.category: \"playback\" does not "
      ),
      ("duck_level = 3", "settings:2: duck_level: 3 is out of range, expected -60...0"),
      ("recording_size = 0", "settings:2: recording_size: 0 is out of range, expected 1...4000"),
    ])
  func settings(text: String, error: String) throws {
    let folder = try furnished()
    folder.write("settings", "# mine\n\(text)\n")
    for command in [["simulate", "good"], ["run", "--board", "sim"]] {
      let outcome = try Program.run(command + ["--settings", "settings"], in: folder)
      #expect(outcome.errors.hasPrefix("jackdaw: \(error)"))
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(outcome.output == "")
      #expect(outcome.status == 2)
    }
  }

  @Test(
    "D8: a cue that is not there keeps no board silent: the firmware says so and plays; a simulation is refused",
    arguments: [
      ("cue_folder = \"nowhere\"", "nowhere: no such file or folder"),
      ("cue_folder = \"empty\"", "empty: no such file or folder"),
      (
        "cue_folder = \"folder\"\n[cues.a]",
        "settings:3: cues.a: \"a\" is no cue of folder, there is no sound file in it"
      ),
      ("[cues.welcom]", "settings:2: cues.welcom: \"welcom\" is no cue of "),
      ("cue_button = \"bell\"", "settings:2: cue_button: \"bell\" is no cue of "),
    ])
  func missingCues(text: String, error: String) throws {
    let folder = try furnished()
    folder.write("settings", "# mine\n\(text)\n")
    let refused = try Program.run(["simulate", "good", "--settings", "settings"], in: folder)
    #expect(refused.errors.hasPrefix("jackdaw: \(error)") && refused.status == 2)
    let words = ["run", "--board", "sim", "--settings", "settings", "--output", "file:out.wav"]
    let outcome = try Program.run(words, in: folder, input: "pq")
    #expect(outcome.status == 0 && outcome.output.contains(" playback.started cause=user "))
    #expect(outcome.errors.hasPrefix("jackdaw: \(error)") && outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.output.contains(" cue-faults=1"), "for as long as it runs")
    let check = try Program.run(["check", "--board", "sim", "--settings", "settings"], in: folder)
    let found = check.output.split(separator: "\n").contains { $0.hasPrefix("FAIL  cues ") }
    #expect(found && check.status == 1)
  }

  @Test("D8: a cue that is not there and belongs to an event fails when that comes", arguments: ["nowhere", "folder"])
  func missingOnEvent(cues: String) throws {
    let folder = try furnished()
    folder.write("settings", "cue_folder = \"\(cues)\"\n[cues.a]\non = \"playback.started\"\n")
    let words = ["run", "--board", "sim", "--settings", "settings", "--output", "file:out.wav"]
    let outcome = try Program.run(words, in: folder, input: "pq")
    #expect(outcome.status == 0 && outcome.output.contains(" cue.failed cue=a reason=\"no such cue\""))
  }

  @Test("what was good in an earlier version is a warning, and the firmware plays; of [fleet] so are mistakes")
  func remarks() throws {
    let folder = try furnished()
    folder.write("settings", "music = [\"\(Sources.fixtures)\", \"\(Sources.fixtures)/\"]\n[fleet]\nid = \"a b\"\n")
    let words = ["--board", "sim", "--settings", "settings"]
    let outcome = try Program.run(["run", "--output", "file:out.wav"] + words, in: folder, input: "pq")
    #expect(outcome.status == 0 && outcome.output.contains(" playback.started cause=user "))
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.contains("jackdaw: settings:1: music: names a folder twice, which counts once"))
    #expect(lines.contains { $0.hasPrefix("jackdaw: settings:3: fleet.id: found \"a b\", expected ") })
    let check = try Program.run(["check"] + words, in: folder)
    let found = check.output.split(separator: "\n")
    #expect(found.contains { $0.hasPrefix("warn  file ") } && found.contains { $0.hasPrefix("FAIL  fleet ") })
    #expect(check.status == 1)
  }

  @Test("a missing cue is reported with a list of the existing ones")
  func cueNames() throws {
    let folder = try furnished()
    folder.makeFolder("cues")
    folder.write("cues/bell.mp3", "")
    folder.write("cues/gong.MP3", "")
    folder.write("cues/notes.txt", "")
    folder.write("settings", "cue_folder = \"cues\"\n[cues.bel]\n")
    try expectRefused(
      ["simulate", "good", "--settings", "settings"],
      "settings:2: cues.bel: \"bel\" is no cue of cues, expected \"bell\" or \"gong\"", in: folder)
    folder.write("settings", "cue_folder = \"cues\"\n[cues.bell]\n[cues.gong]\nat = \"17:45\"\n")
    #expect(try Program.run(["simulate", "good", "--settings", "settings"], in: folder).status == 0)
  }

  @Test("a board without a folder of cues has none, which is an error only where one is named")
  func noCueFolder() throws {
    let folder = try furnished()
    folder.write("b.toml", Sources.text("board/sim.toml"))
    #expect(try Program.run(["simulate", "good", "--board", "b.toml"], in: folder).status == 0)
    folder.write("settings", "[cues.bell]\n")
    try expectRefused(
      ["simulate", "good", "--board", "b.toml", "--settings", "settings"],
      "settings:1: cues.bell: \"bell\" is no cue of b/cues, there is no such folder", in: folder)
  }
}
