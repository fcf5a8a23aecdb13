import AudioSession

/// What the session means for the music, cues and recordings (I and S rows).
extension Jukebox {
  mutating func follow(_ facts: [SessionFact], _ turn: inout Turn) { for fact in facts { follow(fact, &turn) } }

  mutating func follow(_ fact: SessionFact, _ turn: inout Turn) {
    // What it speaks ends with a client.
    if case .deactivated(let name, _, _) = fact, cues.speaker == name { follow(cues.cancel(.sessionEnded), &turn) }
    turn.log(fact)
    switch fact {
    case .activated, .refused: break
    case .deactivated(_, _, let shouldResume):
      settleInterruptions(shouldResume: shouldResume, &turn)
      serveRefusedContacts(&turn)
    case .changed(by: let cause): settleInterruptions(by: cause, shouldResume: true, &turn)
    }
  }

  /// Activates a client. Returns false where that is refused.
  mutating func activate(_ client: SessionClient, _ turn: inout Turn) -> Bool {
    guard let fact = sessions.activate(client) else { return true }
    follow(fact, &turn)
    if case .refused = fact { return false }
    return true
  }

  /// Makes a client inactive and stops its sound (S8, S9).
  mutating func deactivate(_ name: ClientName, shouldResume: Bool? = nil, _ turn: inout Turn) {
    let fact = sessions.deactivate(name, isSounding: cues.speaker == name, shouldResume: shouldResume)
    if let fact { follow(fact, &turn) }
  }

  /// A contact or the console ends an interruption.
  ///
  /// - Parameter shouldResume: nil: as the client's options say.
  mutating func end(_ name: ClientName, shouldResume: Bool? = nil, _ turn: inout Turn) {
    sessions.end(name)
    deactivate(name, shouldResume: shouldResume, &turn)
  }

  /// A contact that is still closed gets what it was refused.
  mutating func serveRefusedContacts(_ turn: inout Turn) {
    for name in sessions.refused.sorted() where sessions.mayActivate(sessions.client(name)) {
      follow(sessions.begin(name, nil), &turn)
    }
  }

  /// Begins a recording, or ends the one that runs. What the session refuses is logged.
  mutating func record(_ turn: inout Turn) {
    switch recording.phase {
    case .idle:
      if let refusal = recording.refusal {
        turn.object(Recording.noAnswer)
        return follow(refusal, &turn)
      }
      guard activate(sessions.recorder, &turn) else { return }
      recording.begin(at: turn.now)
      settleInterruptions(shouldResume: true, &turn)
    case .starting, .running: follow(recording.stop(.user), &turn)
    case .stopping: turn.object("the last recording is still being written")
    }
  }

  func follow(_ fact: RecordingFact?, _ turn: inout Turn) {
    if let fact { turn.log(fact, input: configuration.input) }
  }

  // MARK: - What it means for the others

  /// After every change of who is active: begins and ends what holds the music, and stops cues and recordings that may
  /// not go on.
  mutating func settleInterruptions(by cause: LineCause? = nil, shouldResume: Bool, _ turn: inout Turn) {
    let sources = sessions.interrupters(of: sessions.music)
    for source in sources where !player.transport.interruptions.contains(where: { $0.source == source }) {
      beginInterruption(by: source, cause, &turn)
    }
    for gone in player.transport.interruptions where !sources.contains(gone.source) {
      endInterruption(gone, shouldResume: shouldResume, &turn)
    }
    if let speaker = cues.speaker, !sessions.interrupters(of: sessions.client(speaker)).isEmpty {
      follow(cues.cancel(.interrupted), &turn)
    }
    if !sessions.isFree(for: sessions.recorder) { follow(recording.stop(.interruption), &turn) }
  }

  private mutating func beginInterruption(by source: Interruption.Source, _ cause: LineCause?, _ turn: inout Turn) {
    turn.log(
      .interruptionBegan, .info,
      ["reason": source.word, "line": cause?.line, "edge": cause?.edge.logStamp, "frame": frame(at: turn.now)])
    var isSpoken = false
    if case .client(let name) = source {
      isSpoken = !sessions.standing.contains(name) && configuration.cues.contains { $0.client == name }
    }
    withPlayer(&turn) { $0.begin(source, isSpoken: isSpoken, &$1) }
  }

  private mutating func endInterruption(_ gone: Interruption, shouldResume: Bool, _ turn: inout Turn) {
    let fields: KeyValuePairs<String, String?> = [
      "reason": gone.source.word, "resume": shouldResume ? "true" : "false", "spoken": gone.isSpoken ? "true" : nil,
    ]
    turn.log(.interruptionEnded, .info, fields, mayTrigger: !gone.isSpoken)
    withPlayer(&turn) { $0.end(gone.source, shouldResume: shouldResume, &$1) }
    if player.transport.isAudible { claimIfWanted(&turn) }
    withPlayer(&turn) { $0.compareFreed(.interruptionEnded, &$1) }
  }

  // MARK: - Who needs the session

  /// Cues that waited have their turn, whoever needs the session no more gives it back, and the music takes it as soon
  /// as somebody wants music.
  mutating func settleClients(_ turn: inout Turn) {
    guard isOn else { return }
    beginWaitingCues(&turn)
    for client in sessions.active where !isNeeded(client.name) { deactivate(client.name, &turn) }
    claimIfWanted(&turn)
  }

  private mutating func claimIfWanted(_ turn: inout Turn) {
    let music = sessions.music
    if player.transport.intent == .playing && !sessions.isActive(music.name) && sessions.isFree(for: music)
      && sessions.mayActivate(music)
    {
      claimSession(&turn)
    }
  }

  private func isNeeded(_ name: ClientName) -> Bool {
    switch name {
    case .music: player.transport.intent == .playing
    case .recorder: recording.phase != .idle
    default:
      sessions.standing.contains(name) || cues.need(name)
    }
  }

  /// Music is wanted: it is tried at once, whoever holds the session (I6, S7). If the music has the session and still
  /// is not heard, the log says what holds it back.
  mutating func claimSession(_ turn: inout Turn) {
    guard activate(sessions.music, &turn) else { return }
    settleInterruptions(shouldResume: true, &turn)
    var reason = player.transport.interruptions.last.map { RefusalReason.interrupted($0.source) }
    if player.transport.isStorageAway { reason = .hold(.storageUnavailable) }
    if player.transport.outputLoss != nil { reason = .hold(.outputUnavailable) }
    if player.transport.unsuited != nil { reason = .hold(.noSuitableRoute) }
    if let reason { turn.log(SessionFact.refused(sessions.music.name, reason)) }
  }
}
