import CSQLite

/// A value of a parameter in a statement.
enum DatabaseValue {
  case integer(Int)
  case text(String)
  case bytes([UInt8])
  case null
}

/// The current row of the result of a statement.
struct DatabaseRow {
  fileprivate let statement: OpaquePointer

  /// 0 for what is not a number, and the nearest number for what is too large.
  func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(statement, CInt(column))) }

  /// nil for what is not a whole number.
  func wholeNumber(_ column: Int) -> Int? {
    sqlite3_column_type(statement, CInt(column)) == SQLITE_INTEGER ? integer(column) : nil
  }

  func isText(_ column: Int) -> Bool { sqlite3_column_type(statement, CInt(column)) == SQLITE_TEXT }

  /// Empty for NULL.
  func text(_ column: Int) -> String {
    guard let text = sqlite3_column_text(statement, CInt(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, CInt(column)))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(statement, CInt(column)) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, CInt(column)))))
  }
}

/// A connection to a database. One thread at a time; every call blocks as long as the storage does.
package final class DatabaseConnection {
  package enum Access {
    case readOnly
    /// Reads, and takes back what a power cut has left half done.
    case recover
    case readWrite
  }

  /// Why the database is still of an earlier version, whose tables can be used; nil: it is of ours.
  var migrationFailure: DatabaseError?
  private let file: String
  private var handle: OpaquePointer?
  /// By their text: a large listing runs one of them for each track.
  private var statements: [String: OpaquePointer] = [:]

  /// - Parameter system: the name of the SQLite VFS; nil: the machine's own file systems.
  init(_ path: String, _ access: Access, system: String? = nil) throws(DatabaseError) {
    file = path
    let flags =
      switch access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .recover: SQLITE_OPEN_READWRITE
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let result = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_EXRESCODE, system)
    if result != SQLITE_OK { throw error(result) }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  /// Whether somebody has removed or replaced the file, which would take what is written and lose it.
  var hasLostItsFile: Bool {
    var hasMoved: CInt = 0
    return sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
  }

  /// Runs statements that have no parameters and whose results nobody needs.
  func execute(_ statements: String) throws(DatabaseError) {
    let result = sqlite3_exec(handle, statements, nil, nil, nil)
    if result != SQLITE_OK { throw error(result) }
  }

  /// Runs one statement; `row` gets each row of its result.
  func run(_ text: String, _ values: [DatabaseValue] = [], row: (DatabaseRow) -> Void = { _ in }) throws(DatabaseError)
  {
    let statement = try prepared(text)
    defer {
      sqlite3_reset(statement)
      // Else the statement holds a copy of the last values, which for a large listing is a megabyte.
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let result = bind(value, statement, CInt(index + 1))
      if result != SQLITE_OK { throw error(result) }
    }
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return }
      if result != SQLITE_ROW { throw error(result) }
      row(DatabaseRow(statement: statement))
    }
  }

  /// All that `body` changes is kept, or, where it throws or the power is cut, nothing of it.
  func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try transaction("BEGIN IMMEDIATE", body)
  }

  /// All that `body` reads is of one moment, whatever another program writes meanwhile.
  func snapshot<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    try transaction("BEGIN", body)
  }

  private func transaction<Result>(
    _ begin: String, _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try execute(begin)
    do throws(DatabaseError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Most errors have undone it already.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  private func prepared(_ text: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = statements[text] { return statement }
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v2(handle, text, -1, &statement, nil)
    guard let statement, result == SQLITE_OK else { throw error(result) }
    statements[text] = statement
    return statement
  }

  private func bind(_ value: DatabaseValue, _ statement: OpaquePointer, _ place: CInt) -> CInt {
    switch value {
    case .integer(let number): return sqlite3_bind_int64(statement, place, Int64(number))
    case .null: return sqlite3_bind_null(statement, place)
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { csqlite_bind_blob(statement, place, $0.baseAddress, UInt64($0.count)) }
    case .text(var text):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          csqlite_bind_text(statement, place, $0.baseAddress, UInt64($0.count))
        }
      }
    }
  }

  /// An error about the contents of the file.
  func damage(_ message: String) -> DatabaseError { DatabaseError(file: file, code: SQLITE_CORRUPT, message: message) }

  private func error(_ code: CInt) -> DatabaseError {
    DatabaseError(file: file, code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}
