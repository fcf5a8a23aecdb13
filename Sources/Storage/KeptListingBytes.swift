import Jukebox

/// The listing as bytes: a line with the version, a checksum of what follows, and then numbers and texts. A start takes over
/// the tracks of a folder in whole pieces and does not look at each.
///
/// A name is written without the beginning and the end that it shares with the one before: most have a folder and an ending
/// in common, and what need not be read from a slow card does not delay the first sample.
extension KeptListing {
  private static let version = Array("jackdaw music 2\n".utf8)
  private static let headSize = version.count + 4

  package var bytes: [UInt8] {
    var fields = FieldWriter()
    fields.add(length: folders.count)
    for folder in folders { fields.add(folder) }
    return Self.sealed(fields.bytes)
  }

  /// nil where the bytes are damaged, or of another version.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.head(before: bytes.dropFirst(Self.headSize))) else { return nil }
    let folders = bytes.withUnsafeBytes { bytes in
      var fields = FieldReader(UnsafeRawBufferPointer(rebasing: bytes[Self.headSize...]))
      return fields.folders()
    }
    guard let folders else { return nil }
    self.init(folders)
  }

  /// Adds what stands before the fields.
  package static func sealed(_ fields: [UInt8]) -> [UInt8] { head(before: fields[...]) + fields }

  /// The version and the checksum, of a file.
  static func head(of bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(headSize)) }

  private static func head(before fields: ArraySlice<UInt8>) -> [UInt8] {
    let sum = CRC32.of(fields)
    return version + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
  }
}

/// Writes one field after the other.
private struct FieldWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ folder: KeptListing.Folder) {
    let (tracks, paths) = (folder.tracks, folder.tracks.paths.sorted { $0.key < $1.key })
    add(folder.path)
    add(number: folder.number)
    add(number: folder.modified)
    add(length: tracks.count)
    for index in tracks.indices { add(number: tracks.version(at: index)) }
    add(length: tracks.indices.reduce(0) { $0 + tracks.nameBytes(at: $1).count })
    addNames(tracks)
    add(length: paths.count)
    for (index, path) in paths {
      add(length: index)
      add(path)
    }
    add(length: folder.unplayed.count)
    for file in folder.unplayed {
      add(file.name)
      add(file.reason)
    }
  }

  /// Each as the number of bytes that it shares with the beginning and with the end of the one before, and its own.
  private mutating func addNames(_ tracks: TrackList) {
    var last: ArraySlice<UInt8> = []
    for index in tracks.indices {
      let name = tracks.nameBytes(at: index)
      let most = min(last.count, name.count)
      let beginning = zip(last, name).prefix { $0 == $1 }.count
      let end = zip(last.reversed(), name.reversed()).prefix(most - beginning).prefix { $0 == $1 }.count
      add(length: beginning)
      add(length: end)
      add(length: name.count - beginning - end)
      bytes += name.dropFirst(beginning).dropLast(end)
      last = name
    }
  }

  private mutating func add(_ text: String) {
    add(length: text.utf8.count)
    bytes += text.utf8
  }

  /// Writes seven bits in each byte, the least significant ones first; the top bit of a byte says that another follows.
  mutating func add(length: Int) {
    var rest = length
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F | 0x80))
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes eight bytes, the least significant one first.
  private mutating func add(number: Int) {
    for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }
}

/// Reads one field after the other. Whatever the bytes are, names take at most `ListingStore.mostBytes` of memory.
private struct FieldReader {
  private let bytes: UnsafeRawBufferPointer
  private var next = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many bytes have not been read yet.
  private var rest: Int { bytes.count - next }

  mutating func folders() -> [KeptListing.Folder]? {
    guard let count = length() else { return nil }
    var folders: [KeptListing.Folder] = []
    while folders.count < count {
      guard let folder = folder() else { return nil }
      folders.append(folder)
    }
    return rest == 0 ? folders : nil
  }

  private mutating func folder() -> KeptListing.Folder? {
    guard let path = text(), let number = number(), let modified = self.number(), let tracks = tracks(in: path),
      let files = length()
    else { return nil }
    var folder = KeptListing.Folder(path: path, number: number, modified: modified)
    folder.tracks = tracks
    while folder.unplayed.count < files {
      guard let name = text(), let reason = text() else { return nil }
      folder.unplayed.append(KeptListing.Unplayed(name: name, reason: reason))
    }
    return folder
  }

  private mutating func tracks(in folder: String) -> TrackList? {
    // No name can have more bytes than stand in the file.
    guard let count = length(), let versions = numbers(count), let size = length(),
      size <= min(count * rest, ListingStore.mostBytes), let names = names(count, size: size), let others = length()
    else { return nil }
    var paths: [Int: String] = [:]
    while paths.count < others {
      guard let index = length(), let path = text(), paths.updateValue(path, forKey: index) == nil else { return nil }
    }
    return TrackList(text: names.text, ends: names.ends, versions: versions, folder: folder, paths: paths)
  }

  private mutating func names(_ count: Int, size: Int) -> (text: [UInt8], ends: [Int])? {
    var ends: [Int] = []
    let text = [UInt8](unsafeUninitializedCapacity: size) { text, used in
      let text = UnsafeMutableRawBufferPointer(text)
      ends = [Int](unsafeUninitializedCapacity: count) { ends, known in
        var last = 0
        while known < count, let end = name(into: text, from: used, last: last) {
          (last, used) = (used, end)
          ends[known] = end
          known += 1
        }
      }
    }
    return ends.count == count && text.count == size ? (text, ends) : nil
  }

  /// Writes a name behind the one from `last` to `start`, and returns where it ends.
  private mutating func name(into text: UnsafeMutableRawBufferPointer, from start: Int, last: Int) -> Int? {
    guard let beginning = length(), beginning <= start - last, let shared = length(),
      shared <= start - last - beginning, let own = length(), own <= rest,
      own <= text.count - start - beginning - shared, let base = text.baseAddress, let bytes = bytes.baseAddress
    else { return nil }
    let (middle, end) = (start + beginning, start + beginning + own)
    (base + start).copyMemory(from: base + last, byteCount: beginning)
    (base + middle).copyMemory(from: bytes + next, byteCount: own)
    (base + end).copyMemory(from: base + start - shared, byteCount: shared)
    next += own
    return end + shared
  }

  private mutating func text() -> String? {
    guard let count = length(), count <= rest else { return nil }
    defer { next += count }
    return String(validating: bytes[next..<next + count], as: UTF8.self)
  }

  private mutating func length() -> Int? {
    var (length, shift) = (0, 0)
    while next < bytes.count, shift < 63 {
      let byte = bytes[next]
      next &+= 1
      length |= Int(byte & 0x7F) &<< shift
      if byte < 0x80 { return length }
      shift &+= 7
    }
    return nil
  }

  private mutating func number() -> Int? {
    guard rest >= 8 else { return nil }
    defer { next += 8 }
    return Int(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: Int.self))
  }

  private mutating func numbers(_ count: Int) -> [Int]? {
    guard count <= rest / 8 else { return nil }
    defer { next += 8 * count }
    return (0..<count).map { Int(littleEndian: bytes.loadUnaligned(fromByteOffset: next + 8 * $0, as: Int.self)) }
  }
}
