import CSQLite
import Glibc
import Storage

/// Has SQLite keep its files in a `Storage`, in which tests cut the power and simulated boards run out of space. One
/// program uses them at a time, so that there is nothing to lock. One thread at a time.
package final class StorageVFS: DatabaseSystem {
  package let name: String
  private let system: UnsafeMutablePointer<sqlite3_vfs>

  package init(_ storage: any Storage) {
    system = .allocate(capacity: 1)
    name = "storage-\(UInt(bitPattern: system))"
    // Times and random numbers come from the machine's own.
    system.initialize(to: sqlite3_vfs_find(nil)?.pointee ?? sqlite3_vfs())
    system.pointee.szOsFile = CInt(MemoryLayout<SystemFile>.size)
    system.pointee.mxPathname = 4_096
    system.pointee.pNext = nil
    system.pointee.zName = UnsafePointer(strdup(name))
    system.pointee.pAppData = Unmanaged.passRetained(Context(storage)).toOpaque()
    system.pointee.xOpen = { system, name, file, flags, given in
      VFSCall.open(system, name, file, flags, given)
    }
    system.pointee.xDelete = { system, name, _ in VFSCall.remove(system, name) }
    system.pointee.xAccess = { system, name, _, found in VFSCall.access(system, name, found) }
    system.pointee.xFullPathname = { _, name, room, path in
      guard let name, let path, strlen(name) < Int(room) else { return SQLITE_CANTOPEN }
      strcpy(path, name)
      return SQLITE_OK
    }
    sqlite3_vfs_register(system, 0)
  }

  /// Connections must be closed before.
  deinit {
    sqlite3_vfs_unregister(system)
    free(UnsafeMutablePointer(mutating: system.pointee.zName))
    if let context = system.pointee.pAppData { Unmanaged<Context>.fromOpaque(context).release() }
    system.deallocate()
  }
}

private final class Context {
  let storage: any Storage
  init(_ storage: any Storage) { self.storage = storage }
}

private final class Handle {
  let storage: any Storage
  let file: StorageFile
  var hasNewName: Bool

  init(_ storage: any Storage, _ file: StorageFile, hasNewName: Bool) {
    (self.storage, self.file, self.hasNewName) = (storage, file, hasNewName)
  }
}

/// What SQLite has of an open file.
private struct SystemFile {
  var base: sqlite3_file
  var handle: Unmanaged<Handle>
}

