import TestSupport

/// Paths in the repository.
enum Sources {
  /// The folder of the package.
  static let root = String(repositoryPath("").dropLast())

  static var fixtures: String { repositoryPath("Tests/TrackDecodingTests/Fixtures") }

  static func text(_ path: String) -> String { String(decoding: readFile(repositoryPath(path)) ?? [], as: UTF8.self) }
}
