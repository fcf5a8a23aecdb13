import Files
import TestSupport

/// The files of this checkout that people write: sources, tests, scripts, boards and documents.
enum Repository {
  struct TextFile: Sendable {
    /// As seen from the top folder.
    var path: String
    var text: [UInt8]
  }

  static let root = String(repositoryPath("").dropLast())

  private static let top = [".ci", "Package.swift", "README.md", "Sources", "Tests", "board", "deploy"]
  /// Bytes for fuzzing, and folders that a program has left behind.
  private static let skippedFolders: Set<String> = ["Corpus", "__pycache__"]
  /// Mangled names, and coordinates of pictures.
  private static let skippedEndings = [".svg"]

  /// Paths of all files below the folders of `top`, as seen from the top folder.
  static let paths = top.flatMap(paths(at:))

  static let texts: [TextFile] = paths.compactMap { path in
    guard !skippedEndings.contains(where: path.hasSuffix), let bytes = read(path) else { return nil }
    // Sound files are not text.
    return bytes.contains(0) ? nil : TextFile(path: path, text: bytes)
  }

  static func read(_ path: String) -> [UInt8]? { try? FileAccess.read("\(root)/\(path)") }

  /// Whether a file or folder of exactly this name exists.
  static func has(_ path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? "."
    return FileAccess.names(in: FileAccess.join(root, FileAccess.folder(of: path))).contains(name)
  }

  private static func paths(at path: String) -> [String] {
    let names = FileAccess.names(in: "\(root)/\(path)").filter { $0 != "." && $0 != ".." }
    guard names.isEmpty else {
      return names.filter { !skippedFolders.contains($0) }.flatMap { paths(at: "\(path)/\($0)") }
    }
    return [path]
  }
}
