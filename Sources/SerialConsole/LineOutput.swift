import AudioSession
import Board
import Glibc

/// Lines to a descriptor that others use as well, such as standard output: a pipe, the journal's socket, a terminal, a
/// file. Control thread; no call waits for a reader.
///
/// The descriptor's flags are not changed, since others share them. Instead a pipe or terminal is opened once more for
/// us alone, and each call to a socket is non-blocking by its own flags. If neither is possible, and to a file, a
/// call may block.
public final class LineOutput {
  /// Bytes that wait for a reader that is slow or stuck; lines beyond are dropped.
  public static let queueCapacity = 65_536

  private let descriptor: CInt
  private let isOurs: Bool
  /// Writes as write(2) does.
  private let transfer: (UnsafeRawBufferPointer) -> Int
  private var queue = LineQueue(capacity: queueCapacity)
  private var dropped = 0
  private var isLost = false
  /// There was no room at the last write, as on a full disk, where every line is tried and none waits.
  private var isFull = false
  /// A line was cut, behind which the next one is not to stand.
  private var isCut = false

  public convenience init(_ shared: CInt) { self.init(shared, transfer: nil) }

  /// - Parameter transfer: in the place of the descriptor, as write(2).
  init(_ shared: CInt, transfer: ((UnsafeRawBufferPointer) -> Int)?) {
    var status = stat()
    let kind = fstat(shared, &status) == 0 ? status.st_mode & S_IFMT : 0
    var own: CInt = -1
    if kind == S_IFIFO || kind == S_IFCHR {
      own = open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
    isOurs = own >= 0
    let descriptor = isOurs ? own : shared
    self.descriptor = descriptor
    self.transfer =
      transfer
      ?? {
        kind == S_IFSOCK
          ? send(descriptor, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
          : Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
  }

  deinit { if isOurs { close(descriptor) } }

  /// Nil while nothing waits for room.
  public var pollDescriptor: PollDescriptor? {
    queue.isEmpty ? nil : PollDescriptor(fileDescriptor: descriptor, events: CShort(POLLOUT))
  }

  /// Sends or queues `line`, which comes without its end. One that does not fit is dropped whole and counted; once
  /// the reader has gone for good, lines are dropped without counting. What a disk has no room for is dropped and counted.
  public func write(line: String) {
    guard !isLost else { return }
    let end = UInt8(ascii: "\n")
    let start = isCut && queue.isEmpty ? [end] : []
    if !queue.append(start + Array(line.utf8) + [end], isLine: true) { dropped += 1 }
    flush()
  }

  /// Sends as much as the reader takes now.
  public func flush() {
    if queue.isEmpty { return }
    let former = queue.sent
    let failure = queue.flush(transfer)
    if queue.sent != former { isCut = false }
    isFull = failure.map(Self.isPassing) ?? false
    guard failure != nil else { return }
    if isFull { dropped += queue.unsentLines } else { isLost = true }
    isCut = isCut || queue.isInLine
    queue.removeAll()
  }

  private static func isPassing(_ code: CInt) -> Bool { [ENOSPC, EDQUOT, ENOBUFS, ENOMEM].contains(code) }

  /// Lines dropped since the last call, once nothing waits and there is room; 0 before.
  public func takeDropped() -> Int {
    guard queue.isEmpty, !isFull else { return 0 }
    defer { dropped = 0 }
    return dropped
  }

  /// Waits up to a second for a reader to take the rest.
  public func finish(_ clock: any BoardClock = MonotonicClock(startsNow: true)) {
    let end = clock.now + .seconds(1)
    flush()
    while !queue.isEmpty, LineQueue.waitForRoom(in: descriptor, until: end, clock) { flush() }
  }
}
