import AudioSession

/// What becomes of the music, and what that means for the others.
extension Jukebox {
  /// Has the player do something, and follows what comes of it.
  mutating func withPlayer(_ turn: inout Turn, _ act: (inout MusicPlayer, inout MusicTurn) -> Void) {
    var done = MusicTurn(now: turn.now)
    act(&player, &done)
    follow(done.facts, &turn)
  }

  mutating func follow(_ facts: [MusicFact], _ turn: inout Turn) { for fact in facts { follow(fact, &turn) } }

  private mutating func follow(_ fact: MusicFact, _ turn: inout Turn) {
    turn.log(fact, at: routes.route)
    switch fact {
    case .wanted(let reopens):
      if reopens { contacts.asked(at: routes.route.port) }
      claimSession(&turn)
      if reopens && player.transport.outputLoss != nil { turn.append(.audio(.reopen)) }
      withPlayer(&turn) { $0.compare(&$1) }
    case .ended: visit.noteEnd(until: endOfGap(from: turn.now))
    case .command(let command): turn.append(.audio(command))
    case .count(let counted): turn.append(.count(counted))
    case .list: turn.append(.listMusic)
    case .playback(.paused(.sleep), _, _): fellAsleep(&turn)
    case .requested(let track): request(track, &turn)
    case .requestEnded(let request, let ending): end(request, ending, &turn)
    case .playback, .trackStarted, .trackEnded, .trackFailed, .queueEnded, .queueMoved, .moved, .playlistChanged,
      .choiceFailed, .promptShown, .promptAnswered, .storageLost, .storageRestored, .libraryChanged, .libraryEmpty,
      .folderMissing, .folderFound, .requestQueued, .requestStarted:
      break
    }
  }

  /// Music is heard, or the plug that moves is all that may keep it from that.
  var mayBeHeard: Bool { player.wantsSound || player.transport.isHeldByDoubtOnly }

  mutating func play(_ turn: inout Turn) { withPlayer(&turn) { [selection] in $0.play(selected: selection, &$1) } }

  /// Stop ends the recording if one runs, else the music and the cue.
  mutating func stop(_ turn: inout Turn) {
    contacts.forgetDelays()
    if recording.since != nil { return follow(recording.stop(.user), &turn) }
    follow(cues.stop(), &turn)
    withPlayer(&turn) { $0.stop(&$1) }
  }

  /// As the next visitor should find it: stopped, at the start of the queue, at start volumes (V2, Q4, K8).
  mutating func returnToStart(because cause: ResetCause, _ turn: inout Turn) {
    leavePopular(&turn)
    contacts.forgetDelays()
    // The headset that was plugged in had not yet answered the prompt (B2.2).
    if player.forgetTrial() { turn.log(.promptExpired) }
    withPlayer(&turn) { $0.resolveLoss(answer: nil, &$1) }
    reset(routes.ports, because: cause, &turn)
    withPlayer(&turn) { [selection] in $0.returnToStart(because: cause, selected: selection, &$1) }
    // The requests that the storage does not have yet.
    for request in accounts.ledger.requests { end(request, .reset(cause), &turn) }
  }

  /// The playlist that the next visitor finds: the one that the selectors name, else that of the timetable; nil: all the
  /// music.
  var selection: String? {
    selected ?? timetable.memory.playlist ?? configuration.settings.requests?.background
  }

  /// The playlist that the selectors name; nil: none.
  var selected: String? {
    var released: String?
    for line in configuration.lines {
      guard case .selector(let name, let otherwise) = line.role else { continue }
      if lines.isAsserted(line.name) { return name }
      released = released ?? otherwise
    }
    return released
  }

  /// What was heard until now counts in what is shown.
  mutating func replyStatistics(_ form: StatisticsForm, _ turn: inout Turn) {
    withPlayer(&turn) { $0.reportHeard(&$1) }
    turn.append(.replyStatistics(form))
  }

  func count(_ board: BoardCount, by number: Int = 1, _ turn: inout Turn) {
    if number > 0 { turn.append(.count(.board(board, by: number))) }
  }
}
