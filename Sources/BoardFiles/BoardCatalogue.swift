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
    var found: [Candidate] = []
    // One bad file must not keep the others from matching. It may be the one that was meant.
    var broken = ""
    for name in names() {
      do throws(FileError) {
        let (path, board) = (try path(of: name), try board(name))
        let length = board.models.filter(model.hasPrefix).map(\.utf8.count).max() ?? 0
        if length > 0 { found.append(Candidate(name: name, path: path, board: board, length: length)) }
      } catch {
        broken += "; \(error)"
      }
    }
    if let match = match(found, model: model, broken) { return match }
    throw FileError(
      file: modelPath,
      message:
        "no board file names this machine, \(Wording.quoted(model)): name one with --board, a copy of the file that is "
        + "most like it (\(Wording.list(names()))), or sim for the simulated board\(broken)")
  }

  /// A board whose `models` fit this machine.
  private struct Candidate {
    var name: String
    var path: String
    var board: BoardDescription
    /// That of the model that fits.
    var length: Int
  }

  /// The longest model, and of equal ones the board in the earlier folder: the owner's in front of a shipped one.
  private func match(_ found: [Candidate], model: String, _ broken: String) -> Match? {
    let longest = found.map(\.length).max()
    let equal = found.filter { $0.length == longest }.map { (rank: rank($0), board: $0) }.sorted { $0.rank < $1.rank }
    guard let best = equal.first?.board else { return nil }
    let others = equal.dropFirst().map { "; \($0.board.path) names it, too" }.joined()
    return Match(
      name: best.name, board: best.board,
      reason: "board \(best.name): device-tree model \(Wording.quoted(model))\(others)\(broken)")
  }

  private func rank(_ candidate: Candidate) -> Int {
    folders.firstIndex { FileAccess.join($0, "\(candidate.name).toml") == candidate.path } ?? folders.count
  }

  private func simulated(_ cause: String) throws(FileError) -> Match {
    Match(name: "sim", board: try board("sim"), reason: "board sim: \(cause)")
  }
}
