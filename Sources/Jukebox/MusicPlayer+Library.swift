import AudioSession

/// What is left of a library that another one has replaced.
struct MusicChanges: Hashable, Sendable {
  /// A place in the music that the library does not have, or no longer has. It is gone to if it comes back before
  /// anybody has gone elsewhere.
  struct Sought: Hashable, Sendable {
    @NameOfFile var name: String
    var frame: Int
    var isChosen: Bool
    var intent: Intent
    /// It played when the power was cut, and the music that goes on waits for it.
    var isAwaited = false
    /// The playlist that it was in, where that is gone with it.
    @NameOfFile var playlist: String? = nil

    /// The same at the start of the track, which nobody wants.
    var stopped: Sought { Sought(name: name, frame: 0, isChosen: isChosen, intent: .stopped) }
  }

  var sought: Sought?
  /// The playlist that was to be played at power on, and is not there.
  @NameOfFile var lostPlaylist: String? = nil
  /// nil: the music is as it was listed since power on.
  var kept: KeptMusic?
  /// Tracks that the library has no longer and that are still heard, or were promised to the decoder.
  var departed: [TrackID: Track] = [:]
  /// Folders of music that the log has called missing.
  var missing: [LibraryReport.Missing] = []
  /// Some are missing at power on that the log has not named yet.
  var isMissingUnnamed = false
  /// The library has changed since the place was last compared with it.
  var isUnsettled = false
  /// The log has said that there is nothing to play.
  var isEmptyKnown = false

  /// Tracks that the library does not have may be in a folder that is missing, or was not listed since power on.
  var mayComeBack: Bool { !missing.isEmpty || isMissingUnnamed || kept != nil }
}

/// The music that changes while it runs (X rows).
///
/// The queue follows the new library at once. What was decoded of the old one is heard to its end, so that nobody is cut;
/// where nobody listens it is forgotten, and the place in it is kept by name.
extension MusicPlayer {
  /// - Parameter selected: the playlist that the selectors name.
  mutating func take(_ report: LibraryReport, selected: String?, _ turn: inout MusicTurn) {
    noteMissing(report.missing, &turn)
    if report.library != library { take(report.library, &turn) }
    if !report.isKept { endGuess(selected: selected, &turn) }
    noteEmptiness(&turn)
  }

  private mutating func take(_ new: Library, _ turn: inout MusicTurn) {
    let former = library
    library = new
    let behind = [requests.background, attraction].map { $0?.queue.track }
    for track in stream.ahead + ([queue.track, stream.last] + behind).compactMap(\.self) {
      if library[track] == nil, let gone = former[track] { changes.departed[track] = gone }
    }
    for track in stream.tags.keys where library[track] != former[track] && !isHeard(track) {
      stream.forgetTags(of: track)
    }
    stream.outdate()
    playlists.take(library)
    returnToLostPlaylist(&turn)
    takeQueues()
    forgetDeparted()
    changes.isUnsettled = true
    turn.append(.command(.library(library)))
    turn.append(.libraryChanged(library.difference, tracks: library.count))
  }

  private func isHeard(_ track: TrackID) -> Bool { stream.hasBegun && queue.track == track }

  private mutating func noteMissing(_ missing: [LibraryReport.Missing], _ turn: inout MusicTurn) {
    let known = Set(changes.missing.map { FileName($0.folder) })
    for folder in missing where !known.contains(FileName(folder.folder)) {
      turn.append(.folderMissing(folder))
    }
    let gone = Set(missing.map { FileName($0.folder) })
    for folder in changes.missing where !gone.contains(FileName(folder.folder)) {
      turn.append(.folderFound(folder.folder))
    }
    changes.missing = missing
    changes.isMissingUnnamed = false
  }

  /// That there is nothing to play is said once, until there is something (X3).
  mutating func noteEmptiness(_ turn: inout MusicTurn) {
    if library.isEmpty && !changes.isEmptyKnown { turn.append(.libraryEmpty) }
    changes.isEmptyKnown = library.isEmpty
  }

  // MARK: - The place

  /// Whether what the decoder has is still to be heard: while it is wanted, whatever holds it, and until it is silent. What
  /// lost storage holds, the decoder has not.
  private var isListenedTo: Bool {
    transport.intent == .playing && !transport.isStorageAway || !engine.isSilent
  }

  /// Lets go of what is gone from the library as soon as nobody listens to it, and goes back to what has come back.
  mutating func settlePlace(_ turn: inout MusicTurn) {
    let promised = Set(stream.isLoaded ? stream.ahead + [stream.last].compactMap(\.self) : [])
    if isListenedTo {
      if !queue.gone.isEmpty { forgetGone(but: promised.union([queue.track].compactMap(\.self)), &turn) }
    } else if changes.isUnsettled {
      changes.isUnsettled = false
      if stream.isOutdated { stream.renew() }
      forgetGone(but: [], &turn)
      returnToSought(&turn)
    }
  }

  mutating func forgetGone(but kept: Set<TrackID>, _ turn: inout MusicTurn) {
    if loseRequest(but: kept, &turn) { return }
    let former = queue.track
    let name = former.map(name(of:)) ?? ""
    let lost = MusicChanges.Sought(
      name: name, frame: playhead.frame, isChosen: queue.isChosen, intent: transport.intent)
    // A place that the queue only fell to, because another file was gone, is not restored: no listener chose it.
    let sought = changes.sought ?? lost
    if queue.forget(but: kept) {
      rewindToStart()
      changes.sought = sought
      move(from: name, because: .removed, &turn)
    }
    forgetDeparted()
  }

  /// Keeps the names of removed tracks only as long as they may still be heard.
  mutating func forgetDeparted() {
    let named = queue.gone.union(stream.ahead + [queue.track].compactMap(\.self))
    changes.departed = changes.departed.filter { named.contains($0.key) }
  }

  /// The state was saved at a track that the library does not have; its folder may still come.
  mutating func lookFor(_ state: SavedState) {
    guard let name = state.track, library.id(named: name) == nil else { return }
    let (frame, intent) = state.intent == .stopped ? (0, Intent.stopped) : (max(0, state.frame), .paused)
    changes.sought = MusicChanges.Sought(name: name, frame: frame, isChosen: state.isChosen, intent: intent)
  }

  /// Goes back to this place as soon as its track is there and nobody listens.
  mutating func lookFor(_ place: MusicChanges.Sought?) {
    changes.sought = place
    if place != nil { changes.isUnsettled = true }
  }

  private mutating func returnToSought(_ turn: inout MusicTurn) {
    guard let sought = changes.sought, let track = library.id(named: sought.name) else { return }
    if let playlist = sought.playlist.flatMap(library.playlist(called:)), !playlists.isCurrent(playlist) {
      enter(playlist, fromStart: true, &turn)
    }
    guard let found = queue.place(of: track) else { return }
    let former = queue.track.map(name(of:))
    rewindToStart()
    queue.go(backTo: found, isChosen: sought.isChosen)
    playhead.stand(at: sought.frame)
    if transport.intent == .stopped { transport.intent = sought.intent }
    move(from: former.fileName == FileName(sought.name) ? nil : former, because: .returned, &turn)
  }

  private func move(from former: String?, because reason: MoveReason, _ turn: inout MusicTurn) {
    turn.append(.queueMoved(reason, from: former, to: queue.track.map(heading(of:)), frame: playhead.frame))
  }
}
