import Files
import Glibc

/// The terminal in raw mode: keys are read one by one and not echoed. `restore()` ends it, and so does the last
/// reference. Control thread.
///
/// Ctrl-C stays a signal, so that a front panel can always be left, and output is still processed, so that log lines on
/// the same screen start at its edge. Ctrl-Z and Ctrl-\ are disabled: they would return to the shell with the panel
/// still on the screen.
public final class TerminalMode {
  private let descriptor: CInt
  private var saved: termios?

  private init(descriptor: CInt, saved: termios) {
    self.descriptor = descriptor
    self.saved = saved
  }

  deinit { restore() }

  /// Throws `configure` when `descriptor` is not a terminal or refuses. The descriptor stays the caller's and open.
  public static func raw(on descriptor: CInt = STDIN_FILENO) throws(SerialError) -> TerminalMode {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      throw SerialError(.configure, "descriptor \(descriptor)", code: errno)
    }
    let mode = TerminalMode(descriptor: descriptor, saved: settings)
    let outputFlags = settings.c_oflag
    cfmakeraw(&settings)
    settings.c_oflag = outputFlags
    settings.c_lflag |= tcflag_t(ISIG)
    withUnsafeMutableBytes(of: &settings.c_cc) { keys in
      for key in [VSUSP, VQUIT] { keys[Int(key)] = 0 }
    }
    guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      throw SerialError(.configure, "descriptor \(descriptor)", code: errno)
    }
    return mode
  }

  /// Restores the terminal's settings and discards unread keys, which were not meant for the shell. A second call does
  /// nothing.
  public func restore() {
    guard var settings = saved else { return }
    saved = nil
    tcflush(descriptor, TCIFLUSH)
    tcsetattr(descriptor, TCSANOW, &settings)
  }
}
