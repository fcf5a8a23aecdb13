import BoardFiles
import Files
import Glibc
import TestSupport
import Testing

@Suite struct BoardCatalogueTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }
  private var catalogue: BoardCatalogue { BoardCatalogue(folders: ["\(folder.path)/one", "\(folder.path)/two"]) }

  private func add(_ name: String, called title: String, models: String = "[]") {
    let text = "name = '\(title)'\nmodels = \(models)\nrate = 44100\nbuffer = 1\n"
    folder.write("\(name).toml", "\(text)[ports.speaker]\nsense = 'always'\npriority = 1\npcm = 'p'".utf8)
  }

  @Test("the first folder that knows a name wins")
  func names() throws {
    add("two/sim", called: "second")
    add("two/pi", called: "pi")
    folder.write("two/readme.md", "".utf8)
    add("one/sim", called: "first")
    #expect(catalogue.names() == ["pi", "sim"])
    #expect(try catalogue.board("sim").name == "first")
    #expect(try catalogue.board("pi").name == "pi")
    #expect(try catalogue.path(of: "pi") == "\(folder.path)/two/pi.toml")
    #expect(try catalogue.board("\(folder.path)/two/sim.toml").name == "second")
  }

  @Test("an unknown name lists the known ones")
  func unknownName() {
    let none = errorText { () throws(FileError) in try catalogue.board("pi") }
    #expect(none == "pi: no such board; there is no board file in \(folder.path)/one or \(folder.path)/two")
    add("one/sim", called: "s")
    add("two/pi4", called: "p")
    let some = errorText { () throws(FileError) in try catalogue.board("pi") }
    #expect(some == "pi: no such board, expected pi4, sim or a path")
  }

  @Test("a model finds the board with the longest matching prefix")
  func model() throws {
    add("one/sim", called: "s")
    add("one/a-pi", called: "a", models: "['Maker Pi']")
    add("one/b-pi4", called: "b", models: "['Other', 'Maker Pi 4', 'Maker']")
    add("one/c-pi4", called: "c", models: "['Maker Pi 4']")
    let four = try catalogue.automatic(modelPath: folder.write("model4", "Maker Pi 4 Rev 1.1\0".utf8))
    #expect(four.board.name == "b")
    #expect(four.name == "b-pi4")
    let other = "\(folder.path)/one/c-pi4.toml names it, too"
    #expect(four.reason == "board b-pi4: device-tree model \"Maker Pi 4 Rev 1.1\"; \(other)")
    #expect(try catalogue.automatic(modelPath: folder.write("model3", "Maker Pi 3\0".utf8)).name == "a-pi")
  }

  @Test("of equal models the earlier folder wins, which is the owner's, and a broken file of theirs is named")
  func owner() throws {
    add("two/a-pi", called: "shipped", models: "['Maker Pi']")
    add("one/z-pi", called: "own", models: "['Maker Pi']")
    let path = folder.write("model", "Maker Pi\0".utf8)
    let match = try catalogue.automatic(modelPath: path)
    #expect(match.name == "z-pi" && match.board.name == "own")
    let model = "device-tree model \"Maker Pi\""
    #expect(match.reason == "board z-pi: \(model); \(folder.path)/two/a-pi.toml names it, too")
    let broken = folder.write("one/z-pi.toml", "name = 1".utf8)
    let shipped = try catalogue.automatic(modelPath: path)
    #expect(shipped.name == "a-pi")
    #expect(
      shipped.reason
        == "board a-pi: \(model); \(broken):1: name: found 1, expected a text in quotes")
  }

  @Test("a machine without a device tree is the simulated board; one that no board matches is an error with advice")
  func fallback() throws {
    add("one/sim", called: "s")
    add("one/pi", called: "p", models: "['Maker Pi']")
    let path = folder.write("model", "My Maker Pi\0".utf8)
    let other = errorText { () throws(FileError) in try catalogue.automatic(modelPath: path) }
    let advice =
      "name one with --board, a copy of the file that is most like it (pi or sim), or sim for the simulated board"
    #expect(other == "\(path): no board file names this machine, \"My Maker Pi\": \(advice)")
    let none = try catalogue.automatic(modelPath: "\(folder.path)/none")
    #expect(none.name == "sim")
    #expect(none.reason == "board sim: no device-tree model (\(folder.path)/none: no such file)")
  }

  @Test("a broken board file keeps no other from matching, but is named when none does")
  func brokenFile() throws {
    add("one/sim", called: "s")
    add("one/pi", called: "p", models: "['Maker Pi']")
    let broken = folder.write("one/broken.toml", "name = 1".utf8)
    #expect(try catalogue.automatic(modelPath: folder.write("model", "Maker Pi\0".utf8)).name == "pi")
    let path = folder.write("model", "Other\0".utf8)
    let other = errorText { () throws(FileError) in try catalogue.automatic(modelPath: path) }
    #expect(other.hasSuffix("; \(broken):1: name: found 1, expected a text in quotes"), "\(other)")
  }

  @Test("without a simulated board there is nothing to fall back to")
  func noSimulatedBoard() {
    add("one/pi", called: "p", models: "['Maker Pi']")
    let error = errorText { () throws(FileError) in try catalogue.automatic(modelPath: "\(folder.path)/none") }
    #expect(error == "sim: no such board, expected pi or a path")
  }

  @Test("the standard folders lead from the executable to the owner's boards and then to the shipped ones")
  func standard() throws {
    let catalogue = BoardCatalogue.standard()
    #expect(catalogue.folders.first == "board")
    #expect(catalogue.folders.suffix(2) == ["/etc/jackdaw/board", "/usr/share/jackdaw/board"])
    #expect(catalogue.folders.contains("/board"))
    let withoutCurrent = BoardCatalogue(folders: Array(catalogue.folders.dropFirst()))
    #expect(try withoutCurrent.board("sim").name == "Simulated board")
  }
}
