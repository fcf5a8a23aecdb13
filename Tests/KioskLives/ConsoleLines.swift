import Jukebox

/// What the serial console has missed (K6): of what is written while it is blocked, as many lines wait as fit into 64 KiB.
struct ConsoleLines {
  private static let room = 65_536
  private(set) var isBlocked = false
  /// Bytes that wait, each line with CR and LF.
  private var waiting = 0
  private var missed = 0
  /// To be told in the log at once.
  private var expected: Int?

  mutating func block() { isBlocked = true }

  /// What waits is lost with the power, and whoever counted it.
  mutating func powerCut() {
    waiting = 0
    missed = 0
  }

  /// All that waits is taken, and what was missed is told; nothing is, as long as the system sleeps.
  mutating func willFree(isAsleep: Bool) {
    isBlocked = false
    if !isAsleep { willTake() }
  }

  mutating func willWake() { if !isBlocked { willTake() } }

  private mutating func willTake() {
    expected = missed > 0 ? missed : nil
    powerCut()
  }

  mutating func passed(_ line: some StringProtocol) {
    guard isBlocked else { return }
    let bytes = line.utf8.count + 2
    if waiting + bytes > Self.room { missed += 1 } else { waiting += bytes }
  }

  /// What is wrong about an event of the log.
  mutating func objection(to event: Event, line: String) -> String? {
    defer { passed(line) }
    let due = expected
    expected = nil
    let told = event.name == .logDropped ? event["n"] ?? "no number of" : nil
    if told == due.map(String.init) { return nil }
    return "\(told ?? "no") lines were dropped, expected \(due.map(String.init) ?? "none")"
  }
}
