import BoardFiles
import Files
import Jukebox
import Simulator
import TestSupport

/// Files that people write by hand.
///
/// An error is one line that names a line of the file. A valid file gives the same values with one more comment, and a
/// brain starts with them.
enum TextFiles {
  static func checkTOML(_ bytes: [UInt8]) throws {
    guard let table = try same(bytes, { (text) throws(FileError) in try TOMLTable(parsing: text, file: "t") }) else {
      return
    }
    guard let printed = TOMLText.print(table.entries), !TOMLText.hasManyDots(printed) else { return }
    do {
      let again = try TOMLTable(parsing: printed, file: "t")
      try hold(TOMLText.print(again.entries) == printed, "parses as something else once printed: \(table.entries)")
    } catch let error as FileError {
      throw BrokenPromise("does not parse once printed: \(error)")
    }
  }

  static func checkSettings(_ bytes: [UInt8]) throws {
    try checkWord("start_volume", before: bytes) { (text) throws(FileError) in
      _ = try SettingsFile.parse(text, file: "t", interrupters: ["fire-alarm"])
    }
    let kiosk = try same(bytes) { (text) throws(FileError) in
      try SettingsFile.parse(text, file: "t", interrupters: ["fire-alarm"])
    }
    guard let kiosk else { return }
    let board = try SimulatedKiosk.board()
    try SimulatedKiosk.tryOut(
      board.configuration(settings: kiosk.settings, clients: kiosk.clients, cues: SimulatedKiosk.cues))
  }

  static func checkBoard(_ bytes: [UInt8]) throws {
    try checkWord("simulated", before: bytes) { (text) throws(FileError) in
      _ = try BoardFile.parse(text, file: "t")
    }
    let board = try same(bytes) { (text) throws(FileError) in try BoardFile.parse(text, file: "t") }
    guard let board else { return }
    _ = (board.inputRequests(), board.interrupters)
    try SimulatedKiosk.tryOut(board.configuration(settings: Settings(), cues: SimulatedKiosk.cues))
  }

  static func checkScenario(_ bytes: [UInt8]) throws {
    let board = try SimulatedKiosk.board()
    let folder = try TemporaryFolder()
    let scenario = try same(bytes) { (text) throws(FileError) in
      let path = folder.write("t", text)
      var scenario = try ScenarioParser.read(path, board: board)
      scenario.file = "t"
      return scenario
    }
    guard let scenario else { return }
    try hold(zip(scenario.steps, scenario.steps.dropFirst()).allSatisfy { $0.at <= $1.at }, "time goes back")
    try hold(scenario.steps.allSatisfy { (1...lines(of: bytes)).contains($0.line) }, "a step on no line")
  }

  /// The result of `read`, or nil where it refuses the file.
  private static func same<Value: Equatable>(
    _ bytes: [UInt8], _ read: ([UInt8]) throws(FileError) -> Value
  ) throws -> Value? {
    let value: Value
    do throws(FileError) {
      value = try read(bytes)
    } catch {
      try checkError(error, lines: lines(of: bytes))
      return nil
    }
    do {
      let again = try read(bytes + Array("\n# end".utf8))
      // NaN is not equal to itself, but its text is the same.
      try hold(again == value || "\(again)" == "\(value)", "a comment at the end changes \(value) to \(again)")
    } catch let error as FileError {
      throw BrokenPromise("a comment at the end is an error: \(error)")
    }
    return value
  }

  /// A value without quotes before any TOML is an error of its field, whatever else is wrong.
  private static func checkWord(
    _ field: String, before bytes: [UInt8], _ read: ([UInt8]) throws(FileError) -> Void
  ) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.contains(field) || text.hasPrefix("\u{FEFF}") { return }
    guard (try? TOMLTable(parsing: bytes, file: "t")) != nil else { return }
    let words = ["50%", "12:30", "no", "10min", "-6dB", "é", "0x", "2024-13-40", "@", "", "~/x", "1.2.3"]
    let word = words[bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % words.count]
    var places: [String] = []
    do throws(FileError) {
      try read(Array("\(field) = \(word)\n".utf8) + bytes)
    } catch {
      places = ([error] + error.further).map { "\($0.line) \($0.field)" }
    }
    try hold(places.contains("1 \(field)"), "\(field) = \(word) gives \(places)")
  }

  static func checkError(_ error: FileError, lines: Int) throws {
    let order = [error.line] + error.further.map(\.line)
    try hold(order == order.sorted(), "errors on lines \(order)")
    for other in error.further { try checkError(other, lines: lines) }
    try hold((0...lines).contains(error.line), "\(error): there are \(lines) lines")
    try hold(!error.message.isEmpty, "an error without words")
    let text = error.description
    try hold(Wording.oneLine(text) == text, "an error with control characters: \(Wording.oneLine(text))")
    try hold(text.utf8.count < 4_096, "an error of \(text.utf8.count) bytes")
  }

  static func lines(of bytes: [UInt8]) -> Int {
    bytes.reduce(1) { $1 == UInt8(ascii: "\n") || $1 == UInt8(ascii: "\r") ? $0 + 1 : $0 }
  }
}
