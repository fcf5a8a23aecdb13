import AudioSession
import BoardFiles
import Jukebox

/// The board's outputs of role `signal` and `coin-inhibit`, each with a blinker of its own, or in the kernel's hands (E5, E9). Control thread.
final class SignalOutputs {
  private struct Output {
    let line: LineID
    let name: String
    /// What it shows while no firmware runs.
    let rest: LampPattern
    /// nil: a GPIO line.
    var led: KernelLED?
    var pattern = LampPattern.off
    var blinker = LampBlinker()
    /// When the kernel is asked again to make the pattern, and how often it was.
    var retry: Instant?
    var tries = 0
    /// What was reported of it since it worked last.
    var problem: String?
  }

  private static let retryTime = Duration.milliseconds(20)
  /// Between two looks for an LED that is not there, as one whose driver comes late.
  private static let searchTime = Duration.seconds(5)
  private static let mostTries = 100

  private let wiring: Wiring
  private var outputs: [Output] = []
  private var notices: [String] = []

  /// - Parameter leds: the folder of the kernel's LED class.
  init(_ board: BoardDescription, _ wiring: Wiring, leds: String = KernelLED.root) {
    self.wiring = wiring
    for (index, line) in board.lines.enumerated() {
      guard let rest = line.role.rest else { continue }
      var led: KernelLED?
      if case .led(let name) = line.source { led = KernelLED(name, in: leds) }
      outputs.append(Output(line: LineID(index), name: line.name, rest: rest, led: led))
    }
  }

  /// Puts an end to what a firmware that was killed has left behind.
  func reset(at now: Instant) {
    for output in outputs where output.led != nil { show(output.line, .off, at: now) }
  }

  func show(_ line: LineID, _ pattern: LampPattern, at now: Instant) {
    guard let index = outputs.firstIndex(where: { $0.line == line }) else { return }
    outputs[index].pattern = pattern
    outputs[index].tries = 0
    obey(index, at: now)
  }

  /// When one of them changes by itself; nil: never.
  var next: Instant? {
    var next: Instant?
    for output in outputs {
      if let due = output.blinker.next { next = min(next ?? due, due) }
      if let due = output.retry { next = min(next ?? due, due) }
    }
    return next
  }

  func tick(at now: Instant) {
    for index in outputs.indices {
      if let retry = outputs[index].retry, retry <= now { obey(index, at: now) }
      if outputs[index].blinker.tick(at: now) { light(index) }
    }
  }

  /// Only what keeps coins out stays asserted.
  func end(at now: Instant) {
    for output in outputs { show(output.line, output.rest, at: now) }
  }

  /// Returns the messages for the operator since the last call.
  func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  private func obey(_ index: Int, at now: Instant) {
    let output = outputs[index]
    outputs[index].retry = nil
    outputs[index].blinker.show(.off, at: now)
    guard let led = output.led else { return blink(index, at: now) }
    switch led.show(output.pattern) {
    case .shown: outputs[index].problem = nil
    case .notYet where output.tries < Self.mostTries:
      outputs[index].tries += 1
      outputs[index].retry = now + Self.retryTime
    case .notYet:
      report(index, "LED \(led.name): the files of its trigger may not be written: it blinks by wake-ups")
      blink(index, at: now)
    case .noTrigger(let trigger):
      let lack = "the kernel lacks the trigger \(trigger) (modprobe ledtrig-\(trigger))"
      report(index, "LED \(led.name): \(lack): it blinks by wake-ups")
      blink(index, at: now)
    case .failed(let problem):
      report(index, problem)
      outputs[index].retry = now + Self.searchTime
    }
  }

  private func blink(_ index: Int, at now: Instant) {
    let output = outputs[index]
    outputs[index].blinker.show(output.pattern, at: now)
    light(index)
  }

  private func light(_ index: Int) {
    let output = outputs[index]
    guard let led = output.led else { return wiring.drive(output.name, asserted: output.blinker.isLit) }
    if case .failed(let problem) = led.light(output.blinker.isLit) { report(index, problem) }
  }

  private func report(_ index: Int, _ problem: String) {
    guard outputs[index].problem != problem else { return }
    outputs[index].problem = problem
    notices.append(problem)
  }
}

extension Line.Role {
  /// What an output that is shown by its pattern is left with; nil: it is none.
  fileprivate var rest: LampPattern? {
    switch self {
    case .signal: .off
    case .coinInhibit: .on
    case .sense, .button, .interrupter, .mute, .selector, .silence, .coin, .freePlay, .lamp, .ampMute: nil
    }
  }
}
