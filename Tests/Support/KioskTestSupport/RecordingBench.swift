import AudioSession
import Board
import BoardFiles
import Files
import Glibc
import Jukebox
import TestSupport

@testable import Simulator
@testable import Storage

/// A recorder in virtual time, woken only when it asked for it.
final class RecordingBench {
  let folder: TemporaryFolder
  let path: String
  let clock = VirtualClock()
  let wallClock: VirtualWallClock
  let input: CountingInput
  let storage: AwkwardStorage
  private(set) var recorder: Recorder
  private(set) var reports: [RecorderReport] = []
  private let parts: RecorderParts
  private var wait = RecorderWait.command
  /// Calls of `service`.
  private(set) var services = 0

  static let name = "2026-01-01 12-00-00.wav"

  init(
    sizeLimit: Int = 0, floor: Int = 1_000, retention: Duration? = nil, folderName: String? = nil,
    input port: InputPort? = .microphone
  ) throws {
    folder = try TemporaryFolder()
    path = folderName.map { [folder] in "\(folder.path)/\($0)" } ?? folder.path
    wallClock = VirtualWallClock(clock: clock)
    input = CountingInput(clock: clock)
    storage = AwkwardStorage()
    parts = RecorderParts(
      settings: RecordingSettings(folder: path, sizeLimit: sizeLimit, freeSpaceFloor: floor, retention: retention),
      input: port.map { InputDescription(port: $0, pcm: "mic") }, opener: input, rate: CountingInput.rate,
      wallClock: wallClock)
    recorder = Recorder(parts, storage: storage)
  }

  /// - Parameter time: passes after them.
  func send(_ commands: RecorderCommand..., then time: Duration? = nil) {
    for command in commands { recorder.post(command) }
    service()
    if let time { pass(time) }
  }

  func pass(_ time: Duration) { pass(until: clock.now + time) }

  func pass(until end: Instant) {
    while let next = nextWake, next <= end { wake(at: next) }
    clock.advance(to: end)
  }

  private var nextWake: Instant? {
    switch wait {
    case .command: nil
    case .until(let instant), .device(let instant): instant
    }
  }

  private func wake(at instant: Instant) {
    clock.advance(to: instant)
    service()
  }

  func service() {
    wait = recorder.service(at: clock.now)
    services += 1
    reports += recorder.takeReports()
  }

  /// Power fails and comes back.
  func restart() {
    recorder = Recorder(parts, storage: storage)
    wait = .command
    reports = []
    recorder.recover(at: clock.now)
    reports += recorder.takeReports()
  }

  func wav(_ name: String = RecordingBench.name) throws -> ParsedWAV { try ParsedWAV("\(path)/\(name)") }

  /// All names in the folder.
  var names: [String] { FileAccess.names(in: path).filter { $0 != "." && $0 != ".." } }
}

/// The machine's storage with faults injected at the calls.
final class AwkwardStorage: Storage {
  private let disk = DiskStorage()
  /// Bytes that still fit; the write that reaches the end writes only those.
  var room = Int.max
  var free = Int.max
  /// What writes and syncs fail with from now on.
  var writeFailure: CInt?
  var syncFailure: CInt?
  /// How often a sync still fails with EIO.
  var syncFailuresLeft = 0
  var createFailure: CInt?
  var renameFailure: CInt?
  /// What only truncating, and only writing, fails with.
  var truncateFailure: CInt?
  var overwriteFailure: CInt?
  var openFailure: (name: String, code: CInt)?
  /// How often reading a file still fails with EIO, by path.
  var readFailures: [String: Int] = [:]
  /// How often reading a part of a file still fails with EIO.
  var readFailuresLeft = 0
  /// Called by every write, before it.
  var beforeWrite: (() -> Void)?
  /// Changes that still take effect; all later ones fail, as after kill -9.
  var changesLeft = Int.max
  private(set) var syncs = 0

  func makeFolder(_ path: String) throws(StorageError) { try disk.makeFolder(path) }
  func freeBytes(in folder: String) throws(StorageError) -> Int { min(free, try disk.freeBytes(in: folder)) }

  func create(_ path: String) throws(StorageError) -> StorageFile {
    try change(path)
    try fail(createFailure, path)
    return try disk.create(path)
  }

  func open(_ path: String) throws(StorageError) -> StorageFile {
    if let openFailure, path.hasSuffix(openFailure.name) { throw StorageError(path: path, code: openFailure.code) }
    return try disk.open(path)
  }
  func size(of file: StorageFile) throws(StorageError) -> Int { try disk.size(of: file) }
  func read(_ bytes: UnsafeMutableRawBufferPointer, from file: StorageFile, at offset: Int) throws(StorageError) -> Int
  {
    if readFailuresLeft > 0 {
      readFailuresLeft -= 1
      throw StorageError(path: file.path, code: EIO)
    }
    return try disk.read(bytes, from: file, at: offset)
  }

  func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) throws(StorageError) -> Int {
    beforeWrite?()
    try change(file.path)
    try fail(writeFailure ?? overwriteFailure, file.path)
    let new = max(0, offset + bytes.count - (try disk.size(of: file)))
    let count = bytes.count - max(0, new - room)
    if count == 0 { throw StorageError(path: file.path, code: ENOSPC) }
    if room != .max { room -= min(new, room) }
    return try disk.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: file, at: offset)
  }

  func truncate(_ file: StorageFile, to bytes: Int) throws(StorageError) {
    try change(file.path)
    try fail(writeFailure ?? truncateFailure, file.path)
    try disk.truncate(file, to: bytes)
  }

  func sync(_ file: StorageFile) throws(StorageError) {
    syncs += 1
    if syncFailuresLeft > 0 {
      syncFailuresLeft -= 1
      throw StorageError(path: file.path, code: EIO)
    }
    try fail(syncFailure, file.path)
    try disk.sync(file)
  }

  func close(_ file: StorageFile) { disk.close(file) }

  func read(_ path: String, atMost limit: Int) throws(StorageError) -> [UInt8] {
    if let left = readFailures[path], left > 0 {
      readFailures[path] = left - 1
      throw StorageError(path: path, code: EIO)
    }
    return try disk.read(path, atMost: limit)
  }

  func rename(_ path: String, to new: String) throws(StorageError) {
    try change(path)
    try fail(renameFailure, path)
    try disk.rename(path, to: new)
  }

  private func change(_ path: String) throws(StorageError) {
    if changesLeft == 0 { throw StorageError(path: path, code: EIO) }
    changesLeft -= 1
  }

  func remove(_ path: String) throws(StorageError) {
    try change(path)
    try fail(writeFailure, path)
    try disk.remove(path)
  }

  func names(in folder: String) -> [String] { disk.names(in: folder) }
  func syncFolder(_ path: String) throws(StorageError) { try disk.syncFolder(path) }

  private func fail(_ code: CInt?, _ path: String) throws(StorageError) {
    if let code { throw StorageError(path: path, code: code) }
  }
}
