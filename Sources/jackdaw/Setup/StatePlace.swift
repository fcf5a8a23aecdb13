import Files
import Glibc
import Storage

/// The folder of the saved state.
enum StatePlace {
  /// That of the installed service.
  static let installed = "/var/lib/jackdaw"

  /// The folder in the settings, else systemd's, else the user's; nil where there is none.
  /// - Parameter installed: that of the service, to be taken before the user's.
  static func path(_ folder: String?, installed: String? = nil) -> String? {
    let candidates = [
      folder, Environment.variable("STATE_DIRECTORY"), installed,
      Environment.variable("XDG_STATE_HOME").map { "\($0)/jackdaw" },
      Environment.variable("HOME").map { "\($0)/.local/state/jackdaw" },
    ]
    return candidates.compactMap({ $0 }).first
  }

  /// The folder of whoever looks at it from outside the service: as `path`, but that of the installed service before one's own.
  /// - Parameters:
  ///   - access: what has to be allowed there, as `R_OK`.
  ///   - installed: the folder of the service.
  static func path(_ folder: String?, for access: CInt, installed: String = installed) -> String? {
    // A folder that may not be read has to be reported, and not passed over for another one.
    let isThere = Glibc.access(installed, access | X_OK) == 0 || access == R_OK && mayBeKept(in: installed)
    return path(folder, installed: isThere ? installed : nil)
  }

  /// Whether a firmware of this or an earlier version keeps its state there, or a copy of it is there, or nobody but the
  /// service can tell.
  static func mayBeKept(in folder: String) -> Bool {
    ([KeptDatabase.name, "state.toml", "state.lock"] + FormerFiles.names).contains { name in
      Glibc.access(FileAccess.join(folder, name), F_OK) == 0 || errno == EACCES
    }
  }

  /// The folder of the state, made if it is missing.
  static func folder(_ folder: String?) -> String? {
    guard let place = path(folder) else { return nil }
    makeFolders(place)
    return place
  }

  /// Takes the folder for this firmware; throws where another one has it. Returns nil where it cannot be locked: the
  /// storage then keeps no state, or cannot lock, and music still plays.
  static func lock(_ folder: String) throws(CommandError) -> FileLock? {
    do throws(FileLockError) {
      return try FileLock.take("\(folder)/state.lock")
    } catch {
      if !error.isHeld { return nil }
      throw CommandError(
        "jackdaw: \(Wording.path(folder)): another firmware keeps its state there, expected a folder of its own",
        status: .problem)
    }
  }

  /// Ignores errors: if the folder is missing, the first save fails and is logged.
  private static func makeFolders(_ path: String) {
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      mkdir(String(path.prefix(index)), 0o750)
    }
    mkdir(path, 0o750)
  }
}
