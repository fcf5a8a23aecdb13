import TestSupport
import Testing

/// The help of both programs: every command has one, and what it shows works.
@Suite struct HelpTests {
  private static func help(_ arguments: [String], named name: String = "jackdaw") throws -> String {
    let outcome = try Program.run(arguments, named: name)
    #expect(outcome.status == 0 && outcome.errors == "", "\(name) \(arguments)")
    return outcome.output
  }

  /// The lines below a heading, up to an empty one.
  private static func section(_ title: String, of help: String) -> [String] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: "\(title):") else { return [] }
    return Array(lines[(start + 1)...].prefix { !$0.isEmpty })
  }

  private static func commands() throws -> [String] {
    section("COMMANDS", of: try help(["--help"])).compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  @Test("every command of jackdaw has a --help, whatever stands before it, and the same by its name")
  func all() throws {
    let commands = try Self.commands()
    #expect(commands.count >= 7)
    for command in commands {
      let text = try Self.help([command, "--help"])
      #expect(try text.contains("USAGE: jackdaw \(command)") && Self.help(["help", command]) == text)
      let options = ["scan": "--thorough", "ctl": "-h", "timetable": "--days=2", "cards": "--settings=x"]
      let option = options[command] ?? "--board=sim"
      #expect(try Self.help([command, option, "-h"]) == text)
      for line in text.split(separator: "\n") where !line.hasPrefix("USAGE:") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test("every command of jackdaw-fleet has a --help, whatever stands before it")
  func fleet() throws {
    let text = try Self.help([], named: "jackdaw-fleet")
    let requests = [
      ["--help"], ["-h"], ["help"], ["run", "--help"], ["setup", "-h"], ["setup", "--broker", "b", "--help"],
    ]
    for words in requests { #expect(try Self.help(words, named: "jackdaw-fleet") == text, "\(words)") }
    #expect(text.contains("\n  jackdaw-fleet run ") && text.contains("\n  jackdaw-fleet setup "))
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    let unknown = try Program.run(["run", "--helb"], named: "jackdaw-fleet")
    #expect(unknown.status == 2 && unknown.errors.contains("expected --id, ") && unknown.errors.contains(" or --help"))
  }

  @Test("the scenario in the help of simulate holds, and every step of it counts before its end")
  func scenario() throws {
    let lines = try Self.help(["help", "simulate"]).split(separator: "\n").filter {
      $0.hasPrefix("  at ") || $0.hasPrefix("  after ")
    }
    #expect(lines.count >= 5)
    let folder = try TemporaryFolder()
    folder.write("s", lines.joined(separator: "\n"))
    let outcome = try Program.run(["simulate", "s"], in: folder)
    #expect(outcome.status == 0)
    // Nothing but the summary, which means no note on a step.
    #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains(" expectations held in "))
    for event in ["playback.started", "route.changed", "playback.paused", "prompt.shown"] {
      #expect(outcome.output.contains(" \(event) "), "\(event)")
    }
  }

  @Test("the other steps that the help of simulate shows as examples do what it says")
  func steps() throws {
    let help = try Self.help(["help", "simulate"])
    let folder = try TemporaryFolder()
    for step in ["press volume-up for 800ms", "console \"volume loud\" refused"] {
      #expect(help.contains("`\(step)`"))
      folder.write("s", "at 1s \(step)\nat 3s end\n")
      let outcome = try Program.run(["simulate", "s"], in: folder)
      #expect(outcome.status == 0 && outcome.errors.split(separator: "\n").count == 1, "\(step): \(outcome.errors)")
    }
  }

  @Test("the console commands that any help shows are listed in that of ctl, and the firmware obeys them")
  func console() throws {
    let listed = Set(
      Self.section("CONSOLE COMMANDS", of: try Self.help(["help", "ctl"])).compactMap { line in
        line.dropFirst(2).split(separator: " ").first.map(String.init)
      })
    var shown: Set<String> = []
    for command in try Self.commands() {
      let words = try Self.help([command, "--help"]).split { " \n`,;".contains($0) }.map(String.init)
      for (index, word) in words.enumerated() where word == "ctl" && index > 0 && words[index - 1] == "jackdaw" {
        if index + 1 < words.count, !"<[".contains(words[index + 1].prefix(1)) { shown.insert(words[index + 1]) }
      }
    }
    #expect(shown == ["help", "reload", "watch"])
    #expect(listed.isSuperset(of: shown.subtracting(["watch"]).union(["volume", "pair", "status"])))
    let folder = try TemporaryFolder()
    folder.write("s", "at 1s console \"volume 40\"\nat 1s console \"reload\"\nat 1s console \"help\"\nat 2s end\n")
    #expect(try Program.run(["simulate", "s"], in: folder).status == 0)
  }

  @Test("the measurement in the help of check is good usage, and boards that are named there can be chosen")
  func boards() throws {
    let help = try Self.help(["help", "check"])
    #expect(help.contains(" headphones=plughw:CARD=Device"))
    let measured = try Program.run(["check", "--board", "sim", "--measure", "headphones=plughw:CARD=Device"])
    #expect(measured.status == 1)
    let names = Self.section("BOARDS", of: help).flatMap { $0.split { ", ".contains($0) }.map(String.init) }
    #expect(names.contains("sim") && names.contains("raspberry-pi-4") && names.count >= 8)
    for name in names { #expect(try Program.run(["check", "--board", name]).status != 2, "\(name)") }
  }

  @Test("the dates in the help of report are good usage")
  func dates() throws {
    let folder = try TemporaryFolder()
    folder.write("state/state.lock", [])
    let help = try Self.help(["help", "report"])
    for (option, date) in [("--from", "2026-11-01"), ("--to", "2026-11-30")] {
      #expect(help.contains("as \(date)."))
      #expect(try Program.run(["report", "--state", "state", option, date], in: folder).status == 0)
    }
  }
}
