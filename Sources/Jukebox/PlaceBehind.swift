import AudioSession

/// The queue that a request, or a track that plays by itself, has displaced, with its place (J1, J6). It returns when that is
/// over.
struct PlaceBehind: Hashable, Sendable {
  var queue: Queue
  /// The frame of its current track that was heard last.
  var frame = 0
  /// A place in music that is gone for now (X1, X2).
  var sought: MusicChanges.Sought?
}

extension MusicPlayer {
  /// The library is another. Nobody listens to a place behind: what is gone of it is left at once, and gone back to when it
  /// returns.
  func follow(_ listed: [TrackID], in place: inout PlaceBehind) {
    let (former, isChosen) = (place.queue.track, place.queue.isChosen)
    place.queue.take(listed)
    if place.queue.forget(but: []), let former {
      let lost = MusicChanges.Sought(
        name: name(of: former), frame: place.frame, isChosen: isChosen, intent: place.frame > 0 ? .paused : .stopped)
      (place.sought, place.frame) = (place.sought ?? lost, 0)
    }
    guard let sought = place.sought, let track = library.id(named: sought.name),
      let found = place.queue.place(of: track)
    else { return }
    if sought.isChosen { place.queue.choose(found) } else { place.queue.go(to: found) }
    (place.frame, place.sought) = (sought.frame, nil)
  }
}
