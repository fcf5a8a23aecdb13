import Glibc

/// Finds what to play below folders, by name alone: no file is opened.
///
/// Folders are searched to a depth of 64, their entries in natural order (`2 b` before `10 a`, whatever the case or
/// locale). Hidden names are skipped. Links are followed only to files and folders below the same root, and no folder
/// is listed twice below one root, so that circular links come to an end. The root itself may be a link to anywhere.
public enum LibraryScan {
  static let maximumDepth = 64

  public enum Found {
    /// A folder, before it is read.
    case folder(String)
    /// A file to play.
    case track(String, LibraryListing.Stamp)
    case skipped(LibraryListing.Skipped)
    /// What the storage does not give now, below the root.
    case unreadable(LibraryError)
  }

  /// Calls `taking` with everything below `root`, in order; a root that is a file is taken as that one track. Any thread.
  /// - Throws: `LibraryError` where the root is missing, unreadable, or neither file nor folder; no track is found then.
  public static func visit(_ root: String, _ taking: (Found) -> Void) throws(LibraryError) {
    try visit(root, entries: DirectoryHandle.entries, taking)
  }

  /// Whether `visit` would find a file or folder that can be read; does not look at what is below it. Any thread.
  public static func isReadable(_ root: String) -> Bool {
    var status = stat()
    guard stat(root, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return true
    case S_IFDIR: return (try? DirectoryHandle.entries(at: root)) != nil
    default: return false
    }
  }

  /// - Parameter entries: lists a folder.
  static func visit(
    _ root: String, entries: @escaping (String) throws(LibraryError) -> [DirectoryHandle.Entry],
    _ taking: (Found) -> Void
  ) throws(LibraryError) {
    var scan = RootScan(entries: entries)
    try scan.run(root, taking)
  }

  /// Everything below `roots` at once, root by root. Any thread.
  public static func list(_ roots: [String]) throws(LibraryError) -> LibraryListing {
    var listing = LibraryListing()
    for root in roots {
      try visit(root) { found in
        switch found {
        case .folder: break
        case .track(let path, let stamp):
          listing.tracks.append(path)
          listing.stamps.append(stamp)
        case .skipped(let file): listing.skipped.append(file)
        case .unreadable(let error):
          listing.skipped.append(LibraryListing.Skipped(path: error.path, reason: error.reason))
        }
      }
    }
    return listing
  }
}

/// One root while it is listed.
private struct RootScan {
  private struct Identity: Hashable {
    var device: dev_t
    var number: ino_t
  }

  let entries: (String) throws(LibraryError) -> [DirectoryHandle.Entry]
  private var seen: Set<Identity> = []
  private var enclosure: Enclosure?

  init(entries: @escaping (String) throws(LibraryError) -> [DirectoryHandle.Entry]) { self.entries = entries }

  mutating func run(_ root: String, _ taking: (LibraryScan.Found) -> Void) throws(LibraryError) {
    guard !root.utf8.contains(0) else { throw LibraryError(path: root, reason: folderReason(ENOENT)) }
    var status = stat()
    guard stat(root, &status) == 0 else { throw LibraryError(path: root, reason: folderReason(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: taking(.track(root, Self.stamp(status)))
    case S_IFDIR:
      taking(.folder(root))
      enclosure = Enclosure(root)
      seen.insert(Identity(device: status.st_dev, number: status.st_ino))
      visit(try entries(root), in: root, depth: 0, taking)
    default: throw LibraryError(path: root, reason: "is neither a file nor a folder")
    }
  }

  private mutating func visit(
    _ entries: [DirectoryHandle.Entry], in folder: String, depth: Int, _ taking: (LibraryScan.Found) -> Void
  ) {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    for entry in entries {
      let path = prefix + entry.name
      if entry.mayBeLink, let reason = enclosure?.reasonToSkip(path) {
        taking(.skipped(path, reason))
      } else {
        visit(entry.name, at: path, depth: depth, taking)
      }
    }
  }

  private mutating func visit(_ name: String, at path: String, depth: Int, _ taking: (LibraryScan.Found) -> Void) {
    var status = stat()
    guard RawName.withPath(path, { stat($0, &status) }) == 0 else {
      let code = errno
      return taking(.failed(LibraryError(path: path, reason: fileReason(code), isStorage: isStorageFault(code))))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: descend(path, Identity(device: status.st_dev, number: status.st_ino), depth: depth + 1, taking)
    case S_IFREG where SoundFileName.stem(name) != nil: taking(.track(path, Self.stamp(status)))
    case S_IFREG:
      let foreign = ForeignFormat.refusal(named: name)
      taking(.skipped(path, foreign ?? SoundFileName.refusal, isMusic: foreign != nil))
    default: taking(.skipped(path, "is not a file"))
    }
  }

  private mutating func descend(
    _ path: String, _ identity: Identity, depth: Int, _ taking: (LibraryScan.Found) -> Void
  ) {
    guard depth <= LibraryScan.maximumDepth else {
      return taking(.skipped(path, "more than \(LibraryScan.maximumDepth) folders deep"))
    }
    guard seen.insert(identity).inserted else { return taking(.skipped(path, "folder already listed")) }
    taking(.folder(path))
    do throws(LibraryError) {
      visit(try entries(path), in: path, depth: depth, taking)
    } catch {
      taking(.failed(error))
    }
  }

  private static func stamp(_ status: stat) -> LibraryListing.Stamp {
    LibraryListing.Stamp(
      size: Int(status.st_size), modified: status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec)
  }
}

extension LibraryScan.Found {
  fileprivate static func failed(_ error: LibraryError) -> Self {
    error.isStorage ? .unreadable(error) : .skipped(error.path, error.reason)
  }

  fileprivate static func skipped(_ path: String, _ reason: String, isMusic: Bool = false) -> Self {
    .skipped(LibraryListing.Skipped(path: path, reason: reason, isMusic: isMusic))
  }
}
