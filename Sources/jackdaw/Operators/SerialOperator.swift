import AudioSession
import Board
import BoardFiles
import Files
import Firmware
import Glibc
import Jukebox
import SerialConsole

/// The serial console beside another operator: every line of the log goes to both, commands come from both. While its
/// device is missing, the other operator works alone; when it is back, as a USB adapter may be, it gets the number of lines
/// that it missed. Nothing more is read while a command waits for its turn, and what follows lines that are no commands
/// waits ever longer for it, and is dropped in the end (K7.6). Control thread.
final class SerialOperator: Operator {
  private static let retryTime = Duration.seconds(2)
  private static let longestPause = Duration.seconds(10)
  /// From here on nothing is taken that comes before the end of a pause.
  private static let deafPause = Duration.seconds(1)

  private let base: any Operator
  private let settings: BoardDescription.Console
  private let clock: any BoardClock
  private var console: SerialConsole?
  /// When to try to open the device again; nil while it is open.
  private var nextTry: Instant?
  /// Lines that were written while it was missing.
  private var missed = 0
  /// Lines that were logged as dropped, until `takeDropped` passes them on.
  private var uncounted = 0
  private var commands: [String] = []
  private var nextCommand = Instant.powerOn
  /// How long the next line waits behind the one that was taken last.
  private var pause = ControlSocket.turnTime
  /// Whether what comes before `nextCommand` is dropped.
  private var isDeaf = false
  /// Whether the command that was taken last came from here.
  private var isAsking = false

  init(_ settings: BoardDescription.Console, beside base: any Operator, clock: any BoardClock) {
    self.settings = settings
    self.base = base
    self.clock = clock
    do throws(SerialError) {
      console = try open()
    } catch {
      lose(error)
    }
  }

  private var isReading: Bool { commands.isEmpty && !isDeaf }

  var pollDescriptors: [PollDescriptor] {
    let descriptor = isReading ? console?.pollDescriptor : console?.outputDescriptor
    return base.pollDescriptors + [descriptor].compactMap { $0 }
  }

  var nextDraw: Instant? {
    [base.nextDraw, nextTry, isReading ? nil : nextCommand].compactMap { $0 }.min()
  }
  var wantsToEnd: Bool { base.wantsToEnd }

  func serve() {
    base.serve()
    if let due = nextTry, due <= clock.now { reopen() }
    if isDeaf, nextCommand <= clock.now {
      isDeaf = false
      console?.dropInput()
    }
    guard let console else { return }
    do throws(SerialError) {
      // Output is sent first, so that replies to what is read below go out before the next prompt.
      try send(console)
      if isReading, console.hasInput { for input in try console.readLines() { take(input, console) } }
    } catch {
      missed += console.takeDropped()
      lose(error)
    }
  }

  private func open() throws(SerialError) -> SerialConsole {
    try SerialConsole.open(device: settings.device, speed: settings.speed)
  }

  private func lose(_ error: SerialError) {
    console = nil
    nextTry = clock.now + Self.retryTime
    base.note("jackdaw: no console: \(error); looking for it every \(Self.retryTime.components.seconds) s")
  }

  private func reopen() {
    do throws(SerialError) {
      console = try open()
      nextTry = nil
      base.note("jackdaw: the console is back: \(settings.device)")
    } catch {
      nextTry = clock.now + Self.retryTime
    }
  }

  private func take(_ input: ConsoleInput, _ console: SerialConsole) {
    switch input {
    case .line(let line): commands.append(line)
    case .tooLong: console.write(line: "error: the line is too long")
    }
  }

  /// Sends what waits. Once all of it is out, logs how many lines the console missed (K6).
  private func send(_ console: SerialConsole) throws(SerialError) {
    try console.flush()
    guard !console.wantsWrite else { return }
    let dropped = missed + console.takeDropped()
    missed = 0
    uncounted += dropped
    guard dropped > 0 else { return }
    log(Event(.logDropped, .warn, ["n": String(dropped)]), at: clock.now)
    try console.flush()
  }

  func takeCommand() -> String? {
    let now = clock.now
    isAsking = !commands.isEmpty && now >= nextCommand
    guard isAsking else { return base.takeCommand() }
    let line = commands.removeFirst()
    // From a line that hears itself, or has a login at its other end, each reply comes back as the next line.
    pause = ConsoleHelp.isCommand(line) ? ControlSocket.turnTime : min(pause * 2, Self.longestPause)
    nextCommand = now + pause
    if pause >= Self.deafPause {
      // Taken one after the other, the lines that such a line has sent would delay a person for long after its mend.
      isDeaf = true
      commands = []
      console?.dropInput()
    }
    return line
  }

  func log(_ event: Event, at now: Instant) {
    base.log(event, at: now)
    if event.isQuestion { return }
    write(event.line(at: now))
  }

  func note(_ text: String) {
    base.note(text)
    write(Wording.oneLine(text))
  }

  func reply(_ text: String) {
    guard isAsking else { return base.reply(text) }
    for line in text.split(separator: "\n") { write(String(line)) }
  }

  private func write(_ line: String) {
    if let console { console.write(line: line) } else { missed += 1 }
  }

  func draw(_ status: Status, at now: Instant) { base.draw(status, at: now) }

  func takeDropped() -> Int {
    defer { uncounted = 0 }
    return uncounted + base.takeDropped()
  }

  func resize() { base.resize() }

  func end() {
    console?.finish(clock)
    base.end()
  }
}
