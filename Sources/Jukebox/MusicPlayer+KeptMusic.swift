/// The music at power on, as it was listed before and not since (X6): it may have been changed while the power was off.
struct KeptMusic: Hashable, Sendable {
  /// What somebody has chosen of it and does not hear yet: the music that is listed may have it elsewhere.
  struct Choice: Hashable, Sendable {
    enum Name: Hashable, Sendable {
      case track(TrackName)
      case playlist(String)
      /// By a selector, which only moves.
      case selection(String)
    }
    var name: Name
    /// The track's id; nil: there was nothing of this name.
    var track: TrackID?
  }

  /// It is being listed, because some of it is not there.
  var isAsked = false
  var choice: Choice?
}

/// Music that is a guess until it is listed (X6.1), and what is chosen of it (X6.2).
///
/// A file of it that is not there does not count as a failed track: the music is listed at once, and the decoder waits
/// to be told what follows. What is wanted stays as it is meanwhile, so that presses and plugs do what they always do.
/// Then it goes on at the same place, or where the place falls to (X1); and what is still not there has failed.
extension MusicPlayer {
  /// At power on, when the place is restored.
  mutating func beginGuess(selected: String?, _ turn: inout MusicTurn) {
    if let selected, library.playlist(called: selected) == nil { awaitChoice(.selection(selected), &turn) }
  }

  /// The decoder has not found the track that it was sent last.
  mutating func awaitListing(_ turn: inout MusicTurn) {
    stream.awaitListing(hearing: queue.track)
    listGuess(&turn)
  }

  /// Has the music listed at once, while it is a guess.
  mutating func listGuess(_ turn: inout MusicTurn) {
    guard changes.kept?.isAsked == false else { return }
    changes.kept?.isAsked = true
    turn.append(.list)
  }

  /// Somebody chooses what the music does not have. Returns false where that is known for certain.
  @discardableResult
  mutating func awaitChoice(_ name: KeptMusic.Choice.Name, _ turn: inout MusicTurn) -> Bool {
    guard changes.kept != nil else { return false }
    changes.kept?.choice = KeptMusic.Choice(name: name)
    listGuess(&turn)
    return true
  }

  /// The music is listed.
  mutating func endGuess(selected: String?, _ turn: inout MusicTurn) {
    guard let kept = changes.kept else { return }
    changes.kept = nil
    if changes.missing.isEmpty { leaveLostPlaylist(selected: selected, &turn) }
    if let choice = kept.choice { take(choice, &turn) }
    guard stream.awaitsListing else { return }
    if stream.isUnheard {
      beginAnew(&turn)
    } else {
      stream.endAwaiting()
      answerDecoder(&turn)
    }
  }

  /// Somebody wants music. A playlist that no longer has a track gives way only now, because it may come back until
  /// then (X3.1). Returns whether there is anything to play.
  mutating func findMusic(selected: String?, _ turn: inout MusicTurn) -> Bool {
    if queue.isEmpty { leaveLostPlaylist(selected: selected, &turn) }
    return !queue.isEmpty || !requests.isEmpty
  }

  /// The playlist is there no longer: as at a power on without it, the queue is the one that the selectors name, or all
  /// the music.
  private mutating func leaveLostPlaylist(selected: String?, _ turn: inout MusicTurn) {
    guard let current = playlists.current, library.playlist(called: current) == nil else { return }
    guard !library.isEmpty, !stream.isLoaded || stream.isUnheard else { return }
    enter(selected.flatMap(library.playlist(called:)), fromStart: true, &turn)
  }

  /// A choice is made again where it was not found, or has led to a file that is gone.
  private mutating func take(_ choice: KeptMusic.Choice, _ turn: inout MusicTurn) {
    if let track = choice.track, library[track] != nil || stream.isLoaded && !stream.isUnheard { return }
    switch choice.name {
    case .track(let name): choose(name, &turn)
    case .playlist(let name): choose(playlist: name, &turn)
    case .selection(let name): select(playlist: name, &turn)
    }
  }

  /// Nothing of the place could be opened: it is where it was, if that is there, or falls to what is there.
  private mutating func beginAnew(_ turn: inout MusicTurn) {
    stream.renew()
    forgetGone(but: [], &turn)
    guard transport.intent == .playing else { return }
    // Nobody has asked for it since power on: its place is waited for with its folder.
    if !changes.missing.isEmpty && !log.isAskedFor { changes.sought?.isAwaited = true }
    guard queue.isEmpty, changes.sought?.isAwaited != true else { return }
    endWithoutMusic(&turn)
  }

  /// There is nothing to play. What comes back after this starts nothing by itself.
  mutating func endWithoutMusic(_ turn: inout MusicTurn) {
    changes.sought?.intent = .paused
    turn.append(.queueEnded(.noTracks))
    stopAfterEnd(because: .queueEnded, &turn)
  }
}
