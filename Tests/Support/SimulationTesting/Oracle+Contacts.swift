import AudioSession
import Jukebox

/// Contacts with manners (O rows): which of their presses count, what those begin, where it may sound and when it is over.
extension Oracle {
  // MARK: - Presses

  func pressContact(_ line: String, _ button: Button, _ manners: Manners, ignored: String?) {
    intentModel.settleSkip()
    var (mayBeTaken, isTaken) = (false, false)
    switch button {
    case .cue, .choose(.cue):
      (mayBeTaken, isTaken) = (cueSince != nil || lastScene?.status?.cue != nil, cueSince != nil)
    case .play, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .pair, .sleep, .choose:
      mayBeTaken = intentModel.intent == .playing
      isTaken = mayBeTaken && contacts.claim?.isDoubtful == false
    }
    demand(contacts.check(line, ignored, mayBeTaken: mayBeTaken, isTaken: isTaken, at: now))
    if ignored != nil { return }
    contacts.countedAt = now
    contacts.delays = [:]
    if manners.delay > .zero {
      contacts.delays[line] = ContactModel.Delay(due: now + manners.delay, port: route)
    } else {
      begin(button, by: line, manners.mode)
    }
  }

  /// What a contact has begun with a delay begins now, before anything else of this instant.
  func beginDelayed() {
    guard isOn, !isAsleep else { return }
    for (line, delay) in contacts.delays where now >= delay.due {
      contacts.delays[line] = nil
      guard let button = button(on: line), let mode = contacts.manners[line]?.mode, delay.port == route else {
        continue
      }
      usedAt = now
      begin(button, by: line, mode)
    }
  }

  private func begin(_ button: Button, by line: String, _ mode: Manners.Mode) {
    switch button {
    case .choose(.cue(let name)):
      contacts.cues[name] = ContactModel.AskedCue(line: line, at: now, port: route)
    case .choose(.track(let name)):
      if mode == .while { keep(track: name.text, by: line) } else { claim(line, isOfTrack: true) { choose(name.text) } }
    case .choose(.playlist(let name)):
      switch mode {
      case .once, .finish: claim(line, isOfTrack: false) { choosePlaylist(name) }
      case .while: keep(playlist: name, by: line)
      case .next, .random: draw(from: name, by: line)
      }
    case .play, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .cue, .pair, .sleep, .choose(.popular),
      .choose(.hours):
      break
    }
  }

  private func newClaim(_ line: String, isHeld: Bool, isOfTrack: Bool, file: String? = nil) -> ContactModel.Claim {
    let isDoubtful = music.present != music.listed || music.isGuess
    return ContactModel.Claim(
      line: line, isHeld: isHeld, isOfTrack: isOfTrack, port: route, file: file, isDoubtful: isDoubtful, begunAt: now)
  }

  /// What a button would choose. It is the contact's where that has begun something, or goes on with what it had begun.
  private func claim(_ line: String, isOfTrack: Bool, _ choose: () -> Bool) {
    let isMine = contacts.claim?.line == line
    let isBegun = choose()
    contacts.isEntering = playlists.request != nil
    if isBegun || isMine { contacts.begin(newClaim(line, isHeld: false, isOfTrack: isOfTrack, file: choice)) }
  }

  /// O3: it begins from its start, whatever plays.
  private func keep(track name: String, by line: String) {
    guard let (file, playlist) = playlists.find(name) else { return }
    beginAnew(in: playlist, isForTrack: true, file: file)
    logChecker.choose(file)
    choice = file
    contacts.begin(newClaim(line, isHeld: true, isOfTrack: true, file: file))
  }

  private func keep(playlist name: String, by line: String) {
    guard playlists.has(name) else { return }
    beginAnew(in: name, isForTrack: false)
    contacts.begin(newClaim(line, isHeld: true, isOfTrack: false))
  }

