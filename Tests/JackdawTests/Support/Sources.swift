import Files
import TestSupport

/// Paths in the repository.
enum Sources {
  /// The folder of the package.
  static let root = FileAccess.folder(
    of: FileAccess.folder(of: FileAccess.folder(of: FileAccess.folder(of: #filePath))))

  static var fixtures: String { "\(root)/Tests/TrackDecodingTests/Fixtures" }

  static func text(_ path: String) -> String { String(decoding: readFile("\(root)/\(path)") ?? [], as: UTF8.self) }
}
