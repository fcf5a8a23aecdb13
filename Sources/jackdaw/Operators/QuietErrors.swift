import Glibc

/// Redirects standard error to /dev/null while the front panel is drawn. Libraries print there (libmpg123 does, on damaged
/// files), which would spoil the picture.
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

  /// Restores standard error. A second call does nothing.
  func end() {
    guard saved >= 0 else { return }
    dup2(saved, STDERR_FILENO)
    close(saved)
    saved = -1
  }
}
