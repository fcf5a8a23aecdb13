import Board
import Glibc

/// An open file with a buffer, as libmpg123 wants to read it: four bytes, a frame, four bytes. One thread at a time.
final class TrackFile {
  /// As `RawName` has it.
  let path: String
  /// Bytes from `origin` to the end of the file as it was when it was opened.
  var size: Int { file.size - origin }
  /// Where in the file offset 0 is; nothing before it is read.
  var origin = 0 {
    didSet { (bufferCount, looks, leadingTags) = (0, [], nil) }
  }
  /// Nothing at or past this offset is read; it bounds the search for the first frame.
  var limit = Int.max
  /// The length of the tags before the sound, once it was looked for.
  var leadingTags: Int?
  /// Places whose bytes nobody looks at: zeros are given instead, and nothing is read there.
  var blanks: [Range<Int>] = []
  private var hidden = HiddenStretches()
  /// All that was ever hidden.
  private var found = HiddenStretches()
  /// Bytes of its headers that are replaced as they are read, by rising offsets.
  var patches: [Patch] = []
  /// Where the file ends for its reader.
  var end: Int { min(size, limit) }
  /// Bytes that may still be read.
  private var allowance = Int.max
  /// Error number of the last read that failed since `forgetFailure`, 0 while all is well.
  private(set) var failure: CInt = 0
  /// Whether that was the storage's doing (X4).
  var isStorageGone: Bool { isStorageFault(failure) }

  /// Bytes of the first fill at a new place, and those that are kept before the position.
  private static let least = 4096
  private static let kept = 4096

  /// Bytes that replace those of the file at `offset`.
  struct Patch: Equatable {
    var offset: Int
    var bytes: [UInt8]
  }

  /// Reads from a descriptor as `pread` does.
  typealias Reader = (CInt, UnsafeMutableRawPointer?, Int, off_t) -> Int

  private let file: OpenFile
  private let reader: Reader
  private let buffer: UnsafeMutableRawBufferPointer
  private var bufferOffset = 0
  private var bufferCount = 0
  /// Bytes to read with the next fill.
  private var wanted = TrackFile.least
  private var position = 0
  /// What was looked at here and there, the last at the end: the beginning of a file, the first frame behind its tags and
  /// its end are looked at again and again before it plays.
  private var looks: [(offset: Int, bytes: [UInt8])] = []
  private static let mostLooks = 4

