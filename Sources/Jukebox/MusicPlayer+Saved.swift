import AudioSession

/// What of the music survives a power cut, and how it comes back (W rows).
extension MusicPlayer {
  /// At power on, before the place is restored.
  /// - Parameter playlist: as the selectors or the saved state name it; it may be gone.
  mutating func begin(_ playlist: String?, places: [PlaylistPlace], shuffle seed: UInt64?) {
    playlists = Playlists(places: places)
    playlists.play(playlist.flatMap(library.playlist(called:)), of: library)
    changes.lostPlaylist = playlists.current == nil ? playlist : nil
    queue = newQueue(shuffle: seed)
  }

  /// Goes back to where the listener was. Returns the place of the track in its playlist, from 0; nil: it is not there.
  mutating func restore(_ state: SavedState) -> Int? {
    guard playlists.isCurrent(state.playlist) else {
      if let lost = changes.lostPlaylist, changes.mayComeBack, lost.fileName == state.playlist.fileName {
        lookFor(state)
        changes.sought?.playlist = lost
        rememberPlace(state)
      } else {
        leave(state)
      }
      return nil
    }
    guard let index = index(restoring: state) else {
      lookFor(state)
      return nil
    }
    playhead.stand(at: state.intent == .stopped ? 0 : max(0, state.frame))
    transport.intent = state.intent == .stopped ? .stopped : .paused
    if let name = state.track, playhead.frame > 0 { listening.open(name, at: playhead.frame, jumps: playhead.jumps) }
    return index
  }

  /// Music that was paused when the power was cut was logged as started before.
  /// - Parameters:
  ///   - goesOn: it plays on by itself.
  ///   - isThere: that can be played at once; else its folder is waited for.
  mutating func endRestoring(goesOn: Bool, isThere: Bool) {
    if goesOn && !isThere { changes.sought?.isAwaited = true }
    if goesOn { transport.intent = .playing }
    if transport.intent != .stopped { log.restore() }
    if goesOn { log.note(.asked(.boot, isStart: false)) }
  }

  /// Goes to the saved track, if the queue has it. Returns its index in the playlist.
  private mutating func index(restoring state: SavedState) -> Int? {
    // A new order begins at its beginning.
    if queue.seed != nil && state.seed == nil && state.intent == .stopped { return nil }
    guard let id = state.track.flatMap(library.id(named:)), let place = queue.place(of: id) else { return nil }
    queue.go(backTo: place, isChosen: state.isChosen)
    return index(of: id)
  }

  /// A selector was moved while the power was off: the saved place is that of the playlist that it has left.
  private mutating func leave(_ state: SavedState) {
    guard options.playlistStart == .resume else { return }
    rememberPlace(state)
    returnToPlace()
  }

  private mutating func rememberPlace(_ state: SavedState) {
    guard options.playlistStart == .resume, let playlist = state.playlist, let track = state.track else { return }
    playlists.remember(PlaylistPlace(playlist: playlist, track: track, frame: state.frame))
  }

  /// The saved track was taken away while the power was off, and there is other music to play.
  func isGone(_ state: SavedState) -> Bool {
    !queue.isEmpty && state.track.map { library.id(named: $0) == nil } ?? false
  }

  /// The place to be saved: one in music that is gone for now, or that of the listener.
  func savedPlace(at now: Instant) -> (track: String?, frame: Int, isChosen: Bool) {
    if let sought = soughtToSave { return (sought.name, sought.frame, sought.isChosen) }
    if let background = requests.background {
      return (background.queue.track.map(name(of:)), background.frame, background.queue.isChosen)
    }
    // A track that plays by itself does not go on after a power cut.
    let kept = attraction?.queue ?? queue
    return (kept.track.map(name(of:)), isAttracting ? 0 : frame(at: now), kept.isChosen)
  }

  /// The playlist of that place.
  var savedPlaylist: String? { soughtToSave?.playlist ?? playlists.current }

  /// The place to be saved, where it is in music that is gone for now.
  private var soughtToSave: MusicChanges.Sought? {
    requests.background.map(\.sought) ?? attraction.map(\.sought) ?? changes.sought
  }

  /// At its beginning, an order holds nothing that anybody would miss.
  var savedSeed: UInt64? {
    let queue = requests.background?.queue ?? attraction?.queue ?? queue
    return transport.intent == .stopped && queue.isAtStart ? nil : queue.seed
  }
}
