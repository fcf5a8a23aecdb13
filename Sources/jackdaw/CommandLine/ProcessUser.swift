import Glibc

/// Who runs this, and what a group would let him do.
enum ProcessUser {
  static var name: String { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())" }

  /// The group of a file; nil where there is none, or no name for it.
  static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) }
  }

  /// What to do where a device is not ours; its group, or the usual one where there is no device.
  static func join(groupOf path: String, usually usual: String) -> String {
    let group = group(of: path) ?? usual
    return "sudo usermod -aG \(group == "root" ? usual : group) \(ProcessUser.name), then log in again"
  }
}
