import CLinux
import Glibc

/// The process's signals as a descriptor to poll. Create it before any other thread, so that all inherit the mask.
public final class ProcessSignals {
  public enum Request {
    case end(String)
    case resize
    /// List the music again (X5).
    case reload
  }

  public let fileDescriptor: CInt
  private static let ending: [(number: CInt, name: String)] = [
    (SIGTERM, "SIGTERM"), (SIGINT, "SIGINT"), (SIGHUP, "SIGHUP"),
  ]
  /// Whether SIGHUP says that the terminal has gone; to a service it says that something has changed.
  private let hangupEnds: Bool

  public init(hangupEnds: Bool = isatty(STDIN_FILENO) == 1) {
    self.hangupEnds = hangupEnds
    var mask = Self.block()
    // If the reader of our output has gone, a write fails; the music must not end.
    Glibc.signal(SIGPIPE, SIG_IGN)
    fileDescriptor = signalfd(-1, &mask, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK))
  }

  /// Has the signals wait for whoever creates `ProcessSignals`: from now on none of them ends the process by itself.
  /// Returns which they are.
  @discardableResult
  public static func block() -> sigset_t {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in ending { sigaddset(&mask, signal.number) }
    sigaddset(&mask, SIGWINCH)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    return mask
  }

  deinit { close(fileDescriptor) }

  /// The oldest signal that waits; nil when none does.
  public func next() -> Request? {
    var info = signalfd_siginfo()
    guard read(fileDescriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 else { return nil }
    let number = CInt(info.ssi_signo)
    if number == SIGHUP && !hangupEnds { return .reload }
    return Self.ending.first { $0.number == number }.map { .end($0.name) } ?? .resize
  }
}
