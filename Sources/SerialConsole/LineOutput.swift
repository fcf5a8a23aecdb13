import Board
import Glibc

/// Lines to a descriptor that others use as well, such as standard output: a pipe, the journal's socket, a terminal, a
/// file. Control thread; no call waits for a reader.
///
/// The descriptor's flags are not changed, since others share them. Instead a pipe or terminal is opened once more for
/// us alone, and each call to a socket is non-blocking by its own flags. Where neither is possible, and to a file, a
/// call may block.
public final class LineOutput {
  /// Bytes that wait for a reader that is slow or stuck; lines beyond are dropped.
  public static let queueCapacity = 65_536

  private let descriptor: CInt
  private let isOurs: Bool
  private let isSocket: Bool
  private var queue = LineQueue(capacity: queueCapacity)
  private var dropped = 0
  private var isLost = false

  public init(_ shared: CInt) {
    var status = stat()
    let kind = fstat(shared, &status) == 0 ? status.st_mode & S_IFMT : 0
    isSocket = kind == S_IFSOCK
    var own: CInt = -1
    if kind == S_IFIFO || kind == S_IFCHR {
      own = open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
    isOurs = own >= 0
    descriptor = isOurs ? own : shared
  }

  deinit { if isOurs { close(descriptor) } }

  /// Nil while nothing waits for room.
  public var pollDescriptor: PollDescriptor? {
    queue.isEmpty ? nil : PollDescriptor(fileDescriptor: descriptor, events: CShort(POLLOUT))
  }

  /// Sends or queues `line`, which comes without its end. One that does not fit is dropped whole and counted; once
  /// the reader has gone for good, lines are dropped without counting.
  public func write(line: String) {
    guard !isLost else { return }
    if !queue.append(Array(line.utf8) + [UInt8(ascii: "\n")], isLine: true) { dropped += 1 }
    flush()
  }

  /// Sends as much as the reader takes now.
  public func flush() {
    let failure = queue.flush { bytes in
      isSocket
        ? send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
        : Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
    guard failure != nil else { return }
    isLost = true
    queue.removeAll()
  }

  /// Lines dropped since the last call, once nothing waits; 0 before.
  public func takeDropped() -> Int {
    guard queue.isEmpty else { return 0 }
    defer { dropped = 0 }
    return dropped
  }

  /// Waits up to a second for a reader to take the rest.
  public func finish() {
    flush()
    var polled = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
    while !queue.isEmpty, poll(&polled, 1, 1_000) > 0 { flush() }
  }
}
