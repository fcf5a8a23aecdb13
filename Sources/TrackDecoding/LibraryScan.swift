import Glibc

/// Finds what to play below folders, by name alone: no file is opened.
///
/// Folders are searched to a depth of 64, their entries in natural order (`2 b` before `10 a`, whatever the case or
/// locale). Hidden names are skipped. Links are followed only to files and folders below the same root, and no folder
/// is listed twice below one root, so that circular links come to an end. The root itself may be a link to anywhere.
public enum LibraryScan {
  static let maximumDepth = 64

  /// The tracks below `roots`, root by root; a root that is a file is taken as that one track. Any thread.
  /// - Parameter visiting: called with every folder before it is read.
  /// - Throws: `LibraryError` where a root is missing, unreadable, or neither file nor folder.
  public static func list(
    _ roots: [String], visiting: @escaping (String) -> Void = { _ in }
  ) throws(LibraryError) -> LibraryListing {
    var listing = LibraryListing()
    for root in roots {
      var scan = RootScan(visiting)
      try scan.run(root)
      listing.tracks += scan.listing.tracks
      listing.stamps += scan.listing.stamps
      listing.skipped += scan.listing.skipped
    }
    return listing
  }
}

/// The listing of one root while it is being made.
private struct RootScan {
  private struct Identity: Hashable {
    var device: dev_t
    var number: ino_t
  }

  var listing = LibraryListing()
  private var seen: Set<Identity> = []
  private var enclosure: Enclosure?

  private let visiting: (String) -> Void

  init(_ visiting: @escaping (String) -> Void) { self.visiting = visiting }

  mutating func run(_ root: String) throws(LibraryError) {
    guard !root.utf8.contains(0) else { throw LibraryError(path: root, reason: folderReason(ENOENT)) }
    var status = stat()
    guard stat(root, &status) == 0 else { throw LibraryError(path: root, reason: folderReason(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: add(root, status)
    case S_IFDIR:
      visiting(root)
      enclosure = Enclosure(root)
      seen.insert(Identity(device: status.st_dev, number: status.st_ino))
      visit(try DirectoryHandle.entries(at: root), in: root, depth: 0)
    default: throw LibraryError(path: root, reason: "is neither a file nor a folder")
    }
  }

  private mutating func visit(_ entries: [DirectoryHandle.Entry], in folder: String, depth: Int) {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    for entry in entries {
      let path = prefix + entry.name
      if entry.mayBeLink, let reason = enclosure?.reasonToSkip(path) {
        skip(path, reason)
      } else {
        visit(entry.name, at: path, depth: depth)
      }
    }
  }

  private mutating func visit(_ name: String, at path: String, depth: Int) {
    var status = stat()
    guard RawName.withPath(path, { stat($0, &status) }) == 0 else { return skip(path, fileReason(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: descend(path, Identity(device: status.st_dev, number: status.st_ino), depth: depth + 1)
    case S_IFREG where SoundFileName.stem(name) != nil: add(path, status)
    case S_IFREG: skipFile(name, at: path)
    default: skip(path, "is not a file")
    }
  }

  private mutating func descend(_ path: String, _ identity: Identity, depth: Int) {
    guard depth <= LibraryScan.maximumDepth else {
      return skip(path, "more than \(LibraryScan.maximumDepth) folders deep")
    }
    guard seen.insert(identity).inserted else { return skip(path, "folder already listed") }
    visiting(path)
    do {
      visit(try DirectoryHandle.entries(at: path), in: path, depth: depth)
    } catch {
      skip(path, error.reason)
    }
  }

  private mutating func add(_ path: String, _ status: stat) {
    let modified = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
    listing.tracks.append(path)
    listing.stamps.append(LibraryListing.Stamp(size: Int(status.st_size), modified: modified))
  }

  private mutating func skipFile(_ name: String, at path: String) {
    guard let reason = ForeignFormat.refusal(named: name) else { return skip(path, SoundFileName.refusal) }
    listing.skipped.append(LibraryListing.Skipped(path: path, reason: reason, isMusic: true))
  }

  private mutating func skip(_ path: String, _ reason: String) {
    listing.skipped.append(LibraryListing.Skipped(path: path, reason: reason))
  }
}
