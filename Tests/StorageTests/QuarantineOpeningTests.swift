import Board
import Glibc
import Simulator
import TestSupport
import Testing
import Threads

@testable import KioskTestSupport
@testable import Storage

/// One by one, because what is open is noted once per process.
@Suite(.serialized) struct QuarantineOpeningTests {
  @Test("P13: what is being opened is noted meanwhile, and a file that is left out is not opened")
  func guarded() throws {
    let folder = try TemporaryFolder()
    let store = QuarantineStore(KeptDatabase(folder: folder.path), openingPath: folder.path(of: "opening")) {
      FileMark(path: $0, size: 1, modified: 1)
    }
    var noted: [UInt8]?
    func open() throws { try store.admit("a") { _ throws(TrackError) in noted = folder.read("opening") } }
    try open()
    #expect(String(decoding: noted ?? [], as: UTF8.self).contains("[files.\"a\"]") && folder.read("opening") == [])
    noted = nil
    for _ in 0..<2 { store.died("a", reason: "signal 11") }
    let reason = "left out until the file changes: its decoder failed 2 times (signal 11)"
    #expect(throws: TrackError(operation: .open, path: "a", reason: reason)) { try open() }
    #expect(noted == nil)
  }

  @Test("P13: a death is noted by another thread than the one that decodes, and before the next opening")
  func reported() throws {
    let folder = try TemporaryFolder()
    let storage = AwkwardStorage()
    let writers = Locked<[UInt]>([])
    storage.beforeWrite = { writers.withLock { $0.append(pthread_self()) } }
    func start() -> QuarantineStore {
      let database = KeptDatabase(folder: folder.path, storage: storage, system: StorageVFS(storage), pause: {})
      let store = QuarantineStore(database, openingPath: nil) { FileMark(path: $0, size: 1, modified: 1) }
      try? store.takeKept()
      return store
    }
    let store = start()
    writers.withLock { $0 = [] }
    store.report("a", reason: "signal 11")
    #expect(store.stop())
    #expect(!writers.withLock { $0 }.isEmpty && !writers.withLock { $0.contains(pthread_self()) })
    store.report("a", reason: "signal 11")
    #expect(throws: TrackError.self) { try store.admit("a") { _ in } }
    #expect(store.stop() && start().leftOut.map(\.path) == ["a"])
  }

  /// Has the next write raise the first of these, and wait for the second.
  private func holdNextWrite(of storage: AwkwardStorage) -> (isHeld: Signal, release: Signal) {
    let (isHeld, release) = (Signal(), Signal())
    storage.beforeWrite = {
      storage.beforeWrite = nil
      isHeld.raise()
      _ = isReady(release.fileDescriptor)
    }
    return (isHeld, release)
  }

  @Test("P13: while the storage of the state hangs, files are opened all the same, and those that did harm left out")
  func hangs() throws {
    let folder = try TemporaryFolder()
    let storage = AwkwardStorage()
    let database = KeptDatabase(folder: folder.path, storage: storage, system: StorageVFS(storage), pause: {})
    let store = QuarantineStore(database, openingPath: folder.path(of: "opening")) {
      FileMark(path: $0, size: 1, modified: 1)
    }
    try store.takeKept()
    let (isHeld, release) = holdNextWrite(of: storage)
    store.report("a", reason: "signal 11")
    #expect(isReady(isHeld.fileDescriptor))
    store.report("a", reason: "signal 11")
    let refused = Locked<[String: Bool]>([:])
    let decoder = WorkerThread(name: "decode", signal: Signal()) { _ in
      for path in ["a", "b"] {
        let isRefused = (try? store.admit(path) { _ in }) == nil
        refused.withLock { $0[path] = isRefused }
      }
    }
    #expect(decoder.stop(within: .seconds(2)) && refused.withLock { $0 } == ["a": true, "b": false])
    #expect(!store.stop(within: .zero))
    release.raise()
    // Once the storage answers, it is kept.
    store.report("c", reason: "signal 11")
    #expect(store.stop())
    #expect(try QuarantineStore.read(database).leftOut.map(\.path) == ["a"])
  }

  @Test("P13.1: a file that is opened well again does not wait for the storage of the state")
  func hangsAtOpened() throws {
    let folder = try TemporaryFolder()
    let storage = AwkwardStorage()
    func start() -> QuarantineStore {
      let database = KeptDatabase(folder: folder.path, storage: storage, system: StorageVFS(storage), pause: {})
      let store = QuarantineStore(database, openingPath: folder.path(of: "opening")) {
        FileMark(path: $0, size: 1, modified: 1)
      }
      try? store.takeKept()
      return store
    }
    let noted = start().opening("a") { _ in folder.read("opening") }
    folder.write("opening", noted ?? [])
    let store = start()
    let (isHeld, release) = holdNextWrite(of: storage)
    let decoder = WorkerThread(name: "decode", signal: Signal()) { _ in store.opening("a") { _ in } }
    #expect(decoder.stop(within: .seconds(2)) && isReady(isHeld.fileDescriptor))
    release.raise()
    #expect(store.stop())
    #expect(store.leftOut.isEmpty)
  }
}
