import AudioSession

/// Cues over the music, or instead of it (D rows).
extension Jukebox {
  /// No cue speaks for longer, and nobody ducks for longer (D5).
  static let cueLimit = Duration.seconds(60)

  var speaker: SessionClient? { speech.current.map { client($0.client) } }

  /// By name: that of the button may be one that is not there. False where it cannot be spoken.
  @discardableResult
  mutating func speak(named name: String, at now: Instant) -> Bool {
    guard let index = configuration.cues.firstIndex(where: { $0.name == name }) else {
      log(.cueFailed, .warn, ["cue": name, "reason": CueFailure.unknown.logged])
      return false
    }
    return speak(cue: index, at: now)
  }

  /// Somebody or something wants a cue spoken; false where that cannot be.
  @discardableResult
  mutating func speak(cue index: Int, at now: Instant) -> Bool {
    guard configuration.cues.indices.contains(index) else { return false }
    let request = Speech.Request(cue: index, client: configuration.cues[index].client)
    let client = client(request.client)
    if let speaker, speaker.name == client.name || !interrupts(client, speaker) {
      guard speech.waiting.count < Speech.mostWaiting else { return fail(request, .tooManyWaiting) }
      speech.waiting.append(request)
      return true
    }
    return begin(request, at: now)
  }

  /// The cue that waits longest has its turn.
  mutating func beginWaitingCues(at now: Instant) {
    while speech.current == nil, let next = speech.waiting.first {
      speech.waiting.removeFirst()
      _ = begin(next, at: now)
    }
  }

  /// Whether a cue of one client ends that of another at once.
  private func interrupts(_ client: SessionClient, _ speaker: SessionClient) -> Bool {
    // One that will be refused need not wait for that.
    guard let next = session(with: client) else { return true }
    return !next.interrupters(of: speaker).isEmpty
  }

  private mutating func begin(_ request: Speech.Request, at now: Instant) -> Bool {
    let client = client(request.client)
    if routes.route.port == nil { return fail(request, .noRoute) }
    if transport.outputLoss != nil { return fail(request, .noOutput) }
    if isMuted && client.category.obeysMute { return fail(request, .muted) }
    guard activate(client) else { return fail(request, .refused) }
    settleInterruptions(shouldResume: true, at: now)
    speech.begin(request)
    outbox.append(.setTimer(.cueLimit, now + Self.cueLimit))
    return true
  }

  private mutating func fail(_ request: Speech.Request, _ failure: CueFailure) -> Bool {
    log(.cueFailed, .warn, ["cue": configuration.cues[request.cue].name, "reason": failure.logged])
    return false
  }

  // MARK: - What the engine says

  mutating func clipStarted(_ clip: UInt8, at instant: Instant) {
    guard let request = speech.current, clip == speech.clip, speech.phase == .told else { return }
    speech.phase = .heard
    log(
      .cueStarted, .info,
      [
        "cue": configuration.cues[request.cue].name, "client": request.client, "route": routes.route.description,
        "at": instant.logStamp,
      ])
  }

  mutating func clipEnded(_ clip: UInt8) {
    guard speech.current != nil, clip == speech.clip, speech.phase != .due else { return }
    endCue(.cueEnded, .info, reason: nil)
  }

  mutating func clipFailed(_ clip: UInt8, reason: String) {
    guard speech.current != nil, clip == speech.clip, speech.phase != .due else { return }
    endCue(.cueFailed, .warn, reason: CueFailure.unplayable(reason).logged)
  }

  private mutating func endCue(_ name: EventName, _ level: Event.Level, reason: String?) {
    guard let request = speech.current else { return }
    speech.end()
    outbox.append(.cancelTimer(.cueLimit))
    log(name, level, ["cue": configuration.cues[request.cue].name, "reason": reason])
  }

  /// Stops the cue that speaks at once, and forgets those of its client that wait.
  mutating func cancelCue(_ ending: CueEnding) {
    guard let request = speech.current else { return }
    if speech.phase != .due && !speech.isHushed { outbox.append(.audio(.hush(edge: edgeInstant))) }
    endCue(.cueEnded, .info, reason: ending.rawValue)
    dropWaiting(of: request.client, ending)
  }

  /// Cues that wait and will not have their turn.
  private mutating func dropWaiting(of client: String? = nil, _ ending: CueEnding) {
    for request in speech.waiting where client == nil || request.client == client {
      _ = fail(request, .dropped(ending))
    }
    speech.waiting.removeAll { client == nil || $0.client == client }
  }

  /// Its port is gone: nothing of it may come out of another one (D7).
  mutating func silenceCues(_ ending: CueEnding) {
    cancelCue(ending)
    dropWaiting(ending)
  }

  /// A person wants silence; what a page says is not theirs to stop.
  mutating func stopCues() {
    if speech.current?.client == SessionClient.cue.name { cancelCue(.stopped) }
    dropWaiting(of: SessionClient.cue.name, .stopped)
  }

  // MARK: - Triggers

  /// Has the cues spoken that belong to the events that were just logged.
  mutating func speakOnEvents(at now: Instant) {
    for event in outbox.takeTriggers() {
      for (index, cue) in configuration.cues.enumerated() where cue.event == event { speak(cue: index, at: now) }
    }
  }
}
