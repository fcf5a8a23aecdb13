import Files

/// The errors found so far in a file that is read to its end whatever is wrong in it. One thread.
final class TOMLFaults: @unchecked Sendable {
  /// The most errors that are kept of one kind, and that are thrown.
  private static let most = 50

  private var found: [FileError] = []
  /// What is said of a file that is taken all the same.
  private var warnings: [FileError] = []
  /// Words that are not TOML. The fields that take them say what they should be; what none takes must not pass.
  private var words: [(word: TOMLWord, field: String)] = []

  var isEmpty: Bool { found.isEmpty }
  /// In the order of their lines.
  var remarks: [FileError] { Self.sorted(warnings) }
  /// The errors so far, in the order of their lines.
  var errors: [FileError] { Self.sorted(found) }

  func contains(_ error: FileError) -> Bool { found.contains(error) }

  func add(_ error: FileError) {
    if found.count < Self.most, !found.contains(error) { found.append(error) }
  }

  func warn(_ remark: FileError) {
    if warnings.count < Self.most, !warnings.contains(remark) { warnings.append(remark) }
  }

  func expect(_ word: TOMLWord, field: String) {
    words.append((word, field))
  }

  /// Throws all errors as one, in the order of their lines. Words are found last, though one may be on
  /// the first line: only after sorting is the list cut to the most that are shown.
  func check(file: String) throws(FileError) {
    for (word, field) in words where !(found + warnings).contains(where: { $0.line == word.place.line }) {
      let value = TOMLValue(.word(word.text), line: word.place.line, column: word.place.column)
      let expected = TOMLShape.anyText.untyped.expected(instead: value)
      let message = "found \(value.found), expected \(expected)"
      found.append(FileError(file: file, line: word.place.line, field: field, message: message))
    }
    let sorted = errors.prefix(Self.most)
    guard var first = sorted.first else { return }
    first.further = Array(sorted.dropFirst())
    throw first
  }

  private static func sorted(_ errors: [FileError]) -> [FileError] {
    errors.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
  }
}

extension TOMLFaults: Hashable {
  /// Tables are compared by what they hold.
  static func == (_: TOMLFaults, _: TOMLFaults) -> Bool { true }

  func hash(into _: inout Hasher) {}
}

extension TOMLTable {
  /// Reads a whole file with `body`, which finds all of its errors, and throws them together.
  ///
  /// - Parameter rootKeys: what the root table may hold beside tables.
  static func reading<Value>(
    _ text: [UInt8], file: String, rootKeys: [String], _ body: (TOMLTable) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let faults = TOMLFaults()
    var root = try TOMLTable(reading: text, file: file, faults: faults)
    root.rootKeys = rootKeys
    let value = try root.attempt { () throws(FileError) in try body(root) }
    try faults.check(file: file)
    guard let value else { throw root.error("cannot be read") }
    return value
  }

  /// Whether an error was found before, which may be the cause of the next.
  var isFaulty: Bool { faults.map { !$0.isEmpty } ?? false }

  /// Throws what was found so far. What is checked after it is of tables that are good by themselves.
  func checkFaults() throws(FileError) { try faults?.check(file: file) }

  /// What `body` returns; nil where it throws, and the file is read on.
  func attempt<Value>(_ body: () throws(FileError) -> Value) throws(FileError) -> Value? {
    do throws(FileError) {
      return try body()
    } catch {
      try keep(error)
      return nil
    }
  }

  /// Says what is not as it should be in a file that is taken all the same, as with a value that means nothing here. A
  /// check that is added after a release warns, unless the firmware cannot run with the value: a board whose settings
  /// were good for years must not be silent after an upgrade. Where errors are not collected, nobody is told.
  func warn(_ remark: FileError) { faults?.warn(remark) }

  /// What `warn` was told, in the order of the lines.
  var remarks: [FileError] { faults?.remarks ?? [] }

  /// Keeps an error for the end of the file; throws it where errors are not collected.
  func keep(_ error: FileError) throws(FileError) {
    guard let faults else { throw error }
    // Errors that were thrown together were kept before.
    if error.further.isEmpty { faults.add(error) }
  }
}
