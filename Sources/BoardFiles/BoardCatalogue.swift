import Files

/// The board files that can be named without a path.
public struct BoardCatalogue: Sendable {
  /// The board that a machine turned out to be.
  public struct Match: Hashable, Sendable {
    /// Its name for `--board`.
    public var name: String
    public var board: BoardDescription
    /// Why this board was chosen, in one line to print.
    public var reason: String
  }

  /// Where to look, best first.
  public let folders: [String]

  public init(folders: [String]) { self.folders = folders }

  /// The folder `board` of the current folder, then those beside and above the executable, then the owner's in `/etc`,
  /// then the installed one.
  public static func standard() -> BoardCatalogue {
    var folders = ["board"]
    var folder = FileAccess.executableFolder() ?? ""
    while !folder.isEmpty {
      folders.append(FileAccess.join(folder, "board"))
      folder = folder == "/" ? "" : FileAccess.folder(of: folder)
    }
    return BoardCatalogue(folders: folders + ["/etc/jackdaw/board", "/usr/share/jackdaw/board"])
  }

  /// The names of all boards in the folders, sorted.
  public func names() -> [String] {
    var names: Set<String> = []
    for name in folders.flatMap(FileAccess.names) where name.hasSuffix(".toml") && !name.hasPrefix(".") {
      names.insert(String(name.dropLast(5)))
    }
    return names.sorted()
  }

  /// The path of a board file. A text with a `/`, or with the ending `.toml`, is a path already and is not looked up.
  public func path(of board: String) throws(FileError) -> String {
    if board.contains("/") || board.hasSuffix(".toml") { return board }
    for folder in folders where FileAccess.names(in: folder).contains("\(board).toml") {
      return FileAccess.join(folder, "\(board).toml")
    }
    let known = names()
    guard !known.isEmpty else {
      throw FileError(file: board, message: "no such board; there is no board file in \(Wording.list(folders))")
    }
    throw FileError(file: board, message: "no such board, expected \(Wording.list(known + ["a path"]))")
  }

  /// Reads the board of a name or path.
  public func board(_ board: String) throws(FileError) -> BoardDescription {
    try BoardFile.read(path(of: board))
  }

  /// The board whose `models` match this machine best; `sim` where the machine has no device tree, like a PC.
  /// Throws where no board matches, because the simulated board would be silent there, and where `sim` cannot be read.
  ///
  /// - Parameter modelPath: holds the device-tree model, ended by NUL.
  public func automatic(modelPath: String = "/sys/firmware/devicetree/base/model") throws(FileError) -> Match {
    let model: String
    do throws(FileError) {
      let bytes = try FileAccess.read(modelPath)
      model = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    } catch {
      return try simulated("no device-tree model (\(error))")
    }
    var best: (match: Match, length: Int)?
    var broken = ""
    for name in names() {
      do throws(FileError) {
        let board = try board(name)
        let length = board.models.filter(model.hasPrefix).map(\.utf8.count).max() ?? 0
        guard length > best?.length ?? 0 else { continue }
        let reason = "board \(name): device-tree model \(Wording.quoted(model))"
        best = (Match(name: name, board: board, reason: reason), length)
      } catch {
        // One bad file must not keep the others from matching. It may be the one that was meant, so it is reported if
        // none matches.
        broken += "; \(error)"
      }
    }
    if let best { return best.match }
    throw FileError(
      file: modelPath,
      message:
        "no board file names this machine, \(Wording.quoted(model)): name one with --board, a copy of the file that is "
        + "most like it (\(Wording.list(names()))), or sim for the simulated board\(broken)")
  }

  private func simulated(_ cause: String) throws(FileError) -> Match {
    Match(name: "sim", board: try board("sim"), reason: "board sim: \(cause)")
  }
}
