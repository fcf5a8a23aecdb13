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
  /// How long after a level that could not be read it is read again: an expander's bus may be disturbed for a moment.
  private static let retryTime = Duration.seconds(1)
  /// A call that fails after so long was held by a bus that does not answer.
  private static let heldTime = Duration.milliseconds(100)

  private let clock: any BoardClock
  private var lines: [any OpenLine]
  /// The edges of each of `lines`.
  private var queues: [EdgeQueue]
  private var polled: [pollfd] = []
  /// Index in `lines` of each entry of `polled`.
  private var polledLines: [Int] = []
  private var buffer = [cgpiod_edge](repeating: cgpiod_edge(), count: edgesAtOnce)
  private var notices: [String]
  /// The chips whose bus has held calls since it answered last, how many, and until when no other line of theirs is
  /// called.
  private var heldChips: [String: (failure: SystemFailure, calls: Int, until: Instant)] = [:]
  /// No level of such a chip is read again before: several may be on one bus.
  private var restsUntil = Instant.powerOn
  /// Indices of the outputs that could not be driven.
  private var undriven: Set<Int> = []

  /// - Parameter notices: what the operator has to know of these lines.
  init(
    _ lines: [any OpenLine], notices: [String] = [], clock: any BoardClock = MonotonicClock(startsNow: false)
  ) {
    (self.lines, self.notices, self.clock) = (lines, notices, clock)
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

  /// A line whose level cannot be read now has the one that it had last; none where that is not known, either.
  func levels() throws(LineError) -> [String: Bool] {
    var levels: [String: Bool] = [:]
    for index in lines.indices where lines[index].descriptor != nil {
      // A contact that is found closed later counts as one that closes then (O7). So at power on a held call costs the
      // level of its line alone, and only a second one in a row those of the lines after it.
      let isNeeded = queues[index].level == nil && (heldChips[lines[index].chip]?.calls ?? 0) < 2
      if let level = try level(index, isNeeded: isNeeded) { queues[index].note(level: level) }
      levels[lines[index].name] = queues[index].level
    }
    return levels
  }

  /// When a level is read again that could not be read.
  var nextLook: Instant? { lines.indices.compactMap(readAgainAt).min() }

  func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
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
    guard let index = lines.firstIndex(where: { $0.name == line && $0.descriptor == nil }) else {
      let names = lines.filter { $0.descriptor == nil }.map(\.name).joined(separator: ", ")
      throw LineError(
        operation: .set, subject: line, code: 0,
        message: "not an open output, expected one of: \(names.isEmpty ? "none" : names)")
    }
    do throws(SystemFailure) {
      try call(index, isNeeded: undriven.contains(index)) { (output) throws(SystemFailure) in
        try output.set(asserted: asserted)
      }
      undriven.remove(index)
    } catch {
      undriven.insert(index)
      var failure = LineError(operation: .set, subject: line, code: error.code, message: error.message)
      failure.isHeld = error.isHeld
      throw failure
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
    // The one that waits longest first, because there may be time for one only.
    let ready = zip(polled, polledLines).sorted { retryAt($0.1) < retryAt($1.1) }
    for (entry, index) in ready where isDue(index) {
      guard entry.revents == 0 else {
        queues[index].postpone(until: clock.now + Self.retryTime)
        continue
      }
      do throws(LineError) {
        guard let asserted = try level(index, isNeeded: queues[index].retryAt != nil) else { continue }
        if queues[index].retryAt != nil { notices.append("line \(lines[index].name) can be read again") }
        guard queues[index].isNews(asserted) else { continue }
        edges.append(LineEdge(line: lines[index].name, asserted: asserted, at: clock.now, followsLoss: true))
      } catch {
        return error
      }
    }
    return nil
  }

  private func retryAt(_ index: Int) -> Instant { queues[index].retryAt ?? .powerOn }

  /// When its level is read again that could not be read.
  private func readAgainAt(_ index: Int) -> Instant? {
    queues[index].retryAt.map { heldChips[lines[index].chip] == nil ? $0 : max($0, restsUntil) }
  }

  private func isDue(_ index: Int) -> Bool {
    queues[index].isSuspect && readAgainAt(index).map { $0 <= clock.now } ?? true
  }

  /// The level of a line now; nil where its chip did not answer. Throws where the chip is gone, which stays so.
  private func level(_ index: Int, isNeeded: Bool) throws(LineError) -> Bool? {
    do throws(SystemFailure) {
      return try call(index, isNeeded: isNeeded) { (line) throws(SystemFailure) in try line.level() }
    } catch {
      let name = lines[index].name
      let failure = LineError(operation: .read, subject: name, code: error.code, message: error.message)
      if error.code == ENODEV { throw failure }
      if queues[index].retryAt == nil { notices.append("\(failure); its last level counts; tried again every second") }
      queues[index].noteFailure(until: clock.now + Self.retryTime)
      if error.isHeld { restsUntil = clock.now + Self.retryTime }
      return nil
    }
  }

  /// Calls a line, unless its chip has just held a call up, as on a bus that does not answer: it would hold this one up
  /// as long, and the calls to ten lines for longer than the watchdog waits.
  /// - Parameter isNeeded: it is called even so: it failed before and its turn has come, or its level is not known.
  private func call<Answer>(
    _ index: Int, isNeeded: Bool, _ body: (any OpenLine) throws(SystemFailure) -> Answer
  ) throws(SystemFailure) -> Answer {
    let line = lines[index]
    let start = clock.now
    if !isNeeded, let held = heldChips[line.chip], start < held.until { throw held.failure }
    do throws(SystemFailure) {
      let answer = try body(line)
      heldChips[line.chip] = nil
      return answer
    } catch {
      let end = clock.now
      var failure = error
      failure.isHeld = end - start >= Self.heldTime
      if failure.isHeld {
        let calls = (heldChips[line.chip]?.calls ?? 0) + 1
        heldChips[line.chip] = (failure: failure, calls: calls, until: end + Self.retryTime)
      }
      throw failure
    }
  }
}
