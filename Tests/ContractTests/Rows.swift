/// The rows of the contract, and where they are cited.
///
/// A citation is a whole word of one capital letter and a number from 1 to 99, wherever it is: in a comment, in the
/// name of a test, in a table, in the name of a scenario. `K1–K4` cites its two ends. Words of this shape that mean
/// something else are listed below; a new one has to be added there or written differently.
enum Rows {
  static let file = "Sources/Jukebox/BEHAVIOUR.md"

  /// Sample formats, fixed-point formats, the C standard, a processor, and what is typed at a jukebox.
  private static let otherWords: Set<String> = [
    "S16", "S24", "S32", "Q15", "Q30", "C11", "A53", "A2", "A3", "A4", "A7", "A8", "A9",
  ]
  /// Notes that the simulated board's music is made of.
  private static let scores: Set<String> = ["board/sim/make-music", "board/sim/instruments.py"]
  private static let otherWordsByFile: [String: Set<String>] = [
    // The name of a folder with music.
    "Tests/TrackDecodingTests/LibraryScanTests.swift": ["B2"],
    // What is typed at a jukebox, too.
    "board/sim/examples/bar.toml": ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C9"],
    "board/sim/examples/bar.scenario": ["A1", "A2", "A3", "B1", "B2", "B3", "C1"],
    "board/sim/examples/club.toml": ["A1", "A2", "A3"],
    "board/sim/examples/club.scenario": ["A1", "A2", "A3"],
    // Examples of what is a citation and what is not, and this list.
    "Tests/ContractTests/RowTests.swift": ["A1", "Z9"],
    "Tests/ContractTests/Rows.swift": ["A1", "B2", "C9", "Z9"],
  ]

  /// The rows that the contract defines, in its order: the first cell of each line of its tables.
  static func defined(in contract: String) -> [String] {
    contract.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count >= 5, cells[0].isEmpty else { return nil }
      let name = cells[1].filter { $0 != " " }
      return isRowName(Array(name.utf8)[...]) ? name : nil
    }
  }

  /// The cells after the name of each row and of each of its parts, which are called A1.1 and so on.
  static func cells(in contract: String) -> [(row: String, cell: String)] {
    contract.split(separator: "\n").flatMap { line -> [(row: String, cell: String)] in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard cells.count >= 5, cells[0].isEmpty else { return [] }
      let row = cells[1].filter { $0 != " " }
      let name = row.prefix { $0 != "." }
      guard isRowName(Array(name.utf8)[...]) else { return [] }
      return cells[2..<cells.count - 1].map { (row, $0) }
    }
  }

  /// The rows cited in a file, or in its path.
  static func cited(in file: Repository.TextFile) -> Set<String> {
    if scores.contains(file.path) { return [] }
    return cited(in: file.text).union(cited(in: Array(file.path.utf8)))
      .subtracting(otherWordsByFile[file.path] ?? [])
  }

  static func cited(in text: [UInt8]) -> Set<String> {
    var rows: Set<String> = []
    var start = text.startIndex
    while start < text.endIndex {
      guard isWordCharacter(text[start]) else {
        start += 1
        continue
      }
      let end = text[start...].firstIndex { !isWordCharacter($0) } ?? text.endIndex
      if isRowName(text[start..<end]) && !isPartOfOther(text[..<start]) {
        rows.insert(String(decoding: text[start..<end], as: UTF8.self))
      }
      start = end
    }
    return rows.subtracting(otherWords)
  }

  private static func isRowName(_ word: ArraySlice<UInt8>) -> Bool {
    let number = word.dropFirst()
    guard let letter = word.first, (1...2).contains(number.count) else { return false }
    return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) && number.first != UInt8(ascii: "0")
      && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// By what stands before the word: an option of a compiler, as ` -O2`, or a character by its number, as `\u{E9}`.
  private static func isPartOfOther(_ before: ArraySlice<UInt8>) -> Bool {
    let last = String(decoding: before.suffix(2), as: UTF8.self)
    return last == "u{" || last == " -" || last == "\"-"
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The names of tests: of Swift tests and suites, of checks of the emulated board, and of scenarios.
enum TestNames {
  static func all(in file: Repository.TextFile) -> [String] {
    guard file.path.hasPrefix("Tests/") else { return [] }
    if file.path.hasSuffix(".scenario") { return [String(file.path.split(separator: "/").last ?? "")] }
    if file.path.hasSuffix(".swift") { return quoted(after: ["@Test(", "@Suite("], in: file.text) }
    return file.path.hasSuffix(".py") ? quoted(after: ["@check("], in: file.text) : []
  }

  /// The string literal that is the first argument, which may be on the next line.
  static func quoted(after calls: [String], in text: [UInt8]) -> [String] {
    var names: [String] = []
    for at in text.indices where text[at] == UInt8(ascii: "@") {
      guard let call = calls.first(where: { text[at...].starts(with: $0.utf8) }) else { continue }
      let argument = text[(at + call.utf8.count)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      guard argument.first == UInt8(ascii: "\"") else { continue }
      let name = argument.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n") }
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }
}
