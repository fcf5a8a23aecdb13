import Files
import Glibc
import TestSupport

@testable import SerialConsole

/// The other end of a control socket. What one end of a UNIX socket sends has arrived when the call returns, so nothing
/// here waits.
final class ControlPeer {
  struct Failure: Error { var code: CInt }

  private var socket: SocketDescriptor? = SocketDescriptor()
  private var number: CInt

  init(_ path: String) throws {
    let descriptor = SocketDescriptor()
    number = descriptor.number
    let code = UnixAddress(path)?.use { connect(descriptor.number, $0, $1) == 0 ? 0 : errno } ?? EINVAL
    socket = consume descriptor
    if code != 0 { throw Failure(code: code) }
  }

  /// Returns the number of bytes that were taken.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Int { Glibc.send(number, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends no more commands; replies can still be read.
  func finish() { shutdown(number, CInt(SHUT_WR)) }

  func hangUp() { socket = nil }

  /// All bytes that can be read; nil once the other end has hung up.
  func receive() -> String? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(number, &bytes, bytes.count, 0)
    if count == 0 { return nil }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

extension TemporaryFolder {
  var socket: String { path(of: "control") }
}
