/// The tracks below some music folders, and what was skipped.
public struct LibraryListing: Hashable, Sendable {
  /// A file or folder left out.
  public struct Skipped: Hashable, Sendable {
    /// As `RawName` has it, and so are `tracks`.
    public var path: String
    /// One clause, e.g. `not a sound file name`.
    public var reason: String
    /// Whether it is music by its name, of a format that is not played.
    public var isMusic: Bool

    public init(path: String, reason: String, isMusic: Bool = false) {
      self.path = path
      self.reason = reason
      self.isMusic = isMusic
    }
  }

  /// What shows that a file was changed, without reading it.
  public struct Stamp: Hashable, Sendable {
    /// Bytes.
    public var size: Int
    /// When it was changed last, nanoseconds since 1970.
    public var modified: Int
  }

  /// Paths to play, in order.
  public var tracks: [String] = []
  /// One for each of them.
  public var stamps: [Stamp] = []
  public var skipped: [Skipped] = []

  /// How many of them are music of each format that is not played, with what to do: `3 files: AAC, not played here: …`.
  public static func unplayed(_ skipped: [Skipped]) -> [String] {
    var counts: [String: Int] = [:]
    for file in skipped where file.isMusic { counts[file.reason, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.value == 1 ? "file" : "files"): \($0.key)" }
  }
}

/// A music folder that cannot be listed.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  public var path: String
  /// One clause, e.g. `no such file or folder`.
  public var reason: String
  /// Whether that is the storage's doing, and may pass.
  public var isStorage = false

  public var description: String { "\(path): \(reason)" }
}
