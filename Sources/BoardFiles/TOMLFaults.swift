import Files

/// The errors found so far in a file that is read to its end whatever is wrong in it. One thread.
final class TOMLFaults: @unchecked Sendable {
  /// The most errors that are kept.
  private static let most = 50

  private var found: [FileError] = []
  /// The lines that are not TOML, of which nothing else is said.
  private var unreadable: Set<Int> = []

  var isFull: Bool { found.count >= Self.most }

  var isEmpty: Bool { found.isEmpty }

  func contains(_ error: FileError) -> Bool { found.contains(error) }

  func add(_ error: FileError) {
    if !isFull, !unreadable.contains(error.line), !found.contains(error) { found.append(error) }
  }

  /// Adds an error of the parser. Whoever reads the file got another value there, or none.
  func add(unreadable error: FileError) {
    if !isFull { found.append(error) }
    unreadable.insert(error.line)
  }

  /// Throws all errors as one, in the order of their lines.
  func check() throws(FileError) {
    let sorted = found.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
    guard var first = sorted.first?.element else { return }
    first.further = sorted.dropFirst().map(\.element)
    throw first
  }
}

extension TOMLFaults: Hashable {
  /// Tables are compared by what they hold.
  static func == (_: TOMLFaults, _: TOMLFaults) -> Bool { true }

  func hash(into _: inout Hasher) {}
}

extension TOMLTable {
  /// Reads a whole file with `body`, which finds all of its errors, and throws them together.
  static func reading<Value>(
    _ text: [UInt8], file: String, _ body: (TOMLTable) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let faults = TOMLFaults()
    let root: TOMLTable
    do throws(FileError) {
      root = try TOMLTable(parsing: text, file: file, faults: faults)
    } catch {
      faults.add(unreadable: error)
      try faults.check()
      throw error
    }
    let value = try root.attempt { () throws(FileError) in try body(root) }
    try faults.check()
    guard let value else { throw root.error("cannot be read") }
    return value
  }

  /// Whether an error was found before, which may be the cause of the next.
  var isFaulty: Bool { faults.map { !$0.isEmpty } ?? false }

  /// Throws what was found so far. What is checked after it is of tables that are good by themselves.
  func checkFaults() throws(FileError) { try faults?.check() }

  /// What `body` returns; nil where it throws, and the file is read on.
  func attempt<Value>(_ body: () throws(FileError) -> Value) throws(FileError) -> Value? {
    do throws(FileError) {
      return try body()
    } catch {
      try keep(error)
      return nil
    }
  }

  /// Keeps an error for the end of the file; throws it where errors are not collected.
  func keep(_ error: FileError) throws(FileError) {
    guard let faults else { throw error }
    // What was thrown together was kept before.
    if error.further.isEmpty { faults.add(error) }
  }
}
