/// Playlists: which part of the music is the queue (T4).
extension MusicPlayer {
  /// Plays the playlist that is called so, as somebody has asked for by a button or a token.
  mutating func choose(playlist typed: String, _ turn: inout MusicTurn) {
    if let name = library.playlist(called: typed) { return choose(found: name, &turn) }
    if !awaitChoice(.playlist(typed), &turn) { turn.append(.choiceFailed(.playlist(typed))) }
  }

  /// Plays this playlist of the library; nil: all the music.
  ///
  /// - Parameter restarts: from its beginning, whatever `again` and `playlist_start` say.
  mutating func choose(found name: String?, restarts: Bool = false, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    if transport.isPromptShown {
      // Nobody has said that the music may sound here (T7).
      transport.intent = .paused
      resolveLoss(answer: .playlist, &turn)
      return enter(name, fromStart: restarts, &turn)
    }
    let isAgain = playlists.isCurrent(name)
    // It is what plays behind the requests already, and one of them goes on (J1.3).
    let isBehind = isAgain && requests.isPlaying
    if isAgain && !isBehind && !restarts && chooseAgain(isTrack: false, &turn) { return }
    resolveLoss(answer: nil, &turn)
    if !isBehind { enter(name, fromStart: isAgain || restarts, &turn) }
    want(asStart: transport.intent != .playing && !requests.isPlaying, &turn)
  }

  /// The next or the previous one, in the order of the music.
  mutating func choosePlaylist(_ step: Int, _ turn: inout MusicTurn) {
    guard let name = playlist(step) else { return turn.append(.choiceFailed(.playlist(""))) }
    choose(found: name, &turn)
  }

  /// The name of the next or the previous one; nil: the music has none.
  func playlist(_ step: Int) -> String? {
    let names = library.playlists
    guard !names.isEmpty else { return nil }
    let here = names.firstIndex { playlists.isCurrent($0) } ?? (step > 0 ? -1 : 0)
    return names[(here + step + names.count) % names.count]
  }

  /// A knob is turned: as a selector, to the one this many further on, round and round in the order of the music.
  mutating func selectPlaylist(_ step: Int, _ turn: inout MusicTurn) {
    let names = library.playlists
    guard !names.isEmpty else { return }
    let here = names.firstIndex { playlists.isCurrent($0) } ?? (step > 0 ? -1 : 0)
    let place = (here + step) % names.count
    select(playlist: names[place < 0 ? place + names.count : place], &turn)
  }

  /// A selector has come to rest: what plays goes on in its playlist, and what is silent stays silent.
  mutating func select(playlist typed: String, _ turn: inout MusicTurn) {
    if playlists.isCurrent(typed) { return }
    guard let name = library.playlist(called: typed) else {
      return awaitChoice(.selection(typed), &turn) ? () : turn.append(.choiceFailed(.playlist(typed)))
    }
    if playlists.isCurrent(name) { return }
    pauseLoss(answer: .playlist, &turn)
    let claim = queue.claim?.isHeld == true ? queue.claim?.elsewhere : nil
    enter(name, fromStart: false, &turn)
    // Who sits on a contact hears the other playlist, and nothing once the seat is empty (O3).
    if let claim { queue.claim(claim) }
  }

  /// The playlist that waits for whoever comes next; nil: all the music, also where the one that is named is not there. One
  /// that has lost its tracks, or may be in a folder that is missing, may come back (X3.1).
  func resting(_ selected: String?) -> String? {
    selected.flatMap { library.playlist(called: $0) ?? (playlists.isCurrent($0) || changes.mayComeBack ? $0 : nil) }
  }

  /// The next visitor finds the playlist that the selectors name, at its beginning; without one all the music.
  mutating func returnToPlaylist(_ selected: String?, _ turn: inout MusicTurn) {
    let start = resting(selected)
    if playlists.isCurrent(start) {
      queue.reset(listed)
    } else {
      enter(start, fromStart: true, shuffle: queue.drawSeed(), &turn)
    }
  }

  /// - Parameters:
  ///   - track: the one of it that is chosen; nil: none is by itself.
  ///   - seed: what a shuffled order is made from; nil: what that of the former playlist was made from.
  mutating func enter(
    _ name: String?, fromStart: Bool, for track: TrackID? = nil, shuffle seed: UInt64? = nil, _ turn: inout MusicTurn
  ) {
    cutAttraction(&turn)
    if enterBackground(name, fromStart: fromStart, &turn) { return }
    let former = playlists.current
    rememberPlace(of: queue.track, frame: frame(at: turn.now))
    countLeaving(.chosen, &turn)
    playlists.play(name, of: library)
    queue = newQueue(shuffle: seed ?? queue.seed)
    changes.departed = [:]
    rewindToStart()
    if let track { queue.go(toTrack: track) }
    if options.playlistStart == .resume, !fromStart { returnToPlace() }
    turn.append(
      .playlistChanged(
        name, from: former, tracks: queue.order.count, track: queue.track.flatMap { number(of: $0) },
        frame: playhead.frame))
  }

  /// From its beginning.
  func newQueue(shuffle seed: UInt64?) -> Queue {
    var new = Queue(listed, repeats: options.repeats, afterChosen: options.afterTrack, shuffle: seed)
    new.endBehindTrack(queue.endsBehindTrack)
    return new
  }

  /// The playlist is left at this place.
  mutating func rememberPlace(of track: TrackID?, frame: Int) {
    guard options.playlistStart == .resume, let playlist = playlists.current, let track else { return }
    playlists.remember(PlaylistPlace(playlist: playlist, track: name(of: track), frame: frame))
  }

  /// Where somebody left the playlist; nil: nowhere that is still there.
  func placeLeft(in queue: Queue) -> (place: Place, frame: Int)? {
    guard let left = playlists.current.flatMap(playlists.place(of:)), let track = library.id(named: left.track) else {
      return nil
    }
    return queue.place(of: track).map { ($0, left.frame) }
  }

  /// Goes to where somebody left the playlist.
  mutating func returnToPlace() {
    guard let left = placeLeft(in: queue) else { return }
    queue.go(to: left.place)
    stand(elsewhereAt: left.frame)
    // Stopped music is at the start of its track; this waits elsewhere.
    if transport.intent == .stopped && left.frame > 0 { transport.intent = .paused }
  }

  // MARK: - Tracks of a playlist

  /// Ids of the playlist's tracks, in the order without shuffle.
  var listed: [TrackID] { playlists.ids ?? library.ids }

  /// The index of a track in the playlist; nil: it is gone, or of another one.
  func index(of track: TrackID) -> Int? {
    guard let ids = playlists.ids else { return library.index(of: track) }
    return ids.firstIndex(of: track)
  }

  /// The id of the track that is meant: one of the playlist, or by its name one of all the music.
  func find(_ name: TrackName) throws(TrackName.NotFound) -> TrackID {
    guard let ids = playlists.ids else { return library.id(at: try name.find(in: library.tracks)) }
    do throws(TrackName.NotFound) {
      return ids[try name.find(ids.count) { library.index(of: ids[$0]).map(library.tracks.nameBytes) ?? [] }]
    } catch {
      guard case .file = error else { throw error }
      return library.id(at: try name.find(in: library.tracks))
    }
  }

  /// Leaves the playlist for that of a track that it does not have.
  mutating func enterPlaylist(of track: TrackID, _ turn: inout MusicTurn) {
    guard queue.place(of: track) == nil, let name = library[track]?.name else { return }
    enter(Library.playlist(of: name), fromStart: true, for: track, &turn)
  }
}
