import AudioSession
import Files
import Jukebox
import TestSupport
import Testing

@testable import Firmware
@testable import Storage
@testable import Threads

/// What was saved just before the end is written, whatever the thread was doing then.
@Suite struct StorageThreadTests {
  /// A disk on which something happens while a file is made.
  private final class BusyDisk: Storage {
    private let disk = DiskStorage()
    var whileCreating: () -> Void = {}

    func makeFolder(_ path: String) throws(StorageError) { try disk.makeFolder(path) }
    func freeBytes(in folder: String) throws(StorageError) -> Int { try disk.freeBytes(in: folder) }
    func create(_ path: String) throws(StorageError) -> StorageFile {
      whileCreating()
      return try disk.create(path)
    }
    func open(_ path: String) throws(StorageError) -> StorageFile { try disk.open(path) }
    func size(of file: StorageFile) throws(StorageError) -> Int { try disk.size(of: file) }
    func head(of file: StorageFile, bytes: Int) throws(StorageError) -> [UInt8] {
      try disk.head(of: file, bytes: bytes)
    }
    func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) throws(StorageError) -> Int {
      try disk.write(bytes, to: file, at: offset)
    }
    func truncate(_ file: StorageFile, to bytes: Int) throws(StorageError) { try disk.truncate(file, to: bytes) }
    func sync(_ file: StorageFile) throws(StorageError) { try disk.sync(file) }
    func close(_ file: StorageFile) { disk.close(file) }
    func read(_ path: String, atMost limit: Int) throws(StorageError) -> [UInt8] {
      try disk.read(path, atMost: limit)
    }
    func rename(_ path: String, to new: String) throws(StorageError) { try disk.rename(path, to: new) }
    func remove(_ path: String) throws(StorageError) { try disk.remove(path) }
    func syncFolder(_ path: String) throws(StorageError) { try disk.syncFolder(path) }
  }

  private func state(_ number: Int) -> SavedState {
    SavedState(volumes: [.speaker: number % 100], track: "a", frame: number, intent: .paused, port: .speaker)
  }

  @Test("W1: what is saved while the thread writes, just before it has to end, is written, too")
  func lastSave() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    let disk = BusyDisk()
    let thread = StorageThread(StateStore(path: path, storage: disk))
    let stopping = WorkerThread.Flag()
    disk.whileCreating = {
      disk.whileCreating = {}
      thread.save(state(2))
      stopping.raise()
    }
    thread.save(state(1))
    thread.run(until: stopping)
    #expect(StateStore(path: path).read() == .state(state(2)))
    #expect(thread.takeReports().count == 2)
  }

  @Test("W1: what is saved before a thread that was asked to end has begun is written")
  func onlySave() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    let thread = StorageThread(StateStore(path: path))
    let stopping = WorkerThread.Flag()
    stopping.raise()
    thread.save(state(3))
    thread.run(until: stopping)
    #expect(StateStore(path: path).read() == .state(state(3)))
  }

  @Test("W1: the end waits for the thread, which wakes for it and writes what was saved")
  func stop() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    let thread = StorageThread(StateStore(path: path))
    thread.start()
    for number in 1...200 {
      thread.save(state(number))
      if number % 20 > 0 { continue }
      thread.stop()
      #expect(StateStore(path: path).read() == .state(state(number)))
      thread.start()
    }
    thread.stop()
  }
}
