import AudioSession
import CLinux
import Files
import Glibc
import Jukebox

/// The process that has started the firmware and watches it: systemd, or any other that takes the same datagrams
/// (sd_notify(3), sd_watchdog_enabled(3)). Control thread; no call blocks.
public final class Supervisor {
  /// How soon to send again what did not go out because the receiver's queue was full.
  private static let retryTime = Duration.milliseconds(100)

  private let descriptor: CInt
  private let address: UnixAddress
  /// Time between two signs of life; nil if none are wanted.
  private let interval: Duration?
  /// `KEY=value` lines that have not gone out yet, one for each key.
  private var unsent: [String] = []
  private var status = ""
  private var isAlive = true
  private var nextSign: Instant?
  private var nextTry: Instant?

  /// - Parameters:
  ///   - path: the socket's path, absolute, or `@` and an abstract name; the initializer returns nil for anything else and
  ///     if no socket can be created.
  ///   - watchdog: how long it waits for a sign of life before it ends the process; nil: forever. Signs are sent twice
  ///     as often.
  public init?(path: String, watchdog: Duration?) {
    guard let address = UnixAddress(path) else { return nil }
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    self.address = address
    interval = watchdog.map { $0 / 2 }
  }

  deinit { close(descriptor) }

  /// The supervisor that the environment names; nil if it names none.
  public static func ofProcess() -> Supervisor? {
    guard let path = getenv("NOTIFY_SOCKET") else { return nil }
    return Supervisor(path: String(cString: path), watchdog: watchdogOfProcess)
  }

  private static var watchdogOfProcess: Duration? {
    func number(_ name: String) -> Int64? { getenv(name).flatMap { Int64(String(cString: $0)) } }
    // The variables were meant for our parent process.
    if let process = number("WATCHDOG_PID"), process != Int64(getpid()) { return nil }
    guard let time = number("WATCHDOG_USEC"), time > 0 else { return nil }
    return .microseconds(time)
  }

  /// When `tick` has to be called even if nothing else happens.
  package var next: Instant? { [nextSign, nextTry].compactMap { $0 }.min() }

  // MARK: - Notifications

  /// The start is over; from now on `tick` sends signs of life.
  func ready(at now: Instant) {
    nextSign = interval.map { now + $0 }
    post("READY=1", at: now)
  }

  package func show(_ status: Status, at now: Instant) {
    let text = status.sentence
    guard text != self.status else { return }
    self.status = text
    post("STATUS=\(text)", at: now)
  }

  func stopping(at now: Instant) {
    nextSign = nil
    post("STOPPING=1", at: now)
  }

  /// What the caller of `tick` has to do.
  enum Request: Hashable {
    case nothing
    /// Wake the thread that beats `heartbeat`.
    case wake
    /// Wake it, and report that it has stopped beating.
    case wakeAndReport
  }

  /// Sends a sign of life when one is due and `heartbeat` has beaten since the previous one.
  func tick(_ heartbeat: Heartbeat, at now: Instant) -> Request {
    if let due = nextTry, due <= now { flush(at: now) }
    guard let interval, let due = nextSign, due <= now else { return .nothing }
    nextSign = now + interval
    let wasAlive = isAlive
    isAlive = heartbeat.hasBeaten
    if isAlive { post("WATCHDOG=1", at: now) }
    heartbeat.ask()
    return wasAlive && !isAlive ? .wakeAndReport : .wake
  }

  private func post(_ line: String, at now: Instant) {
    let key = line.prefix { $0 != "=" }
    unsent.removeAll { $0.hasPrefix("\(key)=") }
    unsent.append(line)
    flush(at: now)
  }

  private func flush(at now: Instant) {
    nextTry = nil
    guard !unsent.isEmpty else { return }
    let bytes = Array(unsent.joined(separator: "\n").utf8)
    let count = address.use { address, length in
      sendto(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL), address, length)
    }
    if count < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOBUFS) {
      nextTry = now + Self.retryTime
    } else {
      // A supervisor that is gone will not come back for it.
      unsent = []
    }
  }
}

extension Status {
  /// The status in one line, for people who ask how the service is.
  var sentence: String {
    var text = state.rawValue
    if !holds.isEmpty { text += " (\(holds.map(\.rawValue).joined(separator: ", ")))" }
    if let track, let file { text += ", track \(track) of \(trackCount): \(Wording.oneLine(file))" }
    if case let port? = route.port { text += ", \(port.rawValue)" }
    return text + (volume.map { " at volume \($0)" } ?? "")
  }
}
