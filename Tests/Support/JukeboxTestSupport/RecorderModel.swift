@testable import Jukebox

/// A model of the recorder, as the brain sees it. It obeys in order and reports when the test calls for it.
struct RecorderModel: Hashable {
  enum Phase: Hashable { case idle, starting, capturing, stopping }

  var phase = Phase.idle
  /// Whether it was commanded to stop before it had begun.
  var stopsAtOnce = false
  /// Reports that the brain has not received yet, in order.
  var reports: [RecorderReport] = []
  /// Set when the brain gives a command that is wrong in this state.
  var violation: String?

  mutating func obey(_ command: RecorderCommand) {
    switch (command, phase) {
    case (.start, .idle): phase = .starting
    case (.start, _): violation = "start while \(phase)"
    case (.stop, .starting): stopsAtOnce = true
    case (.stop, .capturing): phase = .stopping
    // It has ended by itself, and the brain has not received the report yet.
    case (.stop, .idle): if reports.isEmpty { violation = "stop of nothing" }
    case (.stop, .stopping): violation = "stop twice"
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

  /// Ends the recording as commanded, with everything written.
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
