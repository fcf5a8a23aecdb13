import AudioSession
import BoardFiles
import Files
import Jukebox

/// Reads the scenario language. Every error names file, line and what was expected there.
public enum ScenarioParser {
  /// Reads and checks a scenario file for a board.
  public static func read(_ path: String, board: BoardDescription) throws(FileError) -> Scenario {
    let bytes = try FileAccess.read(path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileError(file: path, line: lineOfFault(in: bytes), message: "is not UTF-8 text")
    }
    return try parse(text, file: path, board: board)
  }

  public static func parse(_ text: String, file: String, board: BoardDescription) throws(FileError) -> Scenario {
    let scenario = try steps(of: text, file: file, board: board)
    if let fault = ScenarioValidator.faults(in: scenario, board: board).first(where: \.isError) {
      throw FileError(file: file, line: scenario.steps[fault.step].line, message: fault.message)
    }
    return scenario
  }

  /// Parses each step by itself, without checking whether it can have an effect there.
  public static func steps(of text: String, file: String, board: BoardDescription) throws(FileError) -> Scenario {
    var steps: [Scenario.Step] = []
    for (index, line) in lines(of: text).enumerated() {
      var words = try ScenarioWords(line, file: file, line: index + 1)
      if words.isAtEnd { continue }
      let at = try parseTime(&words, after: steps.last)
      let action = try ScenarioActions(board: board, file: file).parseAction(&words)
      let isRefused = action.isCommand && words.skip("refused")
      try words.expectEnd()
      if steps.last?.action == .end { throw words.error("a step after `end`") }
      steps.append(Scenario.Step(line: index + 1, at: at, action: action, isRefused: isRefused))
    }
    guard !steps.isEmpty else { throw FileError(file: file, message: "no step in it, expected at least one") }
    return Scenario(file: file, steps: steps)
  }

  /// The lines, ended by LF, CR LF or CR, as editors count them, without a byte order mark.
  private static func lines(of text: String) -> [Substring] {
    let isMarked = text.unicodeScalars.first == "\u{FEFF}"
    let text = isMarked ? Substring(text.unicodeScalars.dropFirst()) : text[...]
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  /// The first line, from 1, that is not UTF-8. Neither LF nor CR is ever a part of another character.
  private static func lineOfFault(in bytes: [UInt8]) -> Int {
    let lf = UInt8(ascii: "\n")
    let cr = UInt8(ascii: "\r")
    var line = 1
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == lf || byte == cr {
      if String(validating: bytes[start..<index], as: UTF8.self) == nil { break }
      if byte == cr || index == 0 || bytes[index - 1] != cr { line += 1 }
      start = index + 1
    }
    return line
  }

  private static func parseTime(_ words: inout ScenarioWords, after last: Scenario.Step?) throws(FileError) -> Instant {
    let before = last?.at ?? .powerOn
    switch try words.readWord("`at` or `after`") {
    case "at":
      let at = Instant.powerOn + (try words.readDuration())
      guard at >= before else {
        throw words.error("\(at.logStamp) s lies before the step above it at \(before.logStamp) s, expected it later")
      }
      return at
    case "after":
      let at = before + (try words.readDuration())
      guard at <= .powerOn + ScenarioWords.longest else {
        throw words.error("\(at.logStamp) s after power on, expected a year at most")
      }
      return at
    case let word: throw words.error("\(Wording.quoted(word)), expected `at` or `after`")
    }
  }
}
