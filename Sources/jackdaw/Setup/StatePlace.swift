import Glibc

/// Where the state is kept, if anywhere.
enum StatePlace {
  /// The settings' folder, else systemd's, else the user's own.
  static func path(_ folder: String?) -> String? {
    let candidates = [
      folder, Environment.variable("STATE_DIRECTORY"),
      Environment.variable("XDG_STATE_HOME").map { "\($0)/jackdaw" },
      Environment.variable("HOME").map { "\($0)/.local/state/jackdaw" },
    ]
    return candidates.compactMap({ $0 }).first
  }

  /// That folder, made where it was not there.
  static func folder(_ folder: String?) -> String? {
    guard let place = path(folder) else { return nil }
    makeFolders(place)
    return place
  }

  /// Whether that worked, the first save will tell.
  private static func makeFolders(_ path: String) {
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      mkdir(String(path.prefix(index)), 0o750)
    }
    mkdir(path, 0o750)
  }
}
