import Glibc

/// The folder of the saved state.
enum StatePlace {
  /// The folder in the settings, else systemd's, else the user's; nil where there is none.
  static func path(_ folder: String?) -> String? {
    let candidates = [
      folder, Environment.variable("STATE_DIRECTORY"),
      Environment.variable("XDG_STATE_HOME").map { "\($0)/jackdaw" },
      Environment.variable("HOME").map { "\($0)/.local/state/jackdaw" },
    ]
    return candidates.compactMap({ $0 }).first
  }

  /// The same folder, made if it is missing.
  static func folder(_ folder: String?) -> String? {
    guard let place = path(folder) else { return nil }
    makeFolders(place)
    return place
  }

  /// Ignores errors: if the folder is missing, the first save fails and is logged.
  private static func makeFolders(_ path: String) {
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      mkdir(String(path.prefix(index)), 0o750)
    }
    mkdir(path, 0o750)
  }
}
