import Files
import Glibc

/// The connection to the firmware's control socket: lines out, lines in. Connecting is local; no other call blocks.
final class ControlConnection {
  /// A firmware sends no longer line.
  private static let longestLine = 65_536

  private let path: String
  private(set) var descriptor: CInt = -1
  private var received: [UInt8] = []
  private var waiting: [UInt8] = []

  init(path: String) { self.path = path }

  deinit { disconnect() }

  var isConnected: Bool { descriptor >= 0 }
  var wantsWrite: Bool { !waiting.isEmpty }

  /// Returns why there is no connection; nil where there is one now.
  func connect() -> String? {
    disconnect()
    guard let address = UnixAddress(path) else { return "\(path): expected an absolute path" }
    // A firmware that hangs accepts nobody, which is not waited for.
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, kind, 0)
    let code = address.use { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
    guard code == 0 else {
      disconnect()
      return "\(path): \(String(cString: strerror(code)))"
    }
    return nil
  }

  func disconnect() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    received = []
    waiting = []
  }

  func send(_ line: String) {
    waiting += Array(line.utf8) + [UInt8(ascii: "\n")]
    flush()
  }

  private func flush() {
    guard isConnected, !waiting.isEmpty else { return }
    let count = Glibc.send(descriptor, waiting, waiting.count, CInt(MSG_NOSIGNAL))
    if count > 0 { waiting.removeFirst(count) }
  }

  /// Sends what waits, and returns the lines that have come; nil when the connection is lost.
  func serve() -> [String]? {
    flush()
    var block = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &block, block.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    guard count > 0 else { return nil }
    received += block[..<count]
    var lines: [String] = []
    var start = received.startIndex
    while let end = received[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: received[start..<end], as: UTF8.self))
      start = end + 1
    }
    received.removeSubrange(..<start)
    return received.count > Self.longestLine ? nil : lines
  }
}
