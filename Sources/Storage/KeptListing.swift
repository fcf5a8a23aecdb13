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
    package var files: [File] = []
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

  package var folders: [Folder]

  package init(_ folders: [Folder] = []) { self.folders = folders }
}

/// As bytes: texts that a zero byte ends, as the names of files may hold any other, and a checksum of all before it.
extension KeptListing {
  private static let version = "jackdaw music 1"

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ texts: String...) {
      for text in texts {
        bytes += text.utf8
        bytes.append(0)
      }
    }
    add(Self.version, "\(folders.count)")
    for folder in folders {
      add(folder.path, "\(folder.number)", "\(folder.modified)", "\(folder.files.count)", "\(folder.unplayed.count)")
      for file in folder.files { add(file.path, "\(file.size)", "\(file.modified)") }
      for file in folder.unplayed { add(file.path, file.reason) }
    }
    add("\(CRC32.of(bytes[...]))")
    return bytes
  }

  /// nil where the bytes are anything else than what `bytes` returns.
  init?(_ bytes: [UInt8]) {
    var fields = KeptFields(bytes)
    guard fields.text() == Self.version, let count = fields.number() else { return nil }
    var folders: [Folder] = []
    while folders.count < count {
      guard let path = fields.text(), let number = fields.number(), let modified = fields.number(),
        let files = fields.number(), let unplayed = fields.number()
      else { return nil }
      var folder = Folder(path: path, number: number, modified: modified)
      while folder.files.count < files {
        guard let path = fields.text(), let size = fields.number(), let modified = fields.number() else { return nil }
        folder.files.append(File(path: path, size: size, modified: modified))
      }
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
  private let bytes: [UInt8]
  private(set) var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

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
    let end = bytes.withUnsafeBufferPointer { bytes in bytes[next...].firstIndex(of: 0) }
    guard let end else { return nil }
    defer { next = end + 1 }
    return bytes[next..<end]
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