  init(_ file: OpenFile, path: String, reader: @escaping Reader = pread) {
    self.file = file
    self.path = path
    self.reader = reader
    buffer = .allocate(byteCount: 1 << 16, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// What could not be read until now was not needed, or is about to be tried again.
  func forgetFailure() { failure = 0 }

  /// Throws where a read has failed that the call before needed, whatever a library has made of it.
  func checkStorage(_ operation: TrackError.Operation) throws(TrackError) {
    guard failure != 0 else { return }
    throw TrackError(operation: operation, path: path, reason: fileReason(failure), isStorage: isStorageGone)
  }

  /// Returns the bytes read into `target`: 0 at the end (or at `limit`), -1 on an error, which `failure` then holds,
  /// and where a search within `bounded` has read too much.
  func read(into target: UnsafeMutableRawPointer, count: Int) -> Int {
    var done = 0
    // Counts the bytes asked for, not those read: libvorbisfile searches forever in a file that has become empty.
    guard allowance >= count else { return -1 }
    if allowance < .max { allowance -= count }
    while done < count {
      var stop = Int.max
      if !hidden.isEmpty { (position, stop) = hidden.visible(from: position) }
      let wanted = done + max(0, min(count - done, limit - position, stop - position))
      if wanted == done { break }
      if let blank = blanks.first(where: { $0.contains(position) && $0.upperBound <= size }) {
        let count = min(wanted - done, blank.upperBound - position)
        memset(target + done, 0, count)
        done += count
        position += count
        continue
      }
      let inside = position - bufferOffset
      if inside < 0 || inside >= bufferCount {
        guard let filled = fill() else { return -1 }
        if !filled { break }
        continue
      }
      let taken = min(wanted - done, bufferCount - inside)
      if let source = buffer.baseAddress { (target + done).copyMemory(from: source + inside, byteCount: taken) }
      if !patches.isEmpty { applyPatches(target + done, at: position, taken) }
      done += taken
      position += taken
    }
    return done
  }

  private func applyPatches(_ target: UnsafeMutableRawPointer, at start: Int, _ count: Int) {
    var index = patches.partition { $0.offset + $0.bytes.count > start }
    while index < patches.count, patches[index].offset < start + count {
      let patch = patches[index]
      for place in max(start, patch.offset)..<min(start + count, patch.offset + patch.bytes.count) {
        target.storeBytes(of: patch.bytes[place - patch.offset], toByteOffset: place - start, as: UInt8.self)
      }
      index += 1
    }
  }

  /// Returns the new offset, or -1 for a negative one, and for one that no file has.
  func seek(by offset: Int, whence: CInt) -> Int {
    guard let target = seekTarget(offset, whence, from: hidden.offset(position), size: hidden.offset(end)) else {
      return -1
    }
    position = place(target)
    return target
  }

  /// Hides a stretch behind the position.
  func hide(_ stretch: Range<Int>) {
    hidden.hide(stretch)
    found.hide(stretch)
  }

  /// Shows what was hidden.
  func show() { hidden = HiddenStretches() }

  /// Hides all that was ever hidden.
  func hideAgain() { hidden = found }

  /// Where in the file the reader's `offset` is.
  func place(_ offset: Int) -> Int { hidden.place(offset) }

  /// The four bytes at a place in the file, the first the highest; nil where the file ends before.
  func word(at place: Int) -> UInt32? {
    let inside = place - bufferOffset
    if inside >= 0, inside + 4 <= bufferCount {
      return UInt32(bigEndian: buffer.loadUnaligned(fromByteOffset: inside, as: UInt32.self))
    }
    let bytes = bytes(at: place, count: 4)
    return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
  }

  /// Runs a library's search with a limit of 512 MiB read, counting bytes again when they are read again; after that
  /// all reads fail. The limit is enough for hundreds of links of a chain and takes seconds. Without it a file made for
  /// the purpose could keep the search busy for hours.
  func bounded<Result>(_ search: () -> Result) -> Result {
    allowance = 1 << 29
    defer { allowance = .max }
    return search()
  }

  /// The file behind the unretained pointer that a library passes to its callbacks.
  static func from(_ user: UnsafeMutableRawPointer) -> TrackFile {
    Unmanaged<TrackFile>.fromOpaque(user).takeUnretainedValue()
  }

  /// The bytes at `offset`, fewer at the end of the file.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    let (before, stretches) = (position, hidden)
    defer { (position, hidden) = (before, stretches) }
    (position, hidden) = (offset, HiddenStretches())
    return [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      guard let base = target.baseAddress else { return }
      filled = max(0, read(into: base, count: count))
    }
  }

  /// Fills the buffer around `position`: true if it now holds that byte, false at the end, nil on an error.
  private func fill() -> Bool? {
    // Somebody who reads on wants much at a time; somebody who looks at places here and there wants little.
    let isNext = bufferCount > 0 && position == bufferOffset + bufferCount
    wanted = isNext ? min(2 * wanted, buffer.count - Self.kept) : Self.least
    // The parser goes back by up to a frame while it looks for sync, so some bytes before the position are kept.
    var start = max(0, position - (isNext ? Self.kept : 0))
    if !isNext, recall() { return true }
    while true {
      let count = reader(file.descriptor, buffer.baseAddress, position - start + wanted, off_t(origin + start))
      if count < 0 {
        if errno == EINTR { continue }
        failure = errno
        return nil
      }
      if count > 0, start < position, start + count <= position {
        // The bytes before could be read: whether the file ends behind them or the storage has failed there shows by itself.
        start = position
        continue
      }
      bufferOffset = start
      bufferCount = count
      if !isNext { remember() }
      return position < start + count
    }
  }

  private func remember() {
    if looks.count == Self.mostLooks { looks.removeFirst() }
    looks.append((bufferOffset, Array(buffer[..<bufferCount])))
  }

  /// Fills the buffer with what was read there before, if anything was.
  private func recall() -> Bool {
    let found = looks.firstIndex { $0.offset <= position && position < $0.offset + $0.bytes.count }
    guard let found else { return false }
    let look = looks[found]
    buffer.copyBytes(from: look.bytes)
    (bufferOffset, bufferCount) = (look.offset, look.bytes.count)
    return true
  }
}

/// The offset that a seek leads to, with the arguments of `lseek`; nil for a negative one, and for one that no file has.
func seekTarget(_ offset: Int, _ whence: CInt, from position: Int, size: Int) -> Int? {
  let base =
    switch whence {
    case SEEK_CUR: position
    case SEEK_END: size
    default: 0
    }
  let (target, overflow) = base.addingReportingOverflow(offset)
  return overflow || target < 0 || target > 1 << 60 ? nil : target
}
