import Files

/// A table of a TOML file, read strictly: nothing is guessed, and every error says where it is and what was expected.
public struct TOMLTable: Hashable, Sendable {
  /// As the errors name it.
  public let file: String
  /// Path of the table, e.g. `ports.headphones`; empty for the root.
  public let path: String
  /// Of the table's header; 1 for the root.
  public let line: Int
  /// In the order of the file.
  public let entries: [TOMLEntry]

  init(file: String, path: String, line: Int, entries: [TOMLEntry]) {
    self.file = file
    self.path = path
    self.line = line
    self.entries = entries
  }

  /// Throws at the first key that is not one of `keys`, naming the nearest of them, or all where none is near.
  public func allowOnly(_ keys: [String]) throws(FileError) {
    guard let entry = entries.first(where: { !keys.contains($0.key) }) else { return }
    if let nearest = Wording.nearest(to: entry.key, among: keys) {
      throw error(entry.key, "unknown key, did you mean \(nearest)?")
    }
    throw error(entry.key, "unknown key, expected \(Wording.list(keys))")
  }

  func has(_ key: String) -> Bool { self[key] != nil }

  /// Where the value of a key stands; nil where the key is missing.
  func line(of key: String) -> Int? { self[key]?.line }

  /// The value of a key that must be there and have this shape.
  public func required<Value>(_ key: String, _ shape: TOMLShape<Value>) throws(FileError) -> Value {
    guard let value = try optional(key, shape) else {
      throw error(key, "missing, expected \(shape.full)")
    }
    return value
  }

  /// The value of a key, which must have this shape; nil where the key is missing.
  public func optional<Value>(_ key: String, _ shape: TOMLShape<Value>) throws(FileError) -> Value? {
    guard let value = self[key] else { return nil }
    switch shape.read(value) {
    case .good(let result): return result
    case .wrongType: throw error(key, "found \(value.found), expected \(shape.full)")
    case .bad(let what, let line): throw error(key, "\(what), expected \(shape.expected)", line: line)
    }
  }

  /// The table under a key; nil where the key is missing.
  public func table(_ key: String) throws(FileError) -> TOMLTable? {
    guard let value = self[key] else { return nil }
    guard case .table(let entries) = value.kind else {
      throw error(key, "found \(value.found), expected a table")
    }
    return TOMLTable(file: file, path: field(key), line: value.line, entries: entries)
  }

  /// All entries as tables, in the order of the file; throws at the first that is none.
  public func tables() throws(FileError) -> [(name: String, table: TOMLTable)] {
    var tables: [(name: String, table: TOMLTable)] = []
    for entry in entries {
      if let table = try table(entry.key) { tables.append((entry.key, table)) }
    }
    return tables
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
