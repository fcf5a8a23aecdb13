import SerialConsole

/// The serial console of a simulated board: at once what is written while it is free, and behind the queue of the real
/// one while it is blocked.
struct SimulatedConsole {
  /// A scenario has it take nothing. It is beside the board, so a power cut does not free it.
  var isBlocked = false
  /// In the firmware's memory, as is what follows.
  private var queue = LineQueue(capacity: SerialConsole.queueCapacity)
  private var waitingReplies: [String] = []
  private var dropped = 0

  var takesAtOnce: Bool { !isBlocked && queue.isEmpty }

  /// A line that is not taken at once waits, or is dropped whole and counted.
  mutating func keep(_ line: String, isReply: Bool = false) {
    if !queue.append(Array(line.utf8) + SerialConsole.lineEnd, isLine: true) {
      dropped += 1
    } else if isReply {
      waitingReplies.append(line)
    }
  }

  /// All that waits, once it is free.
  mutating func handOn() -> (replies: [String], dropped: Int) {
    guard !isBlocked else { return ([], 0) }
    defer { forget() }
    return (waitingReplies, dropped)
  }

  mutating func cutPower() { forget() }

  private mutating func forget() {
    queue.removeAll()
    waitingReplies = []
    dropped = 0
  }
}
