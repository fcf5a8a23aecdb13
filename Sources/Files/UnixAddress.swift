import Glibc

/// The address of a UNIX socket, in the kernel's form.
package struct UnixAddress {
  /// The longest path, in bytes.
  package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  private var address = sockaddr_un()
  private let length: socklen_t

  /// - Parameter path: absolute, or `@` and an abstract name; nil where it is neither, or too long.
  package init?(_ path: String) {
    var bytes = Array(path.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    guard isAbstract || bytes.first == UInt8(ascii: "/") else { return nil }
    guard (2...UnixAddress.longestPath).contains(bytes.count), !bytes.contains(0) else { return nil }
    if isAbstract { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // An abstract name may hold zeros, so `length` alone determines its end.
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    length = socklen_t(start + bytes.count + (isAbstract ? 0 : 1))
  }

  package func use<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
