import Files

/// The music folders as they were listed last. Who starts with it need not read every folder before the first sample, and
/// lists them afterwards to see what has changed.
package struct KeptListing: Hashable, Sendable {
  package struct Folder: Hashable, Sendable {
    /// As the settings name it.
    package var path: String
    /// The folder itself, not what lies in it: its inode number and when it was changed last, nanoseconds since 1970.
    package var number: Int
    package var modified: Int
    package var files = Files()
    package var unplayed: [Unplayed] = []

    package init(path: String, number: Int, modified: Int) {
      (self.path, self.number, self.modified) = (path, number, modified)
    }
  }

  /// Music of a format that is not played.
  package struct Unplayed: Hashable, Sendable {
    /// Below the folder.
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
      (self.path, self.reason) = (path, reason)
    }
  }

  package struct File: Hashable, Sendable {
    /// Below the folder, in the order of play.
    package var path: String
    /// Bytes.
    package var size: Int
    /// Nanoseconds since 1970.
    package var modified: Int

    package init(path: String, size: Int, modified: Int) {
      (self.path, self.size, self.modified) = (path, size, modified)
    }
  }

  /// In memory as on the disk: a hundred thousand files are one piece of memory, and need not be taken apart to be kept.
  package struct Files: Sequence, Hashable, Sendable {
    package private(set) var count = 0
    fileprivate private(set) var bytes: ArraySlice<UInt8> = []

    package init() {}

    /// nil where the fields do not begin with so many files.
    fileprivate init?(_ count: Int, of fields: inout KeptFields) {
      let start = fields.next
      guard count >= 0 else { return nil }
      for _ in 0..<count where fields.file() == nil { return nil }
      (self.count, bytes) = (count, fields.bytes[start..<fields.next])
    }

    package mutating func append(_ path: String, size: Int, modified: Int) {
      count += 1
      bytes.add(path)
      bytes.add("\(size)")
      bytes.add("\(modified)")
    }

    package func makeIterator() -> AnyIterator<File> {
      var fields = KeptFields(bytes)
      return AnyIterator { fields.file() }
    }
  }

  package var folders: [Folder]

  package init(_ folders: [Folder] = []) { self.folders = folders }
}

/// As bytes: texts that a zero byte ends, as the names of files may hold any other, and a checksum of all before it.
extension KeptListing {
  private static let version = "jackdaw music 1"

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for text in [Self.version, "\(folders.count)"] { bytes.add(text) }
    for folder in folders {
      let numbers = [folder.number, folder.modified, folder.files.count, folder.unplayed.count]
      bytes.add(folder.path)
      for number in numbers { bytes.add("\(number)") }
      bytes += folder.files.bytes
      for file in folder.unplayed {
        bytes.add(file.path)
        bytes.add(file.reason)
      }
    }
    bytes.add("\(CRC32.of(bytes[...]))")
    return bytes
  }

  /// nil where the bytes are anything else than what `bytes` returns.
  init?(_ bytes: [UInt8]) {
    var fields = KeptFields(bytes[...])
    guard fields.text() == Self.version, let count = fields.number() else { return nil }
    var folders: [Folder] = []
    while folders.count < count {
      guard let path = fields.text(), let number = fields.number(), let modified = fields.number(),
        let files = fields.number(), let unplayed = fields.number()
      else { return nil }
      var folder = Folder(path: path, number: number, modified: modified)
      guard let files = Files(files, of: &fields) else { return nil }
      folder.files = files
      while folder.unplayed.count < unplayed {
        guard let path = fields.text(), let reason = fields.text() else { return nil }
        folder.unplayed.append(Unplayed(path: path, reason: reason))
      }
      folders.append(folder)
    }
    let sum = CRC32.of(bytes[..<fields.next])
    guard fields.number() == Int(sum), fields.next == bytes.count else { return nil }
    self.init(folders)
  }
}

/// Reads one text after the other.
private struct KeptFields {
  let bytes: ArraySlice<UInt8>
  private(set) var next: Int

  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, next) = (bytes, bytes.startIndex) }

  mutating func file() -> KeptListing.File? {
    guard let path = text(), let size = number(), let modified = number() else { return nil }
    return KeptListing.File(path: path, size: size, modified: modified)
  }

  mutating func text() -> String? { field().flatMap { String(validating: $0, as: UTF8.self) } }

  /// An integer, as `bytes` writes it.
  mutating func number() -> Int? {
    guard var digits = field() else { return nil }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    guard !digits.isEmpty else { return nil }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      if isTooLarge { return nil }
      number = tens &- Int(digit &- UInt8(ascii: "0"))
      // Counted downwards, as the least number has no opposite.
      if number > 0 { return nil }
    }
    return isNegative ? number : number == .min ? nil : -number
  }

  private mutating func field() -> ArraySlice<UInt8>? {
    // A loop over an ArraySlice takes several times as long.
    let length = bytes[next...].withUnsafeBufferPointer { $0.firstIndex(of: 0) }
    guard let length else { return nil }
    defer { next += length + 1 }
    return bytes[next..<next + length]
  }
}

extension RangeReplaceableCollection<UInt8> {
  fileprivate mutating func add(_ text: String) {
    self += text.utf8
    append(0)
  }
}

/// Keeps the listing in a file. One thread at a time; every call blocks as long as the storage does.
package final class ListingStore {
  private static let mostBytes = 1 << 26

  private let path: String
  private let storage: any Storage
  /// How many bytes the file holds, and the last of them, which are their checksum; nil: nothing that can be read.
  private var kept: (count: Int, end: ArraySlice<UInt8>)?

  package init(path: String, storage: any Storage = DiskStorage()) {
    self.path = path
    self.storage = storage
  }

  /// Returns nil where there is none, or none that can be read: then all is listed.
  package func read() -> KeptListing? {
    guard let bytes = try? storage.read(path, atMost: Self.mostBytes), let listing = KeptListing(bytes) else {
      return nil
    }
    kept = Self.mark(of: bytes)
    return listing
  }

  /// Writes it, unless the file holds it already. A storage that takes nothing is no harm: the next start takes longer.
  package func write(_ listing: KeptListing) {
    let bytes = listing.bytes
    let mark = Self.mark(of: bytes)
    guard kept.map({ $0 != mark }) ?? true, bytes.count <= Self.mostBytes else { return }
    kept = nil
    do throws(StorageError) {
      try storage.replace(path, with: bytes)
      kept = mark
    } catch {}
  }

  private static func mark(of bytes: [UInt8]) -> (count: Int, end: ArraySlice<UInt8>) {
    (bytes.count, ArraySlice(Array(bytes.suffix(11))))
  }
}
