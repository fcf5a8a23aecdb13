@testable import Jukebox

/// What the real recorder does, seen from the brain. It obeys in order and answers when the test says so.
struct RecorderModel: Hashable {
  enum Phase: Hashable { case idle, starting, capturing, stopping }

  var phase = Phase.idle
  /// Told to stop before it had begun.
  var stopsAtOnce = false
  /// What the brain was not told yet, in order.
  var reports: [RecorderReport] = []
  /// A command that the brain must never give in this state.
  var complaint: String?

  mutating func obey(_ command: RecorderCommand) {
    switch (command, phase) {
    case (.start, .idle): phase = .starting
    case (.start, _): complaint = "start while \(phase)"
    case (.stop, .starting): stopsAtOnce = true
    case (.stop, .capturing): phase = .stopping
    // It has ended by itself, and the brain has still to hear of it.
    case (.stop, .idle): if reports.isEmpty { complaint = "stop of nothing" }
    case (.stop, .stopping): complaint = "stop twice"
    }
  }

  mutating func begins() {
    guard phase == .starting else { return }
    reports.append(.started(file: "1.wav"))
    phase = stopsAtOnce ? .stopping : .capturing
    stopsAtOnce = false
  }

  mutating func cannotBegin() {
    guard phase == .starting else { return }
    reports.append(.failed(reason: "no space"))
    phase = .idle
    stopsAtOnce = false
  }

  /// All is written down, as it was told to.
  mutating func ends() {
    guard phase == .stopping else { return }
    end(nil)
  }

  mutating func breaks(_ fault: RecorderFault) {
    guard phase == .capturing || phase == .stopping else { return }
    end(fault)
  }

  private mutating func end(_ fault: RecorderFault?) {
    reports.append(.stopped(file: "1.wav", frames: 1, lost: 0, fault: fault))
    phase = .idle
  }
}
