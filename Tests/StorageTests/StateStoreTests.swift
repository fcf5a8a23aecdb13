import AudioSession
import Board
import Glibc
import Jukebox
import TestSupport
import Testing

@testable import KioskTestSupport
@testable import Storage

@Suite struct StateStoreTests {
  private func state(_ frame: Int) -> SavedState {
    SavedState(volumes: [.speaker: 1], track: "a", frame: frame, intent: .paused, port: .speaker)
  }

  private func put(_ text: String, _ path: String) throws {
    let storage = DiskStorage()
    try? storage.remove(path)
    let file = try storage.create(path)
    defer { storage.close(file) }
    try storage.writeAll(Array(text.utf8), to: file, at: 0)
  }

  @Test("W1: two generations are kept, and nothing else")
  func generations() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    let store = StateStore(path: path, storage: DiskStorage())
    #expect(store.read() == .nothing)
    for frame in 1...3 { #expect(store.write(state(frame)) == .saved) }
    #expect(folder.names == ["state.toml", "state.toml.old"])
    #expect(StateStore(path: path, storage: DiskStorage()).read() == .state(state(3)))
    #expect(StateStore(path: path + ".old", storage: DiskStorage()).read() == .state(state(2)))
  }

  @Test("a state that is there already is not written, not even after a start")
  func unchanged() throws {
    let bench = AwkwardStorage()
    let folder = try TemporaryFolder()
    let store = StateStore(path: "\(folder.path)/state.toml", storage: bench)
    #expect(store.write(state(1)) == .saved)
    #expect(store.write(state(1)) == .unchanged)
    let next = StateStore(path: "\(folder.path)/state.toml", storage: bench)
    #expect(next.read() == .state(state(1)))
    #expect(next.write(state(1)) == .unchanged)
    #expect(bench.syncs == 1)
  }

  @Test(
    "W3: for a broken newest state the reason is reported, and the one before is used, and kept until there is a new",
    arguments: ["", "version = 2\nintent = \"paused\"\n", "version = 9\n", "\u{0}\u{0}\u{0}\u{0}", "volumes = 7"])
  func broken(text: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    let first = StateStore(path: path, storage: DiskStorage())
    for frame in 1...2 { #expect(first.write(state(frame)) == .saved) }
    try put(text, path)
    let store = StateStore(path: path, storage: DiskStorage())
    guard case .older(let older, let reason) = store.read() else { throw StorageError(path: path, code: EIO) }
    #expect(older == state(1) && reason.hasPrefix(path))
    #expect(store.write(state(3)) == .saved)
    #expect(StateStore(path: path + ".old", storage: DiskStorage()).read() == .state(state(1)))
    #expect(StateStore(path: path, storage: DiskStorage()).read() == .state(state(3)))
  }

  @Test("W3: with both generations broken both reasons are reported; with only the older one left, that is taken")
  func oneLeft() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    let store = StateStore(path: path, storage: DiskStorage())
    #expect(store.write(state(1)) == .saved)
    try DiskStorage().rename(path, to: path + ".old")
    #expect(store.read() == .state(state(1)))
    try put("x", path)
    try put("", path + ".old")
    guard case .unreadable(let reason) = store.read() else { throw StorageError(path: path, code: EIO) }
    #expect(reason.contains("state.toml:1: ") && reason.contains("state.toml.old: is empty"))
  }

  @Test("W3: a folder, a FIFO or a huge file in its place is reported, and delays nothing")
  func odd() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    let store = StateStore(path: path, storage: DiskStorage())
    #expect(mkdir(path, 0o755) == 0)
    #expect(store.read() == .unreadable(reason: "\(path): Invalid argument"))
    #expect(store.write(state(1)) == .failed(reason: "\(path): Is a directory"))
    #expect(rmdir(path) == 0 && mkfifo(path, 0o644) == 0)
    #expect(store.read() == .unreadable(reason: "\(path): Invalid argument"))
    try put(String(repeating: "#", count: 70_000), path)
    #expect(store.read() == .unreadable(reason: "\(path): File too large"))
  }

  @Test("W3: a storage that fails at any call leaves the old state, and takes the new one when it works again")
  func failing() throws {
    for fault in 0..<4 {
      let bench = AwkwardStorage()
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/state.toml"
      let store = StateStore(path: path, storage: bench)
      for frame in 1...2 { #expect(store.write(state(frame)) == .saved) }
      switch fault {
      case 0: bench.createFailure = EROFS
      case 1: bench.room = 10
      case 2: bench.syncFailure = EIO
      default: bench.renameFailure = EIO
      }
      for frame in 3...4 {
        guard case .failed(let reason) = store.write(state(frame)) else { throw StorageError(path: path, code: 0) }
        #expect(reason.hasPrefix("\(path): "))
        #expect(StateStore(path: path, storage: bench).read() == .state(state(2)))
      }
      bench.createFailure = nil
      bench.room = .max
      bench.syncFailure = nil
      bench.renameFailure = nil
      #expect(store.write(state(5)) == .saved)
      #expect(StateStore(path: path, storage: bench).read() == .state(state(5)))
      #expect(folder.names == ["state.toml", "state.toml.old"])
    }
  }
}
