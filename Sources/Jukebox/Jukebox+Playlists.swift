import AudioSession

/// Playlists: which part of the music is the queue (T4).
/// Changes: `transport`, `queue`, `playlists`, `changes`.
extension Jukebox {
  /// Plays the playlist that is called so, as somebody has asked for by a button or a token.
  mutating func choose(playlist typed: String, _ turn: inout Turn) {
    if let name = library.playlist(called: typed) { return choose(found: name, &turn) }
    if !awaitChoice(.playlist(typed), &turn) { logMissing(playlist: typed, &turn) }
  }

  /// Plays this playlist of the library; nil: all the music.
  mutating func choose(found name: String?, _ turn: inout Turn) {
    if transport.isPromptShown {
      // Nobody has said that the music may sound here (T7).
      transport.intent = .paused
      resolveLoss(answer: .playlist, &turn)
      return enter(name, fromStart: false, &turn)
    }
    let isAgain = playlists.isCurrent(name)
    if isAgain && chooseAgain(isTrack: false, &turn) { return }
    resolveLoss(answer: nil, &turn)
    enter(name, fromStart: isAgain, &turn)
    want(asStart: transport.intent != .playing, &turn)
  }

  /// The next or the previous one, in the order of the music.
  mutating func choosePlaylist(_ step: Int, _ turn: inout Turn) {
    let names = library.playlists
    guard !names.isEmpty else { return logMissing(playlist: "", &turn) }
    let here = names.firstIndex { playlists.isCurrent($0) } ?? (step > 0 ? -1 : 0)
    choose(found: names[(here + step + names.count) % names.count], &turn)
  }

  /// A selector has come to rest: what plays goes on in its playlist, and what is silent stays silent.
  mutating func select(playlist typed: String, _ turn: inout Turn) {
    if playlists.isCurrent(typed) { return }
    guard let name = library.playlist(called: typed) else {
      return awaitChoice(.selection(typed), &turn) ? () : logMissing(playlist: typed, &turn)
    }
    if playlists.isCurrent(name) { return }
    pauseLoss(answer: .playlist, &turn)
    enter(name, fromStart: false, &turn)
  }

  /// The next visitor finds the playlist that the selectors name, at its beginning; without one all the music.
  mutating func returnToStartPlaylist(_ turn: inout Turn) {
    let start = selectedPlaylist
    if playlists.isCurrent(start) { queue.reset() } else { enter(start, fromStart: true, &turn) }
  }

  /// What the selectors name; nil: nothing.
  var selectedPlaylist: String? {
    var released: String?
    for line in configuration.lines {
      guard case .selector(let name, let otherwise) = line.role else { continue }
      if lines.isAsserted(line.name) { return library.playlist(called: name) ?? name }
      released = released ?? otherwise
    }
    return released.map { library.playlist(called: $0) ?? $0 }
  }

  mutating func enter(_ name: String?, fromStart: Bool, _ turn: inout Turn) {
    let settings = configuration.settings
    let former = playlists.current
    if settings.playlistStart == .resume, let former, let track = queue.track {
      let heard = playhead.frame(at: turn.now, rate: configuration.rate)
      playlists.remember(PlaylistPlace(playlist: former, track: self.name(of: track), frame: heard))
    }
    countLeaving(.chosen, &turn)
    playlists.play(name, of: library)
    queue = Queue(
      listed, repeats: settings.repeats, afterChosen: settings.afterTrack, shuffle: queue.seed)
    changes.departed = [:]
    rewindToStart()
    if settings.playlistStart == .resume, !fromStart { returnToPlace() }
    turn.log(
      .playlistChanged, .info,
      [
        "playlist": name, "from": former, "tracks": String(queue.order.count),
        "track": queue.track.flatMap { number(of: $0) }, "frame": String(playhead.frame),
      ])
  }

  /// Goes to where somebody left the playlist.
  mutating func returnToPlace() {
    guard let place = playlists.current.flatMap(playlists.place(of:)), let track = library.id(named: place.track),
      let found = queue.place(of: track)
    else { return }
    queue.go(to: found)
    stand(elsewhereAt: place.frame)
    // What is stopped stands at the start of its track; this waits elsewhere.
    if transport.intent == .stopped && place.frame > 0 { transport.intent = .paused }
  }

  private func logMissing(playlist name: String, _ turn: inout Turn) {
    turn.log(.choiceFailed, .warn, ["playlist": name, "reason": FailedChoice.playlist(name).logged])
  }

  // MARK: - Tracks of a playlist

  /// Ids of the playlist's tracks, in the order without shuffle.
  var listed: [Int] { playlists.ids ?? library.ids }

  /// Where a track stands in the playlist; nil: it is gone, or of another one.
  func index(of track: Int) -> Int? {
    guard let ids = playlists.ids else { return library.index(of: track) }
    return ids.firstIndex(of: track)
  }

  /// The id of the track that is meant: one of the playlist, or by its name one of all the music.
  func find(_ name: TrackName) throws(TrackName.NotFound) -> Int {
    guard let ids = playlists.ids else { return library.id(at: try name.find(in: library.tracks)) }
    do throws(TrackName.NotFound) {
      return ids[try name.find(ids.count) { library.index(of: ids[$0]).map(library.tracks.nameBytes) ?? [] }]
    } catch {
      guard case .file = error else { throw error }
      return library.id(at: try name.find(in: library.tracks))
    }
  }

  /// Leaves the playlist for that of a track that it does not have.
  mutating func enterPlaylist(of track: Int, _ turn: inout Turn) {
    guard queue.place(of: track) == nil, let name = library[track]?.name else { return }
    enter(Library.playlist(of: name), fromStart: true, &turn)
  }
}
