import Glibc
import Jukebox

/// What systemd's journal understands of what we print: a priority before each line (sd-daemon(3)).
enum Journal {
  /// Whether `descriptor` leads to the journal, as `JOURNAL_STREAM` says by device and inode. It may be inherited by a
  /// program whose output goes elsewhere.
  static func takes(_ descriptor: CInt) -> Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  static func prefix(_ level: Event.Level) -> String {
    let priority =
      switch level {
      case .debug: LOG_DEBUG
      case .info: LOG_INFO
      case .notice: LOG_NOTICE
      case .warn: LOG_WARNING
      case .error: LOG_ERR
      }
    return "<\(priority)>"
  }
}
