import AudioSession
import Board
import Glibc
import Threads

/// Folders of music whose storage does not answer: a share or a disk that hangs would keep the firmware from starting, with
/// all the music that is elsewhere.
enum SilentFolders {
  /// Looks at all of them at once, each on a thread of its own, which stays behind where it hangs.
  /// - Parameter patience: how long a start waits for them.
  static func find(
    _ paths: [String], within patience: Duration = .seconds(2),
    look: @escaping @Sendable (String) -> Void = { path in
      var status = stat()
      stat(path, &status)
    }
  ) -> Set<FileName> {
    let clock = MonotonicClock(startsNow: true)
    let end = clock.now + patience
    let threads = paths.map { path in
      (path: path, thread: WorkerThread(name: "music", signal: Signal()) { _ in look(path) })
    }
    return Set(
      threads.filter { !$0.thread.stop(within: max(.zero, end - clock.now)) }.map { FileName($0.path) })
  }
}
