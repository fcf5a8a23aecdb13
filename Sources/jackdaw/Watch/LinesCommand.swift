import AudioSession
import Board
import Files
import Firmware
import Glibc
import SerialConsole
import Simulator
import Threads

struct LinesCommand: Command {
  static let help = CommandHelp(
    name: "lines",
    summary: "Show every line and button of a board as it moves, for wiring.",
    text: """
      Name, role, chip and offset, level at the pin, asserted or released, edges
      counted, and when the last one was, in seconds since the start. Nothing is
      debounced: contacts show how they bounce. On a terminal the table is redrawn,
      otherwise every change is a line. Output lines are not touched. A line that is
      in use, as by the running firmware, shows by whom: end that first.

      On a simulated board the keys of `jackdaw run` move the lines. q or Ctrl-C ends.

      Exit status: 0 ended as asked, 1 no line can be watched, 2 bad input.
      """,
    options: [KioskOptions.board(or: "auto")], section: KioskOptions.boards)

  private let board: String

  init(_ arguments: Arguments) { board = arguments.option("board") ?? "auto" }

  func run() throws(CommandError) -> ExitStatus {
    let chosen = try ChosenBoard(board)
    if let reason = chosen.reason { Terminal.printError("jackdaw: \(reason)") }
    let clock = MonotonicClock(startsNow: chosen.board.isSimulated)
    let virtual = chosen.board.isSimulated ? VirtualLines(board: chosen.board, clock: clock) : nil
    let watched = WatchedLines(chosen.board, virtual: virtual, clock: clock)
    let signals = ProcessSignals(hangupEnds: true)
    let watch = try LineWatch(watched, keys: virtual.map { Keys(board: chosen.board, lines: $0) }, clock: clock)
    defer { watch.end() }
    watch.start()
    if watched.sets.isEmpty { return .problem }
    while watch.wait(signals) {}
    return watch.hasLines ? .good : .problem
  }
}

/// Shows the edges of some lines until a key or a signal ends it.
final class LineWatch {
  private var sets: [any LineSet]
  private let keys: Keys?
  private let clock: any BoardClock
  private let origin: Instant
  private var table: LineTable
  private let terminal: TerminalMode?
  private var readsKeys = true
  /// Edges that came while the lines were read: others of that time may not have been.
  private var waiting: [LineEdge] = []
  /// The height of the table on the terminal; nil where every change is printed as a line instead.
  private var drawn: Int?

  init(_ watched: WatchedLines, keys: Keys?, clock: any BoardClock) throws(CommandError) {
    sets = watched.sets
    table = LineTable(rows: watched.rows, knobs: watched.knobs)
    self.keys = keys
    self.clock = clock
    origin = clock.now
    guard isatty(STDIN_FILENO) == 1 else {
      terminal = nil
      return
    }
    terminal = try CommandError.about { () throws(SerialError) in try TerminalMode.raw() }
  }

  func start() {
    let lines = table.lines(columns: LineWatch.size.columns)
    Terminal.printLine(lines.joined(separator: "\n"))
    // The cursor cannot go back to the top of a table that is higher than the terminal, and never on a dumb terminal.
    drawn = Terminal.canDraw && lines.count < LineWatch.size.rows ? lines.count : nil
  }

  /// Starts anew on an empty screen: nobody knows where a terminal of another size has put the table.
  private func restart() {
    guard Terminal.canDraw else { return }
    Terminal.print("\u{1B}[H\u{1B}[2J")
    start()
  }

  var hasLines: Bool { !sets.isEmpty }

  func end() { terminal?.restore() }

  /// Waits for edges, keys and signals and shows what changed. Returns false when the command is to end.
  func wait(_ signals: ProcessSignals) -> Bool {
    if Terminal.hasFailed { return false }
    let readable = CShort(POLLIN)
    var descriptors = [
      PollDescriptor(fileDescriptor: signals.fileDescriptor, events: readable),
      // Requests no events: `poll` still reports that the reader has gone.
      PollDescriptor(fileDescriptor: STDOUT_FILENO, events: 0),
    ]
    if readsKeys { descriptors.append(PollDescriptor(fileDescriptor: STDIN_FILENO, events: readable)) }
    descriptors += sets.flatMap(\.pollDescriptors)
    // Whoever tries a reader waits for it.
    for set in sets { set.noteSounding(true) }
    // Edges that wait are looked at again after a millisecond.
    let again = waiting.isEmpty ? nil : clock.now + .milliseconds(1)
    let deadline = (sets.map(\.nextLook) + [again]).compactMap { $0 }.min()
    let found = Poll.wait(for: descriptors, until: deadline, clock)
    if found[1] & CShort(POLLERR) != 0 { return false }
    let isChanged = readEdges()
    var isResized = false
    while let request = signals.next() {
      switch request {
      case .end: return false
      case .resize: isResized = true
      case .reload: break
      }
    }
    if readsKeys, found[2] != 0, !readKeys() { return false }
    if isResized { restart() } else if isChanged { draw() }
    return !sets.isEmpty
  }

  private func readEdges() -> Bool {
    let begin = clock.now
    var isChanged = false
    for set in sets {
      do throws(LineError) {
        try set.readEdges(into: &waiting)
      } catch {
        show(error.description)
        isChanged = true
        // It would only fail again, and at once.
        sets.removeAll { $0 === set }
      }
      for notice in set.takeNotices() {
        show(notice)
        isChanged = true
      }
    }
    let moves = table.take(waiting.filter { $0.at <= begin }, since: origin)
    waiting.removeAll { $0.at <= begin }
    let keys = sets.flatMap { $0.takeKeys() }.compactMap { table.take($0, since: origin, at: clock.now) }
    let cards = sets.flatMap { $0.takeCards() }.compactMap { table.take($0, since: origin) }
    let turns = sets.flatMap { $0.takeTurns() }.compactMap { table.take($0, since: origin) }
    for line in moves + keys + cards + turns {
      isChanged = true
      if drawn == nil { Terminal.printLine(line) }
    }
    return isChanged
  }

  private func show(_ message: String) {
    table.message = message
    if drawn == nil { Terminal.printLine(Wording.oneLine(message)) }
  }

  /// Returns false when a key ends the command.
  private func readKeys() -> Bool {
    if let keys {
      for key in keys.read() {
        if key == .quit { return false }
        keys.press(key)
      }
      readsKeys = keys.descriptor != nil
    } else {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if bytes.prefix(max(0, count)).contains(UInt8(ascii: "q")) { return false }
      readsKeys = count > 0
    }
    // Without its terminal nobody could end the command, so it ends.
    return readsKeys || terminal == nil
  }

  private func draw() {
    guard let drawn else { return }
    let lines = table.lines(columns: LineWatch.size.columns)
    // A notice of a device is one line more.
    if lines.count >= LineWatch.size.rows { return restart() }
    Terminal.print("\u{1B}[\(drawn)A" + lines.map { "\r\($0)\u{1B}[K\n" }.joined())
    self.drawn = lines.count
  }

  private static var size: (columns: Int, rows: Int) {
    // One column less: a full line may wrap on some terminals.
    Terminal.size.map { ($0.columns - 1, $0.rows) } ?? (200, 24)
  }
}
