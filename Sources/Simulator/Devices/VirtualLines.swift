import AudioSession
import Board
import BoardFiles
import CLinux
import Glibc
import Jukebox

/// The lines of a simulated board in real time, behind the same protocol as the kernel's. Control thread.
public final class VirtualLines: LineSet {
  public let pollDescriptors: [PollDescriptor]
  /// The names of the lines, and then of the contacts of knobs.
  private let names: [String]
  private let board: BoardDescription
  private var turns: [AxisTurn] = []
  private let clock: any BoardClock
  private let timer: CInt
  private var contacts = PlannedEdges()
  /// When the next coin may fall, for each acceptor that has had one.
  private var coinsUntil: [LineID: Instant] = [:]

  public init(board: BoardDescription, clock: any BoardClock) {
    names = board.lines.map(\.name) + board.knobContacts
    self.board = board
    self.clock = clock
    timer = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
    pollDescriptors = [PollDescriptor(fileDescriptor: timer, events: CShort(POLLIN))]
  }

  deinit { Glibc.close(timer) }

  /// Plans the edges of contacts, with delays from now.
  public func move(_ edges: [KeyEdge]) {
    contacts.plan(edges, at: clock.now)
    arm()
  }

  /// Drops a coin of one pulse into the acceptor at a line. Its pulse comes after those of the coins before it, and a pause.
  public func dropCoin(_ line: LineID) {
    let now = clock.now
    let begin = max(now, coinsUntil[line] ?? now)
    coinsUntil[line] = begin + CoinDrop.pulse * 2
    contacts.append(CoinDrop.edges(of: line, pulses: 1, after: begin - now), at: now)
    arm()
  }

  /// Has a knob turned by detents.
  public func turn(_ knob: KnobID, by detents: Int) {
    let time = KnobTurning.detentTime * abs(detents)
    contacts.turn(knob, on: board, by: detents, in: time, bouncing: .milliseconds(2), at: clock.now)
    arm()
  }

  public func levels() -> [String: Bool] {
    var levels: [String: Bool] = [:]
    for (index, name) in names.enumerated() { levels[name] = contacts.asserted.contains(LineID(index)) }
    return levels
  }

  public func readEdges(into edges: inout [LineEdge]) {
    var expirations: UInt64 = 0
    _ = read(timer, &expirations, 8)
    for edge in contacts.makeDue(at: clock.now) {
      if let turn = board.axisTurn(of: edge) {
        turns.append(turn)
        continue
      }
      edges.append(LineEdge(line: names[edge.line.index], asserted: edge.asserted, at: edge.at))
    }
    arm()
  }

  public func takeTurns() -> [AxisTurn] {
    defer { turns = [] }
    return turns
  }

  /// Does nothing: the panel shows the lamp from the brain's pattern.
  public func set(_ line: String, asserted: Bool) {}

  public func close() {}

  private func arm() {
    var time = itimerspec()
    if let next = contacts.next {
      // At least one nanosecond: zero would disarm the timer.
      let left = max(1, (next - clock.now).wholeNanoseconds)
      time.it_value = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
    }
    timerfd_settime(timer, 0, &time, nil)
  }
}