/// The calls that are more than a line.
private enum VFSCall {
  nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { VFSCall.close($0) }
    methods.xRead = { VFSCall.read($0, $1, $2, $3) }
    methods.xWrite = { VFSCall.write($0, $1, $2, $3) }
    methods.xTruncate = { file, size in
      VFSCall.attempt(file, CSQLITE_IOERR_TRUNCATE) { (handle) throws(StorageError) in
        try handle.storage.truncate(handle.file, to: Int(size))
      }
    }
    methods.xSync = { file, _ in
      VFSCall.attempt(file, CSQLITE_IOERR_FSYNC) { (handle) throws(StorageError) in
        try handle.storage.sync(handle.file)
        // As the machine's own do: the first sync of a journal makes its name survive, too, and that of the database.
        if handle.hasNewName { try handle.storage.syncFolder(folder(of: handle.file.path)) }
        handle.hasNewName = false
      }
    }
    methods.xFileSize = { file, size in
      VFSCall.attempt(file, CSQLITE_IOERR_FSTAT) { (handle) throws(StorageError) in
        size?.pointee = sqlite3_int64(try handle.storage.size(of: handle.file))
      }
    }
    methods.xLock = { _, _ in SQLITE_OK }
    methods.xUnlock = { _, _ in SQLITE_OK }
    methods.xCheckReservedLock = { _, isLocked in
      isLocked?.pointee = 0
      return SQLITE_OK
    }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in 512 }
    // What the machine's own file systems are taken to be, too.
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    let kept = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    kept.initialize(to: methods)
    return UnsafePointer(kept)
  }()

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func storage(_ system: UnsafeMutablePointer<sqlite3_vfs>?) -> (any Storage)? {
    system?.pointee.pAppData.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue().storage }
  }

  static func open(
    _ system: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: CInt, _ given: UnsafeMutablePointer<CInt>?
  ) -> CInt {
    file?.pointee.pMethods = nil
    guard let storage = storage(system), let name, let file else { return SQLITE_CANTOPEN }
    let path = String(cString: name)
    let known = try? storage.open(path)
    guard let found = known ?? (flags & SQLITE_OPEN_CREATE == 0 ? nil : try? storage.create(path)) else {
      return SQLITE_CANTOPEN
    }
    let handle = Handle(storage, found, hasNewName: known == nil && flags & SQLITE_OPEN_MAIN_JOURNAL != 0)
    let open = SystemFile(base: sqlite3_file(pMethods: methods), handle: .passRetained(handle))
    UnsafeMutableRawPointer(file).bindMemory(to: SystemFile.self, capacity: 1).initialize(to: open)
    given?.pointee = flags
    return SQLITE_OK
  }

  static func remove(_ system: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?) -> CInt {
    guard let storage = storage(system), let name else { return CSQLITE_IOERR_DELETE }
    do throws(StorageError) {
      try storage.remove(String(cString: name))
      return SQLITE_OK
    } catch {
      return error.code == ENOENT ? CSQLITE_IOERR_DELETE_NOENT : CSQLITE_IOERR_DELETE
    }
  }

  static func access(
    _ system: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?, _ found: UnsafeMutablePointer<CInt>?
  ) -> CInt {
    guard let storage = storage(system), let name else { return CSQLITE_IOERR_ACCESS }
    // Opening it would not be without effect: a simulated storage has one of each name.
    var code: CInt = 0
    do throws(StorageError) { _ = try storage.read(String(cString: name), atMost: 0) } catch { code = error.code }
    found?.pointee = code == ENOENT ? 0 : 1
    return SQLITE_OK
  }

  private static func handle(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Unmanaged<Handle>? {
    file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: SystemFile.self).pointee.handle }
  }

  static func attempt(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ failure: CInt,
    _ body: (Handle) throws(StorageError) -> Void
  ) -> CInt {
    guard let handle = handle(file)?.takeUnretainedValue() else { return failure }
    do throws(StorageError) {
      try body(handle)
      return SQLITE_OK
    } catch {
      switch error.code {
      case ENOSPC: return SQLITE_FULL
      case EROFS: return SQLITE_READONLY
      // As the machine's own do: SQLite makes SQLITE_CORRUPT of it.
      case EIO where failure == CSQLITE_IOERR_READ: return CSQLITE_IOERR_CORRUPTFS
      default: return failure
      }
    }
  }

  static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> CInt {
    if let handle = handle(file) {
      let open = handle.takeRetainedValue()
      open.storage.close(open.file)
    }
    return SQLITE_OK
  }

  static func read(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeMutableRawPointer?, _ count: CInt,
    _ offset: sqlite3_int64
  ) -> CInt {
    let room = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
    var found = 0
    let result = attempt(file, CSQLITE_IOERR_READ) { (handle) throws(StorageError) in
      found = try handle.storage.read(room, from: handle.file, at: Int(offset))
    }
    if result != SQLITE_OK || found == room.count { return result }
    for place in found..<room.count { room[place] = 0 }
    return CSQLITE_IOERR_SHORT_READ
  }

  static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: CInt, _ offset: sqlite3_int64
  ) -> CInt {
    attempt(file, CSQLITE_IOERR_WRITE) { (handle) throws(StorageError) in
      let all = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      if let error = handle.storage.writeAll(all, to: handle.file, at: Int(offset)).error { throw error }
    }
  }
}
