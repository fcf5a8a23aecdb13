import AudioSession

/// Playlists: which part of the music is the queue (T4).
/// Changes: `transport`, `queue`, `changes`, `playlists`.
extension Jukebox {
  /// Plays the playlist that is called so, as somebody has asked for by a button or a token.
  mutating func choose(playlist typed: String, at now: Instant) {
    if let name = library.playlist(called: typed) { return choose(found: name, at: now) }
    if !awaitChoice(.playlist(typed)) { logMissing(playlist: typed) }
  }

  /// Plays this playlist of the library; nil: all the music.
  mutating func choose(found name: String?, at now: Instant) {
    if transport.isPromptShown {
      // Nobody has said that the music may sound here (T7).
      transport.intent = .paused
      resolveLoss(answer: .playlist)
      return enter(name, fromStart: false, at: now)
    }
    let isAgain = playlists.isCurrent(name)
    if isAgain && chooseAgain(isTrack: false, at: now) { return }
    resolveLoss(answer: nil)
    enter(name, fromStart: isAgain, at: now)
    want(asStart: transport.intent != .playing, at: now)
  }

  /// The next or the previous one, in the order of the music.
  mutating func choosePlaylist(_ step: Int, at now: Instant) {
    let names = library.playlists
    guard !names.isEmpty else { return logMissing(playlist: "") }
    let here = names.firstIndex { playlists.isCurrent($0) } ?? (step > 0 ? -1 : 0)
    choose(found: names[(here + step + names.count) % names.count], at: now)
  }

  /// A selector has come to rest: what plays goes on in its playlist, and what is silent stays silent.
  mutating func select(playlist typed: String, at now: Instant) {
    if playlists.isCurrent(typed) { return }
    guard let name = library.playlist(called: typed) else {
      return awaitChoice(.selection(typed)) ? () : logMissing(playlist: typed)
    }
    if playlists.isCurrent(name) { return }
    pauseLoss(answer: .playlist)
    enter(name, fromStart: false, at: now)
  }

  /// The next visitor finds the playlist that the selectors name, at its beginning; without one all the music.
  mutating func returnToStartPlaylist(at now: Instant) {
    let start = selectedPlaylist
    if playlists.isCurrent(start) { queue.reset() } else { enter(start, fromStart: true, at: now) }
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

  mutating func enter(_ name: String?, fromStart: Bool, at now: Instant) {
    let settings = configuration.settings
    let former = playlists.current
    if settings.playlistStart == .resume, let former, let track = queue.track {
      let heard = playhead.frame(at: now, rate: configuration.rate)
      playlists.remember(PlaylistPlace(playlist: former, track: self.name(of: track), frame: heard))
    }
    countLeaving(.chosen)
    playlists.play(name, of: library)
    queue = Queue(
      listed, repeats: settings.repeats, afterChosen: settings.afterTrack, shuffle: queue.seed)
    changes.departed = [:]
    rewindToStart()
    if settings.playlistStart == .resume, !fromStart { returnToPlace() }
    log(
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

  private mutating func logMissing(playlist name: String) {
    log(.choiceFailed, .warn, ["playlist": name, "reason": FailedChoice.playlist(name).logged])
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
  mutating func follow(_ track: Int, at now: Instant) {
    guard queue.place(of: track) == nil, let name = library[track]?.name else { return }
    enter(Library.playlist(of: name), fromStart: true, at: now)
  }
}
