import AudioSession
import Board
import Glibc
import Threads

/// Folders of music whose storage does not answer: a share or a disk that hangs would keep the firmware from starting, with
/// all the music that is elsewhere.
final class SilentFolders {
  static let reason = "the storage does not answer"

  private let look: @Sendable (String) -> Void
  /// Looks that had not come back, and whether they have since.
  private var hanging: [FileName: Locked<Bool>] = [:]

  init(
    look: @escaping @Sendable (String) -> Void = { path in
      var status = stat()
      stat(path, &status)
    }
  ) {
    self.look = look
  }

  /// Looks at all of them at once, each on a thread of its own, which stays behind where it hangs: then it is the look
  /// that counts, and no other follows.
  /// - Parameter patience: how long they are waited for.
  func find(_ paths: [String], within patience: Duration = .seconds(2)) -> Set<FileName> {
    let clock = MonotonicClock(startsNow: true)
    let end = clock.now + patience
    hanging = hanging.filter { !$0.value.withLock { $0 } }
    let looks = paths.filter { hanging[FileName($0)] == nil }.map { [look] path in
      let isBack = Locked(false)
      let thread = WorkerThread(name: "music", signal: Signal()) { _ in
        look(path)
        isBack.withLock { $0 = true }
      }
      return (path: path, isBack: isBack, thread: thread)
    }
    for look in looks where !look.thread.stop(within: max(.zero, end - clock.now)) {
      hanging[FileName(look.path)] = look.isBack
    }
    return Set(hanging.keys)
  }
}
