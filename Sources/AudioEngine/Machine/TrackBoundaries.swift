import Jukebox

/// The tracks of the stream that lie in the ring, oldest first: maps an index to a track and its frame.
///
/// The memory is allocated once; the audio thread only moves entries within it.
struct TrackBoundaries: Hashable, Sendable {
  static let capacity = 128

  private(set) var entries: [TrackBoundary] = []
  /// How many of `entries` were already reported as begun.
  private(set) var reported = 0

  init() { entries.reserveCapacity(Self.capacity) }

  var isFull: Bool { entries.count >= Self.capacity }
  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ boundary: TrackBoundary) { entries.append(boundary) }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    reported = 0
  }

  /// The index just after the stream's last frame, once it is known.
  var end: Int? { entries.last.flatMap { $0.isEnd ? $0.index : nil } }

  /// The track that `index` is a frame of; nil before the first one.
  func position(at index: Int) -> (track: TrackID, frame: Int)? {
    guard let boundary = entries.last(where: { $0.index <= index && !$0.isEnd }), let track = boundary.track else {
      return nil
    }
    return (track, boundary.frame + index - boundary.index)
  }

  /// The next track, or the end, that was not reported yet.
  var next: TrackBoundary? { reported < entries.count ? entries[reported] : nil }

  /// Index of the first frame of the track reported last: a position goes back no further.
  var floor: Int { reported > 0 ? entries[reported - 1].index : entries.first?.index ?? 0 }

  mutating func report() { reported += 1 }

  /// Removes the tracks that ended before the one reported last.
  mutating func prune() {
    while reported > 1 {
      entries.removeFirst()
      reported -= 1
    }
  }
}
