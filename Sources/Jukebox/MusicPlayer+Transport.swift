import AudioSession

/// Play, pause, stop and skips, whether by a button or the console (K rows).
extension MusicPlayer {
  /// Frames of a track after which Previous means its start rather than the track before: three seconds.
  private var restartThreshold: Int { 3 * options.rate }

  /// - Parameter selected: the playlist that the selectors name.
  mutating func play(selected: String?, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    guard findMusic(selected: selected, &turn) else { return turn.append(.queueEnded(.noTracks)) }
    switch transport.intent {
    case .stopped: want(asStart: true, &turn)
    case .paused: want(asStart: false, &turn)
    case .playing:
      if transport.routeLoss != nil {
        resolveLoss(answer: .resume, &turn)
        want(asStart: false, &turn)
      } else if transport.isAudible || transport.isHeldByDoubtOnly {
        pause(&turn)
      } else {
        // Play asks for sound although something holds it (I6).
        want(asStart: false, &turn)
      }
    }
  }

  /// As `play`, for whoever cannot see whether it plays: what plays goes on, and what only waits for a plug to rest.
  mutating func start(selected: String?, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    if wantsSound || transport.isHeldByDoubtOnly { return }
    play(selected: selected, &turn)
  }

  /// The operator wants music: what is lost is tried again. Whoever waits gets a new limit to wait for.
  ///
  /// Logged once: by the interruption that this ends, or after it.
  mutating func want(asStart isStart: Bool, _ turn: inout MusicTurn) {
    transport.intent = .playing
    log.note(.asked(.user, isStart: isStart))
    retryStorage()
    // Whoever asks for music hears what is there.
    if !queue.isEmpty { changes.sought?.isAwaited = false }
    transport.missing = missingFolder
    (transport.limit, transport.folderLimit) = (nil, nil)
    turn.append(.wanted(reopens: true))
  }

  /// A plug brings the music to this port, and what an unplug held is over (P6).
  mutating func playAfterPlug(_ trial: Port?, selected: String?, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    guard findMusic(selected: selected, &turn),
      transport.intent != .playing || transport.doubt != nil || transport.routeLoss != nil
    else { return }
    endLoss(byTrialOf: trial, &turn)
    log.note(.asked(.routeConnected, isStart: transport.intent == .stopped))
    transport.intent = .playing
    turn.append(.wanted(reopens: false))
  }

  /// The operator wants it to pause, or to stay paused whatever hold comes to an end (I5).
  mutating func pause(because cause: PauseCause = .user, _ turn: inout MusicTurn) {
    forgetChoice()
    guard transport.intent == .playing else { return }
    resolveLoss(answer: .pause, &turn)
    transport.intent = .paused
    compare(after: .paused(cause), &turn)
  }

  mutating func stop(because cause: StopCause = .user, _ turn: inout MusicTurn) {
    forgetChoice()
    resolveLoss(answer: .stop, &turn)
    guard transport.intent != .stopped else { return }
    stopPlayback(because: cause, &turn)
  }

  /// Stops at the start of the current track.
  mutating func stopPlayback(because cause: StopCause, _ turn: inout MusicTurn) {
    countLeaving(cause.leaving, &turn)
    transport.intent = .stopped
    compare(after: .stopped(cause), &turn)
    let behind = requests.background?.sought
    stopRequest(cause.endingOfRequest, &turn)
    queue.release()
    rewindToStart()
    if let behind { lookFor(behind.stopped) }
  }

  /// The current track from its start, whatever was decoded of it.
  mutating func rewindToStart() {
    stand(elsewhereAt: 0)
    stream.unload()
  }

  /// The operator has gone to another place: what holds the music back holds it there.
  mutating func stand(elsewhereAt frame: Int) {
    stand(at: frame)
    playhead.jump()
    changes.sought = nil
    forgetChoice()
    retryStorage(elsewhere: true)
  }

  mutating func stand(at frame: Int) {
    playhead.stand(at: frame)
    transport.doubt?.hold.frame = frame
    transport.routeLoss?.hold.frame = frame
    transport.unsuited?.hold.frame = frame
  }

  mutating func next(thenPlay: Bool = false, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    forgetChoice()
    guard !queue.isEmpty else { return }
    if requests.isPlaying { return skipRequest(thenPlay: thenPlay, &turn) }
    queue.prepareRound(listed, after: queue.track)
    guard let place = queue.next() else {
      resolveLoss(answer: .next, &turn)
      countLeaving(.skipped, &turn)
      queue.begin(listed)
      turn.append(.queueEnded(nil))
      if transport.intent != .stopped { stopPlayback(because: .queueEnded, &turn) }
      return
    }
    skip(to: place, answer: .next, thenPlay: thenPlay, &turn)
    queue.beginRound(listed)
  }

  mutating func previous(thenPlay: Bool = false, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    forgetChoice()
    guard !queue.isEmpty else { return }
    let place = frame(at: turn.now) > restartThreshold ? queue.place : queue.previous()
    skip(to: place, answer: .previous, thenPlay: thenPlay, &turn)
  }

  private mutating func skip(to place: Place, answer: PromptAnswer, thenPlay: Bool, _ turn: inout MusicTurn) {
    pauseLoss(answer: answer, &turn)
    if transport.intent == .paused && !thenPlay && playhead.frame == 0 && queue.place == place { return }
    requests.noteHeard(listening.heard)
    countLeaving(.skipped, &turn)
    queue.go(to: place)
    rewindToStart()
    if thenPlay && transport.intent != .playing { want(asStart: true, &turn) }
  }

  /// Another place of the current track (T6).
  mutating func seek(_ seek: Seek, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    guard let track = queue.track else { return }
    let heard = frame(at: turn.now)
    let frame = seek.frame(from: heard, length: stream.tags[track]?.frames, rate: options.rate)
    pauseLoss(answer: .seek, &turn)
    // Stopped music is at the start of its track; this waits elsewhere.
    if transport.intent == .stopped { transport.intent = .paused }
    turn.append(.moved(track: number(of: track), from: heard, frame: frame))
    stand(elsewhereAt: frame)
    stream.renew()
  }

  /// As the next visitor should find it: stopped, at the start of the queue (V2, Q4, K8).
  mutating func returnToStart(because cause: ResetCause, selected: String?, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    countLeaving(cause.leaving, &turn)
    if requests.isPlaying { stopPlayback(because: .reset(cause), &turn) }
    dropRequests(.reset(cause), &turn)
    returnToPlaylist(selected, &turn)
    if transport.intent != .stopped { stopPlayback(because: .reset(cause), &turn) }
    rewindToStart()
  }
}
