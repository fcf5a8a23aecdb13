/// What contacts with manners choose (O rows).
extension MusicPlayer {
  /// Something that somebody has chosen sounds, or waits for what holds it (O2).
  /// - Parameter selected: the playlist that the selectors name: nobody has to choose that.
  func isTaken(selected: String?) -> Bool {
    guard transport.intent == .playing else { return false }
    return requests.isPlaying || queue.isChosen || queue.claim != nil || !playlists.isCurrent(resting(selected))
  }

  /// A request plays, or whatever is chosen begins one that waits. One that waits for its folder beside the background
  /// begins by itself.
  var areRequestsDue: Bool {
    let isBesideBackground = options.afterRequests == .background && waitsForFolder && transport.intent == .playing
    return requests.isPlaying || !requests.isEmpty && !isBesideBackground
  }

  mutating func choose(_ name: TrackName, by line: LineID, _ mode: Manners.Mode, _ turn: inout MusicTurn) {
    switch mode {
    case .once, .finish, .next, .random:
      claim(by: line, isOfTrack: true, &turn) { player, turn in
        do throws(TrackName.NotFound) {
          player.choose(track: try player.find(name), name, &turn)
        } catch {
          if !player.awaitChoice(.track(name), &turn) { turn.append(.choiceFailed(.track(name, error))) }
        }
      }
    case .while:
      do throws(TrackName.NotFound) {
        choose(track: try find(name), name, restarts: true, &turn)
        keep(line, isOfTrack: true)
      } catch {
        turn.append(.choiceFailed(.track(name, error)))
      }
    }
  }

  mutating func choose(playlist typed: String, by line: LineID, _ mode: Manners.Mode, _ turn: inout MusicTurn) {
    guard let name = library.playlist(called: typed) else {
      // Who knows whether a contact is still closed when the music is listed, and which file is next (X6).
      let canWait = mode == .once || mode == .finish
      if !canWait || !awaitChoice(.playlist(typed), &turn) { turn.append(.choiceFailed(.playlist(typed))) }
      return
    }
    switch mode {
    case .once, .finish:
      claim(by: line, isOfTrack: false, &turn) { $0.choose(found: name, &$1) }
    case .while:
      choose(found: name, restarts: true, &turn)
      keep(line, isOfTrack: false)
    case .next, .random:
      guard let track = picks.next(in: name, isRandom: mode == .random, of: library) else { return }
      if !playlists.isCurrent(name) { enter(name, fromStart: true, for: track, &turn) }
      let file = TrackName.file(self.name(of: track))
      claim(by: line, isOfTrack: true, &turn) { $0.choose(track: track, file, restarts: true, &$1) }
    }
  }

  /// Makes a choice, and claims what has begun by it: nothing has where it fails, or what plays already is not to begin
  /// anew (T2).
  private mutating func claim(
    by line: LineID, isOfTrack: Bool, _ turn: inout MusicTurn, _ choose: (inout Self, inout MusicTurn) -> Void
  ) {
    let (isMine, isAsked, before) = (queue.claim?.line == line, transport.isPromptShown, turn.facts.count)
    choose(&self, &turn)
    let isWanted = turn.facts.dropFirst(before).contains { if case .wanted = $0 { true } else { false } }
    guard isMine || isWanted || isAsked && !transport.isPromptShown else { return }
    queue.claim(ContactClaim(line, isHeld: false, isOfTrack: isOfTrack))
  }

  private mutating func keep(_ line: LineID, isOfTrack: Bool) {
    forgetChoice()
    queue.claim(ContactClaim(line, isHeld: true, isOfTrack: isOfTrack))
  }

  /// What a contact keeps sounding is over: nothing of it is left to go on (O3).
  mutating func letGo(_ turn: inout MusicTurn) {
    guard queue.claim?.isHeld == true else { return }
    forgetChoice()
    resolveLoss(answer: .stop, &turn)
    if transport.intent == .stopped { queue.release() } else { stopPlayback(because: .contact, &turn) }
  }
}
