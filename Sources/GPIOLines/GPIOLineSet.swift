import AudioSession
import Board
import CGPIOD
import Glibc

/// Open lines of any number of chips. Control thread.
final class GPIOLineSet: LineSet {
  /// More than one read of one line can give in either version of libgpiod.
  private static let edgesAtOnce = 64
  /// A line that chatters without end must not keep the control thread busy: further edges wait for the next poll.
  private static let passesAtOnce = 4

  private var lines: [any OpenLine]
  /// The edges of each of `lines`.
  private var queues: [EdgeQueue]
  private var polled: [pollfd] = []
  /// Index in `lines` of each entry of `polled`.
  private var polledLines: [Int] = []
  private var buffer = [cgpiod_edge](repeating: cgpiod_edge(), count: edgesAtOnce)

  init(_ lines: [any OpenLine]) {
    self.lines = lines
    queues = lines.map { _ in EdgeQueue() }
    for (index, line) in lines.enumerated() {
      guard let descriptor = line.descriptor else { continue }
      polled.append(pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0))
      polledLines.append(index)
    }
  }

  var pollDescriptors: [PollDescriptor] {
    polled.map { PollDescriptor(fileDescriptor: $0.fd, events: $0.events) }
  }

  func levels() throws(LineError) -> [String: Bool] {
    var levels: [String: Bool] = [:]
    for line in lines where line.descriptor != nil {
      do throws(SystemFailure) {
        levels[line.name] = try line.level()
      } catch {
        throw LineError(operation: .read, subject: line.name, code: error.code, message: error.message)
      }
    }
    return levels
  }

  /// The edges read before a failure are still appended. If the kernel may have dropped some, the level is read
  /// and, if it differs from that after the last edge, appended as an edge of now.
  func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    let first = edges.count
    var failure: LineError?
    // One line may get an edge while a later one is read. Only a pass that finds nothing proves that no edge older
    // than those collected is still on its way.
    for _ in 0..<GPIOLineSet.passesAtOnce where failure == nil {
      guard poll(&polled, nfds_t(polled.count), 0) > 0 else { break }
      failure = readReady(into: &edges)
    }
    if failure == nil { failure = readAgain(into: &edges) }
    sortOldestFirst(&edges, from: first)
    if let failure { throw failure }
  }

  func set(_ line: String, asserted: Bool) throws(LineError) {
    guard let output = lines.first(where: { $0.name == line && $0.descriptor == nil }) else {
      let names = lines.filter { $0.descriptor == nil }.map(\.name).joined(separator: ", ")
      throw LineError(
        operation: .set, subject: line, code: 0,
        message: "not an open output, expected one of: \(names.isEmpty ? "none" : names)")
    }
    do throws(SystemFailure) {
      try output.set(asserted: asserted)
    } catch {
      throw LineError(operation: .set, subject: line, code: error.code, message: error.message)
    }
  }

  func takeLostEdges() -> Int {
    var lost = 0
    for index in queues.indices { lost += queues[index].takeLost() }
    return lost
  }

  func close() {
    polled = []
    polledLines = []
    lines = []
    queues = []
  }

  /// Collects from every line that `poll` marked. Returns the first failure.
  private func readReady(into edges: inout [LineEdge]) -> LineError? {
    var failure: LineError?
    for (entry, index) in zip(polled, polledLines) where entry.revents != 0 {
      do throws(SystemFailure) {
        let count = try lines[index].readEdges(into: &buffer)
        queues[index].note(read: count)
        for edge in buffer[..<count] {
          let at = Instant(nanoseconds: Int64(clamping: edge.nanoseconds))
          let followsLoss = queues[index].note(edge)
          edges.append(
            LineEdge(line: lines[index].name, asserted: edge.asserted, at: at, followsLoss: followsLoss))
        }
      } catch {
        let line = lines[index].name
        failure = failure ?? LineError(operation: .readEdges, subject: line, code: error.code, message: error.message)
      }
    }
    return failure
  }
}

extension GPIOLineSet {
  /// Reads the levels of the lines whose edges may have been lost and of which none waits. Returns the first failure.
  private func readAgain(into edges: inout [LineEdge]) -> LineError? {
    guard queues.contains(where: \.isSuspect) else { return nil }
    poll(&polled, nfds_t(polled.count), 0)
    for (entry, index) in zip(polled, polledLines) where entry.revents == 0 && queues[index].isSuspect {
      do throws(SystemFailure) {
        let asserted = try lines[index].level()
        guard queues[index].isNews(asserted) else { continue }
        let now = MonotonicClock(startsNow: false).now
        edges.append(LineEdge(line: lines[index].name, asserted: asserted, at: now, followsLoss: true))
      } catch {
        return LineError(operation: .read, subject: lines[index].name, code: error.code, message: error.message)
      }
    }
    return nil
  }
}
