/// Reports of a thread for the control thread, in order. Any thread may post them.
package final class Reports<Report: Sendable>: Sendable {
  /// Raised for the control thread: a report waits.
  package let signal = Signal()
  private let waiting = Mailbox<Report>()

  package init() {}

  package func post(_ report: Report) {
    waiting.post(report)
    signal.raise()
  }

  /// Control thread. Removes and returns what was posted since the last call.
  package func takeAll() -> [Report] {
    signal.clear()
    return waiting.takeAll()
  }
}
