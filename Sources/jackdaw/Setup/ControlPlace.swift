import Board

/// Where the control socket is.
enum ControlPlace {
  /// Best first: systemd's folder for the service, the user's own, the system's.
  static var paths: [String] {
    var folders = ["/run/jackdaw"]
    if let user = path("XDG_RUNTIME_DIR") { folders.insert("\(user)/jackdaw", at: 0) }
    // systemd names several with a colon between them.
    if let service = path("RUNTIME_DIRECTORY")?.split(separator: ":").first {
      folders.insert(String(service), at: 0)
    }
    return folders.map { "\($0)/control" }
  }

  private static func path(_ name: String) -> String? {
    Environment.variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
