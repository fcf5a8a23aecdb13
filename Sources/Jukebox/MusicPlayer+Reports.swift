import AudioSession

/// What the engine and its decoder report of the music (P10, P11).
extension MusicPlayer {
  // MARK: - Of the decoder

  mutating func opened(_ id: UInt8, _ track: TrackID, _ found: TrackTags, _ turn: inout MusicTurn) {
    guard id == stream.id else { return }
    stream.opened(track, found)
    if storageAnswered(&turn) { answerDecoder(&turn) }
  }

  mutating func measured(_ id: UInt8, _ track: TrackID, _ frames: Int?) {
    guard id == stream.id else { return }
    stream.measured(track, frames)
  }

  mutating func failed(_ id: UInt8, _ track: TrackID, _ reason: String, isMissing: Bool, _ turn: inout MusicTurn) {
    guard id == stream.id, storageAnswered(&turn) else { return }
    if isMissing && changes.kept != nil { return awaitListing(&turn) }
    fail(track, reason: reason, frame: nil, &turn)
    failRequest(&turn)
    stream.failed()
    answerDecoder(&turn)
  }

  mutating func brokeOff(_ id: UInt8, _ position: Position, _ reason: String, _ turn: inout MusicTurn) {
    guard id == stream.id else { return }
    listening.noteBreak(of: name(of: position.track))
    noteBrokenRequest(position.track)
    fail(position.track, reason: reason, frame: position.frame, &turn)
  }

  mutating func storageFailed(_ id: UInt8, _ fault: StorageFault, _ turn: inout MusicTurn) {
    guard id == stream.id else { return }
    listGuess(&turn)
    storageFailed(fault, &turn)
  }

  func fail(_ track: TrackID, reason: String, frame: Int?, _ turn: inout MusicTurn) {
    // A track that was removed meanwhile is not reported as failed.
    guard library[track] != nil else { return }
    turn.append(.count(.board(.trackFailures)))
    turn.append(.trackFailed(heading(of: track), reason: reason, frame: frame))
  }

  mutating func answerDecoder(_ turn: inout MusicTurn) {
    if stream.mayBeAnswered { queue.prepareRound(listed, after: stream.last) }
    guard let answer = requests.isPlaying ? answerWithRequest(&turn) : stream.answer(from: queue) else { return }
    turn.append(.command(.follow(stream: stream.id, track: answer)))
  }

  // MARK: - Of the engine

  /// Sound runs from this frame on. Returns false where that is about another stream, or nothing is to sound.
  mutating func started(_ id: UInt8, _ position: Position, at instant: Instant, _ turn: inout MusicTurn) -> Bool {
    guard id == stream.id, engine.isSounding else { return false }
    // What begins here is reported next: another track, or this one again after its last frame.
    let isInTrack = stream.tags[position.track]?.frames.map { playhead.frame <= $0 } ?? false
    let isNextPass = position.frame == 0 && playhead.frame > 0 && isInTrack && stream.beginsTwice
    if position.track != queue.track || isNextPass { return true }
    // A place beyond the end of a track whose length was not known has become its start (T6): nothing was heard backwards.
    if !stream.hasBegun { playhead.jump() }
    stream.start()
    playhead.run(from: position.frame, since: instant)
    compare(&turn)
    return true
  }

  mutating func silenced(_ id: UInt8, _ position: Position?) {
    engine.confirmSilence(of: id)
    guard id == stream.id, let position, position.track == queue.track, !engine.isSounding else { return }
    stand(at: position.frame)
  }

  /// For a report that names no stream: before the engine has named the first frame of this one, it is about the stream before.
  mutating func standIfCurrent(at position: Position) {
    if stream.hasStart || stream.hasBegun, position.track == queue.track { stand(at: position.frame) }
  }

