import Files
import Glibc

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

  /// Bytes that were taken.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Int { Glibc.send(number, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// No more commands; answers can still come.
  func finish() { shutdown(number, CInt(SHUT_WR)) }

  func hangUp() { socket = nil }

  /// All that is there; nil once the other has hung up.
  func receive() -> String? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(number, &bytes, bytes.count, 0)
    if count == 0 { return nil }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

/// A new folder with a control socket in it.
final class ControlFolder {
  let path: String
  var socket: String { "\(path)/control" }

  init() throws {
    var template = Array("/tmp/jackdaw-control-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ControlPeer.Failure(code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    unlink(socket)
    rmdir(path)
  }
}
