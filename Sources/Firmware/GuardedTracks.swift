import Board
import Storage

/// Opens tracks that are not left out, and notes which is being opened. Decode thread.
public final class GuardedTracks: TrackOpener {
  private let base: any TrackOpener
  private let quarantine: QuarantineStore

  package init(_ base: any TrackOpener, _ quarantine: QuarantineStore) {
    self.base = base
    self.quarantine = quarantine
  }

  public func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    if let reason = quarantine.objection(to: path) { throw TrackError(operation: .open, path: path, reason: reason) }
    return try quarantine.opening(path) { () throws(TrackError) in try base.open(path: path, rate: rate) }
  }
}