  /// O4: which file it is, the log and the status say.
  private func draw(from name: String, by line: String) {
    guard playlists.has(name) else { return }
    beginAnew(in: name, isForTrack: true)
    contacts.isDrawn = true
    contacts.begin(newClaim(line, isHeld: false, isOfTrack: true))
  }

  private func beginAnew(in playlist: String?, isForTrack: Bool, file: String? = nil) {
    contacts.end(at: now)
    music.awaited = nil
    choice = nil
    if !isForTrack || playlist != playlists.current {
      playlists.request = PlaylistModel.Request(name: playlist, isFromStart: true, isForTrack: isForTrack, file: file)
      contacts.isEntering = true
    }
    _ = intentModel.choose(isCurrent: false)
    counting.noteLeft()
  }

  // MARK: - Ends

  /// Music stops, and the log says because of a contact.
  func applyContactStop() {
    updateIntent()
    let claim = contacts.claim
    let contact = claim.map { lines[$0.line] }
    let isOpen = contact.map { !$0.level || $0.isDue(at: now) && !$0.seen } ?? false
    let isElsewhere = intentModel.isAudible && route != claim?.port
    let isOverlong = claim.map { stuck.contains($0.line) } ?? false
    demand(
      claim?.isHeld == true && (isOpen || isElsewhere || isOverlong || claim?.isDoubtful == true), "O3.1",
      "a contact ends music, and none has to")
    intentModel.stopAtEnd()
  }

  /// Somebody asks for music where the route is now (O8.1).
  func noteWord() { if intentModel.intent == .playing { contacts.claim?.port = route } }

  func noteMusicOfContact() { contacts.claim?.isDoubtful = true }

  // MARK: - What is true when everything has settled

  func settleContacts(_ status: Status) {
    if contacts.isDrawn, let file = status.file {
      logChecker.choose(file)
      if music.isGuess && music.doubtful.contains(file) { music.awaited = file }
    }
    contacts.settle(status.file, at: now)
    settleClaim(status)
    for name in contacts.cues.keys.sorted() { settleCue(name, status) }
    logChecker.isKept = contacts.claim?.isHeld == true && contacts.claim?.isOfTrack == true
  }

  private func settleClaim(_ status: Status) {
    guard var claim = contacts.claim, claim.isHeld else { return }
    if !lines[claim.line].level {
      demand(claim.isDoubtful, "O3.1", "\(claim.line) is open, and what it keeps sounding goes on")
      return contacts.end(at: now)
    }
    demand(claim.isDoubtful || !stuck.contains(claim.line), "O3.3", "\(claim.line) is stuck, and what it keeps goes on")
    if intentModel.isAudible {
      // A plug may come in at the very instant in which it closes.
      let mayBegin = claim.isAudible || claim.isDoubtful || route == claim.port || claim.begunAt == now
      demand(mayBegin, "O8", "what \(claim.line) keeps begins at \(name(route)), and it closed at \(name(claim.port))")
      claim.port = route
    }
    claim.isAudible = intentModel.isAudible
    if claim.begunAt == now && !claim.isDoubtful {
      demand(isAt(0, status), "O3", "what \(claim.line) keeps begins at frame \(status.frame)")
    }
    contacts.claim = claim
  }

  /// O3.1, O8: of a cue that a contact keeps.
  private func settleCue(_ name: String, _ status: Status) {
    guard var cue = contacts.cues[name], contacts.manners[cue.line]?.mode == .while else { return }
    demand(lines[cue.line].level, "O3.1", "\(cue.line) is open, and its cue goes on")
    let isAudible = status.cue == name && intentModel.doubt == nil && route != nil
    if isAudible {
      demand(
        cue.isAudible || route == cue.port || cue.at == now, "O8",
        "the cue of \(cue.line) begins at \(self.name(route)), and was "
          + "asked for at \(self.name(cue.port))")
      cue.port = route
    }
    cue.isAudible = isAudible
    contacts.cues[name] = cue
  }
}
