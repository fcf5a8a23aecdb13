import AudioSession
import Board
import CLinux
import Glibc
import Jukebox

/// The lines of a simulated board in real time: contacts that move when told to, seen through the same seam as the
/// kernel's. Control thread.
public final class VirtualLines: LineSet {
  public let pollDescriptors: [PollDescriptor]
  private let clock: any BoardClock
  private let timer: CInt
  private var current: [String: Bool]
  /// In the order of time.
  private var planned: [LineEdge] = []

  public init(board: BoardDescription, clock: any BoardClock) {
    self.clock = clock
    timer = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
    pollDescriptors = [PollDescriptor(fileDescriptor: timer, events: CShort(POLLIN))]
    current = Dictionary(board.lines.map { ($0.name, false) }) { first, _ in first }
  }

  deinit { Glibc.close(timer) }

  /// Moves a contact after a while.
  public func move(_ line: String, asserted: Bool, after delay: Duration) {
    let edge = LineEdge(line: line, asserted: asserted, at: clock.now + delay)
    planned.insert(edge, at: planned.firstIndex { $0.at > edge.at } ?? planned.count)
    arm()
  }

  public func levels() -> [String: Bool] { current }

  public func readEdges(into edges: inout [LineEdge]) {
    var expirations: UInt64 = 0
    _ = read(timer, &expirations, 8)
    while let edge = planned.first, edge.at <= clock.now {
      planned.removeFirst()
      guard current[edge.line] != edge.asserted else { continue }
      current[edge.line] = edge.asserted
      edges.append(edge)
    }
    arm()
  }

  public func set(_ line: String, asserted: Bool) { current[line] = asserted }

  public func close() { planned = [] }

  private func arm() {
    var time = itimerspec()
    if let next = planned.first {
      // One nanosecond at least: zero would disarm it.
      let left = max(1, (next.at - clock.now).wholeNanoseconds)
      time.it_value = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
    }
    timerfd_settime(timer, 0, &time, nil)
  }
}
