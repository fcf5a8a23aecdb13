import BoardFiles
import Files
import Simulator
import TestSupport
import Testing

@testable import Jukebox

/// The lists of commands and steps in the documents are those of the code.
@Suite struct ListTests {
  private static func text(_ path: String) -> String { String(decoding: Repository.read(path) ?? [], as: UTF8.self) }

  /// The words of a text: letters, digits and hyphens.
  private static func words(in text: String) -> Set<String> {
    let words: [Substring] = text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") })
    return Set(words.map { String($0) })
  }

  /// The code spans of a text.
  private static func spans(in text: Substring) -> [Substring] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map(
      \.element)
  }

  @Test("K7 names every console command, and no other")
  func consoleCommands() {
    let row = Self.text(Rows.file).split(separator: "\n").first { $0.hasPrefix("| K7 |") } ?? ""
    let named = Set(Self.spans(in: row).compactMap { $0.split(separator: " ").first.map(String.init) })
    let verbs = Set(
      ConsoleCommand.helpText.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        .compactMap { $0.split(separator: " ").first.map(String.init) })
    #expect(named.subtracting(verbs).sorted() == [] && verbs.subtracting(named).sorted() == [])
    // What is not a command is refused with all of them.
    let refusal: String
    do throws(ConsoleCommand.Invalid) {
      _ = try ConsoleCommand(parsing: "nonsense")
      refusal = ""
    } catch {
      refusal = error.message
    }
    #expect(Self.expected(in: refusal) == verbs)
  }

  /// The words that an error lists after `expected`.
  private static func expected(in error: String) -> Set<String> {
    guard let start = error.ranges(of: "expected ").last?.upperBound else { return [] }
    return Set(
      error[start...].replacing(" or ", with: ", ").split(separator: ", ")
        .map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty })
  }

  /// What the scenario language takes after these words, by the error for a wrong one.
  private static func taken(after words: String) throws -> Set<String> {
    let board = try BoardFile.read(repositoryPath("Tests/Programs/Soak/Kiosks/headset.board.toml"))
    do throws(FileError) {
      _ = try ScenarioParser.steps(of: "at 1s \(words) nonsense", file: "s", board: board)
      return []
    } catch {
      return expected(in: error.message.replacing("a step: ", with: ""))
    }
  }

  @Test("the table of the scenario language and the help of simulate have every step and every word of one")
  func scenarioSteps() throws {
    let rows = Self.text("board/sim/README.md").split(separator: "\n").compactMap { line in
      line.hasPrefix("| `") ? line.dropFirst(2).prefix { $0 != "|" } : nil
    }
    let page = Self.text("board/sim/README.md")
    let help = Self.text("Sources/jackdaw/Commands/SimulateCommand.swift")
    let verbs = try Self.taken(after: "")
    #expect(verbs.count > 15 && rows.count > 15)
    for verb in verbs {
      #expect(page.contains("| `\(verb)") || page.contains(", `\(verb) "), "\(verb)")
      #expect(Self.words(in: help).contains(verb), "\(verb)")
    }
    let inner = [
      "output", "output card headphones", "music", "storage", "power", "headset 00:1A:7D:DA:71:13", "choose", "expect",
      "interrupt",
    ]
    for words in inner {
      let verb = String(words.prefix { $0 != " " })
      let listed = page.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("`\(verb)") }
        .reduce(into: Set<String>()) { $0.formUnion(Self.words(in: String($1))) }
      let taken = try Self.taken(after: words)
      #expect(taken.count > 1, "\(words)")
      #expect(taken.subtracting(listed).sorted() == [], "\(words) in board/sim/README.md")
      #expect(taken.subtracting(Self.words(in: help)).sorted() == [], "\(words) in the help of simulate")
    }
  }

  @Test("every fixture of the decoders stands in the README beside it, by its name or by RATE and KIND")
  func fixtures() {
    let folder = "Tests/TrackDecodingTests/Fixtures"
    let page = Self.text("\(folder)/README.md")
    let names = Repository.paths.filter { $0.hasPrefix("\(folder)/") }.map { String($0.dropFirst(folder.count + 1)) }
    #expect(names.count > 60)
    for name in names where name != "README.md" {
      let pattern = name.split(separator: "-").map { part in
        part.allSatisfy(\.isNumber)
          ? "RATE" : String(part).replacing("stereo.", with: "KIND.").replacing("mono.", with: "KIND.")
      }
      let isNamed = page.contains("`\(name)`") || page.contains("`\(pattern.joined(separator: "-"))`")
      #expect(isNamed, "\(name)")
    }
  }

  @Test("the steps that set the state at power on are those that change the surroundings of the board")
  func surroundings() throws {
    let page = Self.text("board/sim/README.md")
    let start = try #require(page.firstRange(of: "The steps `plug`")?.lowerBound)
    let sentence = page[start...].prefix { $0 != "." }
    let named = Set(Self.spans(in: sentence).map(String.init))
    let board = try BoardFile.read(repositoryPath("Tests/Programs/Soak/Kiosks/headset.board.toml"))
    let examples = [
      "plug headphones", "unplug headphones", "line JACK_SENSE 1", "microphone fail", "storage full", "music gone",
      "clock 12:00", "console blocked", "headset 00:1A:7D:DA:71:13 on", "output card headphones steps",
      "output opening bluetooth 1s", "output stall bluetooth", "output volume bluetooth 3", "output fail",
      "output rate 48000", "press play", "route auto", "console help", "choose track 1", "power sleep",
    ]
    for example in examples {
      let step = try ScenarioParser.steps(of: "at 0s \(example)", file: "s", board: board).steps[0]
      let words = example.split(separator: " ").map(String.init)
      let isNamed = named.contains(words[0]) || named.contains(words.prefix(2).joined(separator: " "))
      #expect(step.action.changesSurroundings == isNamed, "\(example)")
    }
  }
}
