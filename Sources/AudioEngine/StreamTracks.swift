import Jukebox

/// The tracks that a stream was commanded to play one after the other; nil ends it.
extension [TrackID?] {
  /// Adds what follows all of them. If the stream was to end, it goes on instead.
  mutating func follow(_ track: TrackID?) {
    if last == .some(nil) { removeLast() }
    append(track)
  }
}
