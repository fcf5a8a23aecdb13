import Board
import Glibc

/// A regular file open for reading, with a buffer, as libmpg123 wants to read it: four bytes, a frame, four bytes.
/// One thread at a time. The descriptor is closed with the object.
final class TrackFile {
  /// As `RawName` has it.
  let path: String
  /// Bytes from `origin` to the end of the file as it was when it was opened.
  var size: Int { total - origin }
  /// Where in the file offset 0 is; what lies before is never read.
  var origin = 0 {
    didSet { bufferCount = 0 }
  }
  /// Nothing at or past this offset is given out; the search for the first frame is bounded with it.
  var limit = Int.max
  /// Where the file ends for who reads it.
  var end: Int { min(size, limit) }
  /// Bytes that may still be read.
  private var allowance = Int.max
  /// Error number of the first read that failed, 0 while all is well.
  private(set) var failure: CInt = 0

  private let descriptor: CInt
  private let total: Int
  private let buffer: UnsafeMutableRawBufferPointer
  private var bufferOffset = 0
  private var bufferCount = 0
  private var position = 0

  /// Opens `path`; refuses what is not a regular file, without waiting for a writer and without touching a device.
  init(path: String) throws(TrackError) {
    let (descriptor, total) = try Self.openRegular(path)
    self.path = path
    self.total = total
    self.descriptor = descriptor
    // Last: an initialiser that throws frees nothing.
    buffer = .allocate(byteCount: 1 << 16, alignment: 16)
  }

  deinit {
    Glibc.close(descriptor)
    buffer.deallocate()
  }

  private static func openRegular(_ path: String) throws(TrackError) -> (CInt, Int) {
    func refusal(_ reason: String) -> TrackError { TrackError(operation: .open, path: path, reason: reason) }
    // A C string would end at a NUL and open another file.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw refusal(fileReason(ENOENT)) }
    var status = stat()
    // Before `open`, because opening alone already acts on some devices (a watchdog starts, a tape rewinds).
    guard RawName.withPath(path, { stat($0, &status) }) == 0 else { throw refusal(fileReason(errno)) }
    if let reason = kindReason(status) { throw refusal(reason) }
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = RawName.withPath(path) { Glibc.open($0, flags) }
    guard descriptor >= 0 else { throw refusal(fileReason(errno)) }
    // Again on what was really opened: the name may have changed hands in between.
    let code = fstat(descriptor, &status) == 0 ? 0 : errno
    if let reason = code == 0 ? kindReason(status) : fileReason(code) {
      Glibc.close(descriptor)
      throw refusal(reason)
    }
    return (descriptor, Int(status.st_size))
  }

  private static func kindReason(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: status.st_size == 0 ? "empty file" : nil
    case S_IFDIR: "is a folder"
    default: "is not a file"
    }
  }

  /// Bytes read into `target`, 0 at the end (or at `limit`), -1 on an error noted in `failure`, and where a bounded search
  /// has read too much.
  func read(into target: UnsafeMutableRawPointer, count: Int) -> Int {
    var done = 0
    let wanted = max(0, min(count, limit - position))
    // By what was asked for: libvorbisfile looks for ever into a file that has become empty.
    guard allowance >= count else { return -1 }
    if allowance < .max { allowance -= count }
    while done < wanted {
      let inside = position - bufferOffset
      if inside < 0 || inside >= bufferCount {
        guard let filled = fill() else { return -1 }
        if !filled { break }
        continue
      }
      let taken = min(wanted - done, bufferCount - inside)
      if let source = buffer.baseAddress { (target + done).copyMemory(from: source + inside, byteCount: taken) }
      done += taken
      position += taken
    }
    return done
  }

  /// The new offset, -1 where there is none.
  func seek(by offset: Int, whence: CInt) -> Int {
    guard let target = seekTarget(offset, whence, from: position, size: end) else { return -1 }
    position = target
    return target
  }

  /// What `search` returns, which may read 512 MiB, again and again the same if it likes; then it fails. That is
  /// for hundreds of links of a chain, and takes seconds; in a file made for the purpose a search would take hours.
  func bounded<Result>(_ search: () -> Result) -> Result {
    allowance = 1 << 29
    defer { allowance = .max }
    return search()
  }

  /// The file that a library's callback is given, unretained.
  static func from(_ user: UnsafeMutableRawPointer) -> TrackFile {
    Unmanaged<TrackFile>.fromOpaque(user).takeUnretainedValue()
  }

  /// The bytes at `offset`, fewer at the end of the file.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    let before = position
    defer { position = before }
    position = offset
    return [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      guard let base = target.baseAddress else { return }
      filled = max(0, read(into: base, count: count))
    }
  }

  /// Fills the buffer around `position`: true if it now holds that byte, false at the end, nil on an error.
  private func fill() -> Bool? {
    // The parser steps back by up to a frame while it looks for sync, so some of what lies before is kept.
    let start = max(0, position - 4096)
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(origin + start))
      if count < 0 {
        if errno == EINTR { continue }
        failure = errno
        return nil
      }
      bufferOffset = start
      bufferCount = count
      return position < start + count
    }
  }
}

/// Where a seek leads, as `lseek` counts; nil where there is no such place.
func seekTarget(_ offset: Int, _ whence: CInt, from position: Int, size: Int) -> Int? {
  let base =
    switch whence {
    case SEEK_CUR: position
    case SEEK_END: size
    default: 0
    }
  let (target, overflow) = base.addingReportingOverflow(offset)
  return overflow || target < 0 ? nil : target
}
