import Glibc

/// The supervisor's end of the protocol: a datagram socket.
final class NotifySocket {
  let path: String
  let descriptor: CInt

  struct Failure: Error { var code: CInt }

  /// - Parameter path: absolute, or `@` and an abstract name.
  init(path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = isAbstract ? 2 + bytes.count : MemoryLayout<sockaddr_un>.size
    let code = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
    }
    if code != 0 { throw Failure(code: errno) }
  }

  deinit { close(descriptor) }

  /// The datagrams that wait.
  func receive() -> [String] {
    var texts: [String] = []
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return texts }
      texts.append(String(decoding: bytes[..<count], as: UTF8.self))
    }
  }
}
