#pragma once
#include <sqlite3.h>

/// Binds a copy of the text: the macro that asks for a copy is a cast, which Swift does not import.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, sqlite3_uint64 bytes) {
  return sqlite3_bind_text64(statement, place, text ? text : "", bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

// Extended results, which are expressions that Swift does not import.
static const int CSQLITE_IOERR_READ = SQLITE_IOERR_READ;
static const int CSQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ;
static const int CSQLITE_IOERR_WRITE = SQLITE_IOERR_WRITE;
static const int CSQLITE_IOERR_FSYNC = SQLITE_IOERR_FSYNC;
static const int CSQLITE_IOERR_TRUNCATE = SQLITE_IOERR_TRUNCATE;
static const int CSQLITE_IOERR_FSTAT = SQLITE_IOERR_FSTAT;
static const int CSQLITE_IOERR_DELETE = SQLITE_IOERR_DELETE;
static const int CSQLITE_IOERR_DELETE_NOENT = SQLITE_IOERR_DELETE_NOENT;
static const int CSQLITE_IOERR_CORRUPTFS = SQLITE_IOERR_CORRUPTFS;
static const int CSQLITE_IOERR_ACCESS = SQLITE_IOERR_ACCESS;
