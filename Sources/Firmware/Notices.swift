import Threads

/// Lines for the operator from threads that may not speak to one. Any thread.
public final class Notices: Sendable {
  /// Raised for the control thread: a line waits.
  let signal = Signal()
  private let lines = Mailbox<String>()

  public init() {}

  public func post(_ line: String) {
    lines.post(line)
    signal.raise()
  }

  /// Returns the lines since the last call. Control thread.
  func takeAll() -> [String] {
    signal.clear()
    return lines.takeAll()
  }
}
