import AudioSession
import Board
import Glibc

/// Bytes to be sent, in a ring of fixed size. Lines are queued whole or not at all.
public struct LineQueue {
  private var storage: [UInt8]
  /// Free-running: bytes ever appended and ever sent.
  private var appended = 0
  private(set) var sent = 0
  /// The ends, in `appended`'s count, of the lines that are not sent to their end.
  private var lineEnds: [Int] = []
  /// The end, in the same count, of the line that was sent last.
  private var sentEnd = 0

  public init(capacity: Int) { storage = [UInt8](repeating: 0, count: max(1, capacity)) }

  public var isEmpty: Bool { appended == sent }
  var freeBytes: Int { storage.count - (appended - sent) }
  var unsentLines: Int { lineEnds.count }
  /// Whether what was sent last is the beginning of a line.
  var isInLine: Bool { sent != sentEnd }

  /// Returns false and appends nothing when `bytes` do not fit. `isLine`: whether they count as a line.
  public mutating func append(_ bytes: [UInt8], isLine: Bool) -> Bool {
    guard bytes.count <= freeBytes else { return false }
    for byte in bytes {
      storage[appended % storage.count] = byte
      appended += 1
    }
    if isLine { lineEnds.append(appended) }
    return true
  }

  /// Passes the oldest contiguous bytes to `send`, which returns how many it took; these are then removed.
  mutating func sendOldest(_ send: (UnsafeRawBufferPointer) -> Int) {
    let start = sent % storage.count
    let end = min(storage.count, start + appended - sent)
    let taken = storage.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    sent += max(0, min(taken, end - start))
    let ended = lineEnds.prefix { $0 <= sent }
    sentEnd = ended.last ?? sentEnd
    lineEnds.removeFirst(ended.count)
  }

  /// Sends as much as `write` takes now; it returns as write(2) does. Returns the `errno` of a permanent failure.
  mutating func flush(_ write: (UnsafeRawBufferPointer) -> Int) -> CInt? {
    while !isEmpty {
      var failure: CInt = 0
      sendOldest { bytes in
        let count = write(bytes)
        failure = count < 0 ? errno : count == 0 ? EAGAIN : 0
        return count
      }
      switch failure {
      case 0, EINTR: continue
      case EAGAIN: return nil
      default: return failure
      }
    }
    return nil
  }

  public mutating func removeAll() {
    (sent, sentEnd) = (appended, appended)
    lineEnds = []
  }

  /// Waits until the descriptor may take more. Returns false once it is `end`.
  static func waitForRoom(in descriptor: CInt, until end: Instant, _ clock: any BoardClock) -> Bool {
    let left = end - clock.now
    if left <= .zero { return false }
    var polled = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
    poll(&polled, 1, CInt(left.wholeNanoseconds / 1_000_000) + 1)
    return true
  }
}
