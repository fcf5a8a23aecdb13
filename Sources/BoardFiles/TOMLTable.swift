import Files

/// A table of a TOML file, read strictly: nothing is guessed, and every error has its line and what was expected.
public struct TOMLTable: Hashable, Sendable {
  /// The file's name, for errors.
  public let file: String
  /// Path of the table, e.g. `ports.headphones`; empty for the root.
  public let path: String
  /// The line of the table's header; 1 for the root.
  public let line: Int
  /// The entries in the order of the file.
  public let entries: [TOMLEntry]
  /// Where errors are collected; nil: the first one is thrown.
  var faults: TOMLFaults?
  /// What the root table may hold beside tables: somebody may have written it below one of them.
  var rootKeys: [String] = []

  /// An error for each key that is not one of `keys`, which suggests the most similar one, or all where none is similar.
  public func allowOnly(_ keys: [String]) throws(FileError) {
    for entry in entries where !keys.contains(entry.key) {
      if let misplaced = misplaced(entry.key) {
        try keep(misplaced)
      } else if let nearest = Wording.nearest(to: entry.key, among: keys) {
        try keep(error(entry.key, Self.suggestion(nearest)))
      } else {
        try keep(error(entry.key, "unknown key, expected \(Wording.list(keys))"))
      }
    }
  }

  /// The error about a key of the root table that is in this one; nil: it is not such a key.
  func misplaced(_ key: String) -> FileError? {
    guard !path.isEmpty, rootKeys.contains(key) else { return nil }
    return error(key, "stands in [\(path)], expected above the first [table] of the file")
  }

  func has(_ key: String) -> Bool { self[key] != nil }

  /// The line of a key's value; nil where the key is missing.
  func line(of key: String) -> Int? { self[key]?.line }

  /// The value of a key that must be there and have this shape.
  public func required<Value>(_ key: String, _ shape: TOMLShape<Value>) throws(FileError) -> Value {
    guard let value = try read(key, shape) else {
      throw misspelling(of: key) ?? missing(key, expected: shape.full)
    }
    return value
  }

  /// The error about a key that is not there.
  func missing(_ key: String, expected: String) -> FileError { error(key, "missing, expected \(expected)") }

  /// The error about an unknown key that was probably meant to be this one.
  private func misspelling(of key: String) -> FileError? {
    entries.lazy.map { error($0.key, Self.suggestion(key)) }.first { faults?.contains($0) ?? false }
  }

  private static func suggestion(_ key: String) -> String { "unknown key, did you mean \(key)?" }

  /// A value for a key that must be there, so that what follows it can be read when it is wrong: then `placeholder`.
  func required<Value>(_ key: String, _ shape: TOMLShape<Value>, or placeholder: Value) throws(FileError) -> Value {
    try attempt { () throws(FileError) in try required(key, shape) } ?? placeholder
  }

  /// The value of a key, which must have this shape; nil where the key is missing, or wrong and errors are collected.
  public func optional<Value>(_ key: String, _ shape: TOMLShape<Value>) throws(FileError) -> Value? {
    try attempt { () throws(FileError) in try read(key, shape) } ?? nil
  }

  private func read<Value>(_ key: String, _ shape: TOMLShape<Value>) throws(FileError) -> Value? {
    guard let value = self[key] else { return nil }
    if case .good(let result) = shape.read(value) { return result }
    try check(key, value, shape.untyped)
    return nil
  }

  /// Throws the error about a value that does not have this shape.
  private func check(_ key: String, _ value: TOMLValue, _ shape: TOMLShape<Void>) throws(FileError) {
    switch shape.read(value) {
    case .good: return
    case .wrongType: throw error(key, "found \(shape.found(value)), expected \(shape.expected(instead: value))")
    case .bad(let what, let line): throw error(key, "\(what), expected \(shape.expected)", line: line)
    case .badElements(let flaws):
      let errors = flaws.map { error(key, "\($0.what), expected \(shape.expected)", line: $0.line) }
      for error in errors.dropLast() { try keep(error) }
      throw errors.last ?? error(key, "expected \(shape.expected)")
    }
  }

  /// The table under a key; nil where the key is missing, or no table and errors are collected.
  public func table(_ key: String) throws(FileError) -> TOMLTable? {
    try self[key].flatMap { value throws(FileError) in try table(key, value) }
  }

  private func table(_ key: String, _ value: TOMLValue) throws(FileError) -> TOMLTable? {
    guard case .table(let entries) = value.kind else {
      try keep(misplaced(key) ?? error(key, "found \(value.found), expected a table"))
      return nil
    }
    return inner(key, line: value.line, entries)
  }

  /// All entries as tables, in the order of the file; an error for each that is not a table.
  public func tables() throws(FileError) -> [(name: String, table: TOMLTable)] {
    var tables: [(name: String, table: TOMLTable)] = []
    for entry in entries {
      if let table = try table(entry.key, entry.value) { tables.append((entry.key, table)) }
    }
    return tables
  }

  /// The tables of an array of them (`[[key]]`), in the order of the file; none where the key is missing.
  public func tables(of key: String) throws(FileError) -> [TOMLTable] {
    guard let value = self[key] else { return [] }
    guard case .array(let elements) = value.kind else {
      try keep(error(key, "found \(value.found), expected tables"))
      return []
    }
    var tables: [TOMLTable] = []
    for element in elements {
      guard case .table(let entries) = element.kind else {
        try keep(error(key, "found \(element.found), expected a table", line: element.line))
        continue
      }
      tables.append(inner(key, line: element.line, entries))
    }
    return tables
  }

  private func inner(_ key: String, line: Int, _ entries: [TOMLEntry]) -> TOMLTable {
    TOMLTable(file: file, path: field(key), line: line, entries: entries, faults: faults, rootKeys: rootKeys)
  }

  /// An error about a key, at its line, or at the table's where the key is missing.
  public func error(_ key: String, _ message: String, line: Int? = nil) -> FileError {
    FileError(file: file, line: line ?? self[key]?.line ?? self.line, field: field(key), message: message)
  }

  /// An error about the table itself.
  public func error(_ message: String) -> FileError {
    FileError(file: file, line: line, field: path, message: message)
  }

  private subscript(key: String) -> TOMLValue? { entries.first { $0.key == key }?.value }

  private func field(_ key: String) -> String {
    path.isEmpty ? Wording.key(key) : "\(path).\(Wording.key(key))"
  }
}
