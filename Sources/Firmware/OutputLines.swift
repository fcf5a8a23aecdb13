import AudioSession
import Board
import Glibc

/// The outputs of GPIO chips. One that cannot be driven is reported once and driven again every second, because music is
/// worth more than a lamp. Control thread.
struct OutputLines {
  static let retryTime = Duration.seconds(1)

  private let lines: any LineSet
  /// The level that each line should have that could not be driven. It is tried by `retry` alone, because a bus that
  /// does not answer holds each try.
  private var wanted: [String: Bool] = [:]
  /// When they are driven again; nil: that is not known before `retry` is called.
  private var retryAt: Instant?
  private var notices: [String] = []
  /// The chip of a line is gone. What was open of it stays useless when it comes back.
  private(set) var failure: LineError?

  init(_ lines: any LineSet) { self.lines = lines }

  /// When to call `retry`; nil: there is nothing to try again.
  var nextRetry: Instant? { wanted.isEmpty ? nil : retryAt ?? .powerOn }

  mutating func drive(_ line: String, asserted: Bool) {
    if wanted[line] == nil { set(line, asserted) } else { wanted[line] = asserted }
  }

  /// Drives what could not be driven, once its time has come.
  mutating func retry(at now: Instant) {
    guard !wanted.isEmpty else { return }
    let due = retryAt ?? now + Self.retryTime
    retryAt = due
    guard due <= now else { return }
    for (line, asserted) in wanted.sorted(by: { $0.key < $1.key }) { set(line, asserted) }
    retryAt = wanted.isEmpty ? nil : now + Self.retryTime
  }

  /// Returns the messages for the operator since the last call.
  mutating func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  private mutating func set(_ line: String, _ asserted: Bool) {
    do throws(LineError) {
      try lines.set(line, asserted: asserted)
      if wanted.removeValue(forKey: line) != nil { notices.append("line \(line) can be driven again") }
    } catch {
      if error.code == ENODEV { failure = failure ?? error }
      if wanted.updateValue(asserted, forKey: line) == nil { notices.append("\(error); tried again every second") }
    }
  }
}
