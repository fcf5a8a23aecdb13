import AudioSession
import Board
import Glibc

/// The outputs of GPIO chips. One that cannot be driven is reported once and driven again every second, because music is
/// worth more than a lamp. Control thread.
struct OutputLines {
  static let retryTime = Duration.seconds(1)

  private let lines: any LineSet
  /// The lines that could not be driven, and the level that each should have; the one that was tried last is the last.
  /// They are tried by `driveAgain` alone, because a bus that does not answer holds each try.
  private var wanted: [(line: String, asserted: Bool)] = []
  /// When they are driven again; nil: that is not known before `retry` is called.
  private var retryAt: Instant?
  private var notices: [String] = []
  /// The chip of a line is gone. What was open of it stays useless when it comes back.
  private(set) var failure: LineError?

  init(_ lines: any LineSet) { self.lines = lines }

  /// When to call `retry`; nil: there is nothing to try again.
  var nextRetry: Instant? { wanted.isEmpty ? nil : retryAt ?? .powerOn }

  mutating func drive(_ line: String, asserted: Bool) {
    if let index = wanted.firstIndex(where: { $0.line == line }) {
      wanted[index].asserted = asserted
    } else if let error = set(line, asserted) {
      wanted.append((line: line, asserted: asserted))
      notices.append("\(error); tried again every second")
    }
  }

  /// Drives what could not be driven, once its time has come.
  mutating func retry(at now: Instant) {
    guard !wanted.isEmpty else { return }
    let due = retryAt ?? now + Self.retryTime
    retryAt = due
    guard due <= now else { return }
    driveAgain()
    // The next call counts it, because a bus may have held this one.
    retryAt = nil
  }

  /// Drives what could not be driven, up to the first call that a bus holds: ten that it holds for a second each would
  /// keep the firmware from all else for longer than its watchdog waits. A line that fails at once delays no other one.
  /// - Parameter urgent: the line to begin with.
  mutating func driveAgain(urgent: String? = nil) {
    if let index = wanted.firstIndex(where: { $0.line == urgent }) {
      let first = wanted.remove(at: index)
      wanted.insert(first, at: 0)
    }
    for _ in wanted.indices {
      let next = wanted.removeFirst()
      guard let error = set(next.line, next.asserted) else {
        notices.append("line \(next.line) can be driven again")
        continue
      }
      wanted.append(next)
      if error.isHeld { return }
    }
  }

  /// Returns the messages for the operator since the last call.
  mutating func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// Returns why it cannot be driven; nil: it is.
  private mutating func set(_ line: String, _ asserted: Bool) -> LineError? {
    do throws(LineError) {
      try lines.set(line, asserted: asserted)
      return nil
    } catch {
      if error.code == ENODEV { failure = failure ?? error }
      return error
    }
  }
}
