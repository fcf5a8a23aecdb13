import AudioSession
import Files
import Jukebox

/// The words of one scenario line: split at blanks, with `"quoted parts"` and `# comments`, which begin where a word could.
struct ScenarioWords {
  /// The longest time in a scenario, far within the range of `Instant`.
  static let longest = Duration.seconds(366 * 86_400)

  private let words: [String]
  private var position = 0
  private let file: String
  private let line: Int

  init(_ text: Substring, file: String, line: Int) throws(FileError) {
    self.file = file
    self.line = line
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in text.unicodeScalars {
      if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if !isQuoted && word == nil && character == "#" {
        break
      } else if !isQuoted && (character == " " || character == "\t") {
        if let complete = word { words.append(complete) }
        word = nil
      } else {
        word = word ?? ""
        word?.unicodeScalars.append(character)
      }
    }
    if isQuoted { throw FileError(file: file, line: line, message: "a quote that is not closed") }
    if let complete = word { words.append(complete) }
    self.words = words
  }

  var isAtEnd: Bool { position >= words.count }
  var peek: String? { isAtEnd ? nil : words[position] }

  func error(_ message: String) -> FileError { FileError(file: file, line: line, message: message) }

  mutating func readWord(_ expected: String) throws(FileError) -> String {
    guard let word = peek else { throw error("the line ends, expected \(expected)") }
    position += 1
    return word
  }

  func expectEnd() throws(FileError) {
    if let word = peek { throw error("\(Wording.quoted(word)), expected the end of the line") }
  }

  /// Skips the next word if it is this one; returns whether it was.
  mutating func skip(_ word: String) -> Bool {
    guard peek == word else { return false }
    position += 1
    return true
  }

  mutating func readDuration() throws(FileError) -> Duration {
    let word = try readWord("a time such as 1.5s or 250ms")
    guard let duration = DurationText.parse(word), duration <= Self.longest else {
      throw error("\(Wording.quoted(word)), expected a time such as 1.5s or 250ms, up to a year")
    }
    return duration
  }

  /// Reads one of the words of `options` and returns its value.
  mutating func readChoice<Value>(
    _ what: String, _ options: [(word: String, value: Value)]
  ) throws(FileError) -> Value {
    let words = options.map(\.word)
    let word = try readWord("\(what): \(Wording.list(words))")
    if let option = options.first(where: { $0.word == word }) { return option.value }
    throw error("\(what) \(Wording.quoted(word)), expected \(Wording.list(words))")
  }

  mutating func readNumber(_ what: String, in range: ClosedRange<Int>) throws(FileError) -> Int {
    let word = try readWord("\(what), \(range.lowerBound) to \(range.upperBound)")
    guard let number = Int(word), range.contains(number) else {
      throw error(
        "\(what) \(Wording.quoted(word)), expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Reads a date, if the next word is one.
  mutating func readDay() -> CalendarDay? {
    guard let day = peek.flatMap({ CalendarDay($0) }) else { return nil }
    position += 1
    return day
  }

  /// Reads `HH:MM` or `HH:MM:SS`, where `unset` may stand instead.
  mutating func readTimeOfDay() throws(FileError) -> (TimeOfDay, second: Int) {
    let expected = "a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
    let word = try readWord(expected)
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = zip(parts, [24, 60, 60]).compactMap { part, limit -> Int? in
      let isNumber = part.utf8.count == 2 && part.utf8.allSatisfy { (0x30..<0x3A).contains($0) }
      return Int(part).flatMap { isNumber && $0 < limit ? $0 : nil }
    }
    guard numbers.count == parts.count, parts.count == 2 || parts.count == 3 else {
      throw error("clock \(Wording.quoted(word)), expected \(expected)")
    }
    return (TimeOfDay(hour: numbers[0], minute: numbers[1]), parts.count == 3 ? numbers[2] : 0)
  }
}
