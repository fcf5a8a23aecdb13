import Board
import Jukebox

/// Lists the music and notices when it may have changed. The library thread's, from when that starts.
public protocol MusicLister: AnyObject {
  /// What to poll; ready when the music may have changed.
  var pollDescriptors: [PollDescriptor] { get }
  /// Whether a folder has changed since the last call. Mounts show in the poll alone.
  func takeChanges() -> Bool
  /// Whether one of the folders that were missing can be read now. Looks at these alone, and waits for none that hangs.
  func isBack(_ missing: [LibraryReport.Missing]) -> Bool
  /// Lists the music; blocks for as long as the storage does.
  /// - Parameters:
  ///   - former: what was listed last: tracks keep their ids.
  ///   - takesAll: also files that were changed a moment ago, and may still be being written.
  func list(after former: Library, takesAll: Bool) -> MusicListing
}

/// What `MusicLister.list` has found.
public struct MusicListing: Hashable, Sendable {
  public var report: LibraryReport
  /// Files were left out, or taken as they were, because they may still be being written: it has to be listed again.
  public var isUnsettled: Bool

  public init(_ report: LibraryReport, isUnsettled: Bool = false) {
    self.report = report
    self.isUnsettled = isUnsettled
  }
}
