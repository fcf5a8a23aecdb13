import AudioSession
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

  @Test("W1: the largest state that there can be is read again")
  func largest() throws {
    let folder = try TemporaryFolder()
    let store = StateStore(path: "\(folder.path)/state.toml", storage: DiskStorage())
    // As long as a path may be.
    let name = String(repeating: "é.a/", count: 800)
    var state = state(1)
    state.places = (0..<64).map { PlaylistPlace(playlist: "\($0)\(name)", track: "\(name)\($0)", frame: $0) }
    state.picks = (0..<64).map {
      FolderPick(playlist: "\($0)\(name)", track: "\(name)\($0)", order: .listed(index: $0))
    }
    #expect(store.write(state) == .saved)
    #expect(StateStore(path: "\(folder.path)/state.toml", storage: DiskStorage()).read() == .state(state))
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
    try put(String(repeating: "#", count: 5_000_000), path)
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

  /// Two generations, frames 1 and 2, and a third file in place of the newest.
  private func newest(_ text: String?, _ path: String) throws {
    let store = StateStore(path: path, storage: DiskStorage())
    for frame in 1...2 { #expect(store.write(state(frame)) == .saved) }
    if let text { try put(text, path) }
  }

  @Test("W3: a state of a newer version is kept under another name before it is overwritten, and so is the next one")
  func newer() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    for (number, name) in ["state.toml.newer", "state.toml.newer-2"].enumerated() {
      let text = "version = 9\nsong = \"\(number)\"\n"
      try newest(text, path)
      let store = StateStore(path: path, storage: DiskStorage())
      guard case .older(let older, let reason) = store.read() else { throw StorageError(path: path, code: EIO) }
      #expect(older.frame == 1 && reason.hasSuffix(", to be kept as \(folder.path)/\(name)"))
      #expect(folder.read("state.toml") == Array(text.utf8))
      #expect(store.write(state(3)) == .saved && store.write(state(4)) == .saved)
      #expect(folder.read(name) == Array(text.utf8))
    }
    #expect(folder.names == ["state.toml", "state.toml.newer", "state.toml.newer-2", "state.toml.old"])
  }

  @Test("W3: the older generation of a newer version is kept, too; after nine, no more are")
  func newerOlder() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    for number in 2...9 { folder.write("state.toml.newer-\(number)", "x") }
    try put("version = 3\n", path)
    try put("version = 3\nold = true\n", path + ".old")
    let store = StateStore(path: path, storage: DiskStorage())
    #expect(store.read().state == nil)
    for frame in 1...3 { #expect(store.write(state(frame)) == .saved) }
    #expect(folder.read("state.toml.newer") == Array("version = 3\n".utf8))
    #expect(folder.read("state.toml.old.newer") == Array("version = 3\nold = true\n".utf8))
    try put("version = 4\n", path)
    guard case .older(_, let reason) = store.read() else { throw StorageError(path: path, code: EIO) }
    #expect(reason.hasSuffix(", not kept, as 9 others are"))
    #expect(store.write(state(5)) == .saved)
  }

  @Test("W3: a newest file that cannot be read a few times is read again, and used")
  func transient() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    try newest(nil, path)
    let bench = AwkwardStorage()
    bench.readFailures = [path: 4]
    var pauses = 0
    let store = StateStore(path: path, storage: bench) { pauses += 1 }
    #expect(store.read() == .state(state(2)) && pauses == 4)
  }

  @Test("W3: a newest file that cannot be read stays as long as nothing changes, and is then kept under another name")
  func unread() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    try newest(nil, path)
    let bench = AwkwardStorage()
    bench.readFailures = [path: 100]
    let store = StateStore(path: path, storage: bench)
    let reason = "\(path): Input/output error, to be kept as \(path).unread"
    #expect(store.read() == .older(state(1), reason: reason))
    #expect(store.write(state(1)) == .unchanged)
    #expect(StateStore(path: path, storage: DiskStorage()).read() == .state(state(2)))
    for failure in [EIO, nil] {
      bench.renameFailure = failure
      let report = store.write(state(7))
      #expect(failure == nil ? report == .saved : report != .saved)
    }
    #expect(StateStore(path: path, storage: DiskStorage()).read() == .state(state(7)))
    #expect(StateStore(path: path + ".unread", storage: DiskStorage()).read() == .state(state(2)))
    #expect(StateStore(path: path + ".old", storage: DiskStorage()).read() == .state(state(1)))
  }
}
