import AudioSession
import Jukebox

/// Playlists (T4): who may change them, and what that does to what is wanted.
extension Oracle {
  /// What the selectors name.
  var selectedPlaylist: String? { playlists.selected { lines[$0].level } }

  /// Somebody asks for a playlist; nil: for all the music.
  ///
  /// Returns whether it begins; false: it plays or waits already, or is not there.
  @discardableResult
  func choosePlaylist(_ name: String?) -> Bool {
    music.awaited = nil
    if let name, !playlists.has(name) {
      intentModel.settleSkip()
      return false
    }
    let isAsked = intentModel.loss?.isPromptShown == true
    let isCurrent = name == playlists.current
    if isCurrent && onlyWakes { return false }
    let wasPlaying = intentModel.intent == .playing
    guard intentModel.choosePlaylist(isCurrent: isCurrent) else {
      let goesOn = !wasPlaying && intentModel.intent == .playing
      if goesOn { noteWord() }
      return goesOn
    }
    playlists.request = PlaylistModel.Request(name: name, isFromStart: isCurrent && !isAsked)
    return true
  }

  func applyPlaylistChange(_ event: Event) {
    intentModel.settleSkip()
    let name = event["playlist"]
    // Whoever hears music is not a next visitor, even if it goes on after power on.
    let isWanted = intentModel.intent == .playing || resumesAtBoot && bootedAt == now
    let selected = playlists.request == nil ? selection(name) : nil
    let request =
      playlists.request ?? selected ?? (isWanted ? heir(name) : nil) ?? reset(name) ?? heir(name)
    playlists.request = nil
    if contacts.isEntering {
      contacts.isEntering = false
    } else if selected != nil, contacts.claim?.isHeld == true {
      // O3.2: the contact ends the music of the selector's playlist, too.
      contacts.claim?.isOfTrack = false
    } else {
      contacts.end(at: now)
    }
    guard let request, request.name == name else {
      return demand(false, "T4", "the playlist becomes \(name ?? "none"), and nobody has asked for it")
    }
    leavePlaylist()
    demand(playlists.change(event, to: request))
    counting.noteLeft()
    persistence.numbers = playlists.numbers
    logChecker.enter(order, isForTrack: request.isForTrack)
    // What is stopped waits at the start of a track; elsewhere it is paused.
    if intentModel.intent == .stopped && event["frame"] != "0" { intentModel.intent = .paused }
    playingSince = nil
  }

  /// The selector that has come to rest at this playlist: it only moves, and answers the prompt as Next does.
  private func selection(_ name: String?) -> PlaylistModel.Request? {
    let moved = kiosk.board.lines.map(\.name).first { line in
      let contact = lines[line]
      guard contact.isDue(at: now), contact.seen != contact.level else { return false }
      return playlists.target(of: line, asserted: contact.seen) == name && name != nil
    }
    guard let moved else { return nil }
    music.awaited = nil
    contacts.delays = [:]
    visit.use(at: now)
    lines[moved].settle()
    if intentModel.loss != nil {
      intentModel.loss = nil
      intentModel.intent = .paused
    }
    return PlaylistModel.Request(name: name, isFromStart: false)
  }

  /// The kiosk is made ready for the next visitor (K8, Q4).
  private func reset(_ name: String?) -> PlaylistModel.Request? {
    let settings = kiosk.settings.settings
    let isIdle = settings.idleReset > .zero && now >= usedAt
    guard name == selectedPlaylist, isIdle || settings.promptTimeout > .zero else { return nil }
    resetAt = now
    persistence.reset()
    return PlaylistModel.Request(name: name, isFromStart: true)
  }

  /// The playlist no longer has a track, and somebody wants music (X3.1).
  private func heir(_ name: String?) -> PlaylistModel.Request? {
    guard let current = playlists.current, !playlists.has(current) else { return nil }
    guard name == selectedPlaylist.flatMap({ playlists.has($0) ? $0 : nil }) else { return nil }
    return PlaylistModel.Request(name: name, isFromStart: true)
  }

  /// Where the playlist is left: at the place of the last status, or as far after it as it has played since.
  private func leavePlaylist() {
    guard let scene = lastScene, let status = scene.status, status.playlist == playlists.current else {
      return playlists.leave(nil, frames: 0...0)
    }
    // Music that stops in the instant in which the visit ends is at the start of its track.
    if stoppedAt == now { return playlists.leave(status.file, frames: 0...1) }
    let heard = (now - scene.at).frames(rate: kiosk.board.rate) + 1
    playlists.leave(status.file, frames: max(0, status.frame - 1)...(status.frame + heard))
  }

  /// A selector has come to rest, and the log has not named another playlist.
  func checkSelector(_ line: String) {
    let contact = lines[line]
    guard contact.seen != contact.level, let name = playlists.target(of: line, asserted: contact.seen) else { return }
    contacts.delays = [:]
    visit.use(at: now)
    demand(
      name == playlists.current || !playlists.has(name), "T4",
      "\(line) names \(name), and the playlist is \(playlists.current ?? "none")")
  }

  func checkPlaylist(_ status: Status) {
    demand(
      playlists.request == nil && status.playlist == playlists.current, "T4",
      "the playlist is \(status.playlist ?? "none"), expected \(playlists.request?.name ?? playlists.current ?? "none")"
    )
    playlists.request = nil
    demand(status.trackCount == playlists.numbers.count, "T4", "the playlist has \(status.trackCount) tracks")
    demand(
      status.track.map(playlists.file) ?? nil == status.file
        || status.track == nil && status.file.map(music.listed.contains) == false, "T4",
      "track \(status.track ?? 0) is \(status.file ?? "none")")
    if resetAt == now { demand(status.state != .playing && status.frame == 0, "T4", "a playlist of nobody plays") }
  }
}
