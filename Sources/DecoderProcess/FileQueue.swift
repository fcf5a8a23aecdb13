import AudioSession
import Board
import TrackDecoding

/// The tracks whose files are being opened. A file that takes too long fails its track and costs the thread that opens
/// it, until the storage answers. One thread.
struct FileQueue {
  private let limit: Duration
  private let openFile: @Sendable (String) -> Result<OpenFile, TrackError>
  private var door: FileDoor?
  /// The threads that were left in a call that did not return, and the files that they are opening.
  private var held: [(door: FileDoor, path: String)] = []
  private var waiting: [(number: UInt64, track: ProcessTrack)] = []
  /// The instant at which the first of them became the first.
  private var since = Duration.zero
  private var count: UInt64 = 0

  /// - Parameters:
  ///   - limit: how long opening one file may take.
  ///   - openFile: opens one, on a thread of its own.
  init(limit: Duration, openFile: @escaping @Sendable (String) -> Result<OpenFile, TrackError>) {
    self.limit = limit
    self.openFile = openFile
  }

  /// Readable when `service` has to be called; nil while nothing is opened.
  var fileDescriptor: CInt? { waiting.isEmpty ? nil : door?.answers.fileDescriptor }

  /// How long to wait for it at most.
  func patience(at now: Duration) -> Duration? { waiting.isEmpty ? nil : max(.zero, since + limit - now) }

  /// Has the track's file opened.
  mutating func open(_ track: ProcessTrack, at now: Duration) {
    held.removeAll { $0.door.isGone }
    // Each such file costs one thread: other files of the same storage may well be opened.
    if held.contains(where: { FileName($0.path) == FileName(track.path) }) {
      return track.fail("the storage still does not answer", isStorage: true)
    }
    if HeldStorage.isRefused(track.path, held.map(\.path)) {
      return track.fail("the storage does not answer", isStorage: true)
    }
    if waiting.isEmpty { since = now }
    count += 1
    waiting.append((count, track))
    let door = door ?? FileDoor(openFile)
    self.door = door
    door.open(track.path, number: count)
  }

  /// Gives tracks the files that were opened. Returns the path of the one that is no longer waited for.
  mutating func service(at now: Duration) -> [String] {
    guard !waiting.isEmpty, let door else { return [] }
    for opened in door.takeOpened() {
      guard let index = waiting.firstIndex(where: { $0.number == opened.number }) else { continue }
      waiting.remove(at: index).track.take(opened.file)
      since = now
    }
    return !waiting.isEmpty && since + limit <= now ? [leave(door, at: now)] : []
  }

  /// The thread does not come back: the first track fails, and another thread opens the files of the others.
  private mutating func leave(_ door: FileDoor, at now: Duration) -> String {
    let track = waiting.removeFirst().track
    door.leave()
    held.append((door, track.path))
    self.door = nil
    track.fail(Deadline.Excess.storage(limit).reason, isStorage: true)
    // Nobody waits for those that were closed meanwhile; on the same storage, each would hold a thread of its own.
    let others = waiting.filter { !$0.track.isClosed }
    waiting = []
    for other in others { open(other.track, at: now) }
    return track.path
  }
}