  mutating func began(_ id: UInt8, _ position: Position, at instant: Instant, _ turn: inout MusicTurn) {
    guard id == stream.id else { return }
    let isFirst = !stream.hasBegun
    guard let track = stream.advance() else { return }
    if !isFirst { countEnd(at: instant, &turn) }
    if !isFirst, let former = queue.track {
      if former != position.track { stream.forgetTags(of: former) }
      turn.append(.trackEnded(heading(of: former)))
    }
    advance(to: track, isFirst: isFirst, &turn)
    changes.sought = nil
    // The report came late, when all is silent again: the engine's next one has its position.
    // Nor is anything heard of a track that goes on after its last frame (I11).
    let isOver = position.frame > 0 && stream.tags[position.track]?.frames.map { $0 <= position.frame } ?? false
    let isHeard = engine.isSounding && !isOver
    if isHeard { playhead.run(from: position.frame, since: instant) } else { stand(at: position.frame) }
    playhead.jump()
    compare(&turn)
    countBeginning(of: position.track, at: position.frame, &turn)
    if !isFirst || !stream.isContinued {
      turn.append(
        .trackStarted(heading(of: position.track), stream.tags[position.track], frame: position.frame))
    }
    announceRequest(&turn)
    answerDecoder(&turn)
  }

  mutating func ended(_ id: UInt8, _ turn: inout MusicTurn) {
    guard id == stream.id else { return }
    engine.ended()
    if let fault = stream.storageFault { return storageLost(fault, &turn) }
    if stream.hasBegun { countEnd(at: turn.now, &turn) } else { countLeaving(.failed, &turn) }
    if requests.isPlaying { return endedRequests(&turn) }
    if isAttracting {
      noteTrackEnd(&turn)
      return stopAfterEnd(because: .trackEnded, &turn)
    }
    if goOnInNewLibrary(&turn) { return }
    if queue.endsHere, let next = queue.successor(of: queue.place) { return endedAtClosing(next, &turn) }
    // A chosen track that would repeat and cannot be played stops (T8).
    let mayGoOn = stream.hasBegun || !queue.staysAtChosen
    if mayGoOn, queue.endsBehindTrack, let next = queue.successor(of: queue.place) {
      return endedBehindTrack(next, &turn)
    }
    if queue.staysAtChosen { return endedAtChosen(&turn) }
    noteTrackEnd(&turn)
    turn.append(.queueEnded(stream.hasBegun && queue.track != nil ? nil : .noPlayableTrack))
    queue.begin(listed)
    stopAfterEnd(because: .queueEnded, &turn)
  }

  func noteTrackEnd(_ turn: inout MusicTurn) {
    if stream.hasBegun, let track = queue.track { turn.append(.trackEnded(heading(of: track))) }
  }

  /// The stream ended where the library of its time did; by now something may follow (X1).
  private mutating func goOnInNewLibrary(_ turn: inout MusicTurn) -> Bool {
    guard stream.isOutdated, let next = queue.following(queue.place), next != queue.place || stream.hasBegun else {
      return false
    }
    noteTrackEnd(&turn)
    queue.go(to: next)
    rewindToStart()
    return true
  }

  /// Nothing is to follow the chosen track, or it cannot be played: it stops there (T3, T8).
  private mutating func endedAtChosen(_ turn: inout MusicTurn) {
    noteTrackEnd(&turn)
    stopAfterEnd(because: .trackEnded, &turn)
  }

  mutating func stopAfterEnd(because cause: StopCause, _ turn: inout MusicTurn) {
    playhead.stand(at: 0)
    stream.unload()
    // Pulled out in the very last moment: there is nothing left to ask about.
    resolveLoss(answer: nil, &turn)
    transport.intent = .stopped
    queue.release()
    turn.append(.ended)
    compare(after: .stopped(cause), &turn)
  }

  /// The engine has lost its output, and with it the frame that it had still to name.
  mutating func outputLost(at position: Position?) {
    engine.outputLost()
    if let position { standIfCurrent(at: position) }
  }

  /// The output has another shape: what was decoded for the old one is useless, and is silenced before it is decoded
  /// again.
  mutating func outputChanged(at position: Position?) {
    if let position { standIfCurrent(at: position) }
    stream.renew()
  }

  /// The engine fell silent by itself.
  mutating func fellSilent() { engine.ended() }
}
