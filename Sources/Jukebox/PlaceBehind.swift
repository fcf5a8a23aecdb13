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
  /// The library is another: the background follows it, and what plays is heard to its end.
  mutating func takeQueues() {
    let listed = listed
    guard requests.isPlaying || isAttracting else { return queue.take(listed) }
    if var place = attraction {
      follow(listed, in: &place)
      attraction = place
    }
    if var place = requests.background {
      follow(listed, in: &place)
      requests.background = place
    }
    queue.take(queue.order.filter { library[$0] != nil })
  }

  /// The playlist of the background is there, after it was missing at power on.
  mutating func returnToLostPlaylist(_ turn: inout MusicTurn) {
    guard let sought = requests.background?.sought, let name = sought.playlist.flatMap(library.playlist(called:))
    else { return }
    _ = enterBackground(name, fromStart: true, &turn)
    requests.background?.sought = sought
  }

  /// The library is another. Nobody listens to a place behind: what is gone of it is left at once, and gone back to when it
  /// returns.
  private func follow(_ listed: [TrackID], in place: inout PlaceBehind) {
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
    place.queue.go(backTo: found, isChosen: sought.isChosen)
    (place.frame, place.sought) = (sought.frame, nil)
  }

  /// Another playlist for the background. Returns false where no request plays.
  mutating func enterBackground(_ name: String?, fromStart: Bool, _ turn: inout MusicTurn) -> Bool {
    guard var background = requests.background else { return false }
    let former = playlists.current
    rememberPlace(of: background.queue.track, frame: background.frame)
    playlists.play(name, of: library)
    background.queue = newQueue(shuffle: background.queue.seed)
    (background.frame, background.sought) = (0, nil)
    if options.playlistStart == .resume, !fromStart, let left = placeLeft(in: background.queue) {
      background.queue.go(to: left.place)
      background.frame = left.frame
    }
    requests.background = background
    turn.append(
      .playlistChanged(
        name, from: former, tracks: background.queue.order.count,
        track: background.queue.track.flatMap { number(of: $0) }, frame: background.frame))
    return true
  }
}
