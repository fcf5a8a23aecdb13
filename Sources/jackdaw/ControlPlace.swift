import Board
import Glibc

/// Where the control socket is.
enum ControlPlace {
  /// Best first: systemd's folder for the service, the user's own, the system's.
  static var paths: [String] {
    var folders = ["/run/jackdaw"]
    if let user = variable("XDG_RUNTIME_DIR") { folders.insert("\(user)/jackdaw", at: 0) }
    // systemd names several with a colon between them.
    if let service = variable("RUNTIME_DIRECTORY")?.split(separator: ":").first {
      folders.insert(String(service), at: 0)
    }
    return folders.map { "\($0)/control" }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee == CChar(bitPattern: UInt8(ascii: "/")) else { return nil }
    return String(cString: value)
  }
}
