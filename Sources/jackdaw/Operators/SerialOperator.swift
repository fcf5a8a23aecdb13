import AudioSession
import Board
import Glibc
import Jukebox
import JukeboxRuntime
import SerialConsole

/// The serial console beside another operator: every line of the log goes to both, commands come from the console.
/// When the line is lost, the other goes on alone.
final class SerialOperator: Operator {
  private let base: any Operator
  private let clock: any BoardClock
  private var console: SerialConsole?
  private var commands: [String] = []

  init(_ console: SerialConsole, beside base: any Operator, clock: any BoardClock) {
    self.console = console
    self.base = base
    self.clock = clock
  }

  var pollDescriptors: [PollDescriptor] { base.pollDescriptors + (console.map { [$0.pollDescriptor] } ?? []) }
  var nextDraw: Instant? { base.nextDraw }
  var wantsToEnd: Bool { base.wantsToEnd }

  func serve() {
    base.serve()
    guard let console else { return }
    do throws(SerialConsoleError) {
      if console.hasInput { for input in try console.readLines() { take(input, console) } }
      try send(console)
    } catch {
      self.console = nil
      base.note("jackdaw: \(error)")
    }
  }

  private func take(_ input: ConsoleInput, _ console: SerialConsole) {
    switch input {
    case .line(let line): commands.append(line)
    case .tooLong: console.write(line: "error: the line is too long")
    }
  }

  /// Once there is room again, the console learns how many lines it missed (K6).
  private func send(_ console: SerialConsole) throws(SerialConsoleError) {
    try console.flush()
    guard !console.wantsWrite else { return }
    let dropped = console.takeDropped()
    guard dropped > 0 else { return }
    log(Event(.logDropped, .warn, ["n": String(dropped)]), at: clock.now)
    try console.flush()
  }

  func takeCommand() -> String? { commands.isEmpty ? base.takeCommand() : commands.removeFirst() }

  func log(_ event: Event, at now: Instant) {
    base.log(event, at: now)
    console?.write(line: event.line(at: now))
  }

  func note(_ text: String) {
    base.note(text)
    console?.write(line: Wording.oneLine(text))
  }

  func reply(_ text: String) {
    for line in text.split(separator: "\n") { console?.write(line: String(line)) }
  }

  func draw(_ status: Status, at now: Instant) { base.draw(status, at: now) }

  func resize() { base.resize() }

  func end() {
    try? console?.flush()
    base.end()
  }
}
