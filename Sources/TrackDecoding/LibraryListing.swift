/// The tracks below some music folders, and what was skipped.
public struct LibraryListing: Hashable, Sendable {
  /// A file or folder left out.
  public struct Skipped: Hashable, Sendable {
    /// As `RawName` has it, and so are `tracks`.
    public var path: String
    /// One clause, e.g. `not a sound file name`.
    public var reason: String

    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// Paths to play, in order.
  public var tracks: [String]
  public var skipped: [Skipped]

  public init(tracks: [String] = [], skipped: [Skipped] = []) {
    self.tracks = tracks
    self.skipped = skipped
  }
}

/// A music folder that cannot be listed.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  public var path: String
  /// One clause, e.g. `no such file or folder`.
  public var reason: String

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }
}
