import Glibc

/// The user that runs this program, and the groups that could help.
enum ProcessUser {
  static var name: String { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())" }

  /// The name of a file's group; nil where the file or the name is missing.
  static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) }
  }

  /// Advice for a device without permission: join its group, or the usual one where there is no device.
  static func join(groupOf path: String, usually usual: String) -> String {
    let group = group(of: path) ?? usual
    return "sudo usermod -aG \(group == "root" ? usual : group) \(ProcessUser.name), then log in again"
  }
}
