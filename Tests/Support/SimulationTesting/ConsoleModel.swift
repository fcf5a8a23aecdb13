import Jukebox

/// How many lines a blocked serial console drops (K6): lines wait for it up to 64 KiB, and later ones are dropped.
struct ConsoleModel {
  private static let capacity = 65_536
  private(set) var isBlocked = false
  /// Bytes that wait, each line with CR and LF.
  private var waiting = 0
  private var dropped = 0
  /// The number that the next line of the log must report.
  private var expected: Int?

  mutating func block() { isBlocked = true }

  /// The lines that wait, and the number of dropped ones, are lost with the power.
  mutating func cutPower() {
    waiting = 0
    dropped = 0
  }

  /// The console takes what waits, and the log reports what was dropped; in sleep, both happen at the wake.
  mutating func unblock(isAsleep: Bool) {
    isBlocked = false
    if !isAsleep { drain() }
  }

  mutating func wake() { if !isBlocked { drain() } }

  private mutating func drain() {
    expected = dropped > 0 ? dropped : nil
    waiting = 0
    dropped = 0
  }

  /// A line is written to the console.
  mutating func append(_ line: some StringProtocol) {
    guard isBlocked else { return }
    let bytes = line.utf8.count + 2
    if waiting + bytes > Self.capacity { dropped += 1 } else { waiting += bytes }
  }

  /// Returns what is wrong with an event of the log.
  mutating func check(_ event: Event, line: String) -> String? {
    defer { append(line) }
    let due = expected
    expected = nil
    let logged = event.name == .logDropped ? event["n"] ?? "no number of" : nil
    if logged == due.map(String.init) { return nil }
    return "the log reports \(logged ?? "no") dropped lines, expected \(due.map(String.init) ?? "none")"
  }
}
