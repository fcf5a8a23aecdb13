import SerialConsole

/// The serial console of a simulated board: while it is free, lines are written at once; while it is blocked, they wait in
/// a queue like that of the real console.
struct SimulatedConsole {
  /// Whether the scenario keeps it from taking output. It is outside the board, so a power cut does not free it.
  var isBlocked = false
  /// The queue is in the firmware's memory, as are the variables below: a power cut empties it.
  private var queue = LineQueue(capacity: SerialConsole.queueCapacity)
  private var waitingReplies: [String] = []
  private var dropped = 0

  var takesAtOnce: Bool { !isBlocked && queue.isEmpty }

  /// Queues a line; one that does not fit is dropped whole and counted.
  mutating func enqueue(_ line: String, isReply: Bool = false) {
    if !queue.append(Array(line.utf8) + SerialConsole.lineEnd, isLine: true) {
      dropped += 1
    } else if isReply {
      waitingReplies.append(line)
    }
  }

  /// Takes everything that waits, unless the console is blocked.
  mutating func takeWaiting() -> (replies: [String], dropped: Int) {
    guard !isBlocked else { return ([], 0) }
    defer { clear() }
    return (waitingReplies, dropped)
  }

  mutating func cutPower() { clear() }

  private mutating func clear() {
    queue.removeAll()
    waitingReplies = []
    dropped = 0
  }
}
