import Glibc
import Jukebox

/// The priority that systemd's journal takes from the start of each printed line (sd-daemon(3)).
enum Journal {
  /// Whether `descriptor` is the journal's stream. `JOURNAL_STREAM` alone is not enough, since a program whose output goes
  /// elsewhere may inherit it, so its device and inode are compared.
  static func isStream(_ descriptor: CInt) -> Bool {
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
