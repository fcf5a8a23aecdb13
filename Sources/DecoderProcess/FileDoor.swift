import Board
import CLinux
import Glibc
import Threads
import TrackDecoding

/// Opens files on a thread of its own, one after the other: a card that is dying may hold that for minutes.
final class FileDoor: @unchecked Sendable {
  struct Opened: Sendable {
    var number: UInt64
    var file: Result<OpenFile, TrackError>
  }

  private struct Wish: Sendable {
    var number: UInt64
    var path: String
  }

  /// Raised when a file was opened, or could not be.
  let answers = Signal()
  private let signal = Signal()
  private let wishes = Mailbox<Wish>()
  private let opened = Mailbox<Opened>()
  private let hasEnded = Locked(false)
  private var thread: WorkerThread?

  /// - Parameter openFile: opens one, on the thread.
  init(_ openFile: @escaping @Sendable (String) -> Result<OpenFile, TrackError>) {
    thread = WorkerThread(name: "files", signal: signal) { [signal, wishes, opened, answers, hasEnded] stopping in
      var polled = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
      while !stopping.isRaised {
        signal.clear()
        for wish in wishes.takeAll() where !stopping.isRaised {
          opened.post(Opened(number: wish.number, file: openFile(wish.path)))
          answers.raise()
        }
        if !stopping.isRaised { ppoll(&polled, 1, nil, nil) }
      }
      hasEnded.withLock { $0 = true }
    }
  }

  deinit { leave() }

  func open(_ path: String, number: UInt64) {
    wishes.post(Wish(number: number, path: path))
    signal.raise()
  }

  func takeOpened() -> [Opened] {
    answers.clear()
    return opened.takeAll()
  }

  /// Has the thread end when the call that holds it returns, and does not wait for that.
  func leave() {
    thread?.stop(within: .zero)
    thread = nil
  }

  /// Whether the thread that was left is gone.
  var isGone: Bool { hasEnded.withLock { $0 } }
}
