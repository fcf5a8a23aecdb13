import CSQLite
import Files

/// A failed call of SQLite.
package struct DatabaseError: Error, Hashable, CustomStringConvertible {
  package var file: String
  /// An extended result code.
  var code: CInt
  package var message: String

  package var description: String { "\(Wording.path(file)): \(message)" }

  private var primary: CInt { code & 0xFF }

  /// Whether the storage may not have returned the contents of the file. Trying again may help. SQLite also reports
  /// EIO, as after a glitch of a card, as SQLITE_CORRUPT.
  var isUnread: Bool {
    [CSQLITE_IOERR_READ, CSQLITE_IOERR_SHORT_READ, CSQLITE_IOERR_FSTAT, CSQLITE_IOERR_CORRUPTFS].contains(code)
      || primary == SQLITE_CORRUPT
  }

  /// Whether the file is not a database of ours, or a damaged one.
  var isDamage: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_TOOBIG].contains(primary)
  }

  /// Whether another program has the file just now.
  package var isBusy: Bool { primary == SQLITE_BUSY }

  /// Whether the file is there, and no firmware has kept anything in it yet.
  package var isUnbegun: Bool { code == SQLITE_EMPTY }
}
