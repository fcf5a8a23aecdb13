import Board
import Glibc

/// Notices that something in some folders has changed, by the kernel's inotify, and that something was mounted or
/// unmounted. A share that gives no events, and folders beyond the kernel's limit, are not noticed. One thread at a time.
public final class FolderWatch {
  /// Folders that are watched at most: each costs the kernel a kilobyte.
  public static let most = 8_192
  private static let events =
    UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE)
    | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  private let notifier: CInt
  private let mounts: CInt
  private let limit: Int
  private var watches: Set<CInt> = []
  private var current: Set<CInt> = []
  /// Folders that could not be watched, of those that were added last.
  public private(set) var unwatched = 0

  public init(limit: Int = FolderWatch.most) {
    self.limit = limit
    notifier = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
  }

  deinit {
    for descriptor in [notifier, mounts] where descriptor >= 0 { close(descriptor) }
  }

  /// When one of them reports something, call `takeChanges`.
  public var pollDescriptors: [PollDescriptor] {
    [
      PollDescriptor(fileDescriptor: notifier, events: CShort(POLLIN)),
      PollDescriptor(fileDescriptor: mounts, events: CShort(POLLPRI)),
    ].filter { $0.fileDescriptor >= 0 }
  }

  /// From here to `end` all folders are added that are to be watched.
  public func begin() {
    current = []
    unwatched = 0
  }

  /// Call it before the folder is read, so that no change in between is missed.
  public func add(_ folder: String) {
    guard current.count < limit else { return unwatched += 1 }
    let watch = RawName.withPath(folder) { inotify_add_watch(notifier, $0, Self.events) }
    if watch >= 0 { current.insert(watch) } else if errno == ENOSPC || errno == ENOMEM { unwatched += 1 }
  }

  public func end() {
    for watch in watches.subtracting(current) { inotify_rm_watch(notifier, watch) }
    watches = current
  }

  /// Whether a watched folder has changed since the last call.
  public func takeChanges() -> Bool {
    var hasChanged = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(notifier, &buffer, buffer.count)
      guard count > 0 else { return hasChanged }
      hasChanged = hasChanged || Self.isChange(buffer[..<count])
    }
  }

  /// Whether one of the kernel's records is more than the end of a watch.
  private static func isChange(_ records: ArraySlice<UInt8>) -> Bool {
    var rest = records
    let header = 16
    while rest.count >= header {
      let words = (0..<4).map { word in
        rest.dropFirst(4 * word).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      }
      if words[1] & UInt32(IN_IGNORED) == 0 { return true }
      rest = rest.dropFirst(header + Int(words[3]))
    }
    return false
  }
}
