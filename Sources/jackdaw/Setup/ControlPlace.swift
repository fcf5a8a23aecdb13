/// The paths of the control socket.
enum ControlPlace {
  /// The firmware listens at the first; `jackdaw ctl` tries all of them: systemd's folder for the service, the user's, the
  /// system's.
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
