import Glibc

/// Keeps what libraries print on standard error (libmpg123 does, on damaged files) from spoiling a picture on the same
/// terminal.
final class QuietErrors {
  private var saved: CInt

  init() {
    saved = dup(STDERR_FILENO)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    dup2(nowhere, STDERR_FILENO)
    close(nowhere)
  }

  deinit { end() }

  /// Standard error is as it was. A second call does nothing.
  func end() {
    guard saved >= 0 else { return }
    dup2(saved, STDERR_FILENO)
    close(saved)
    saved = -1
  }
}
