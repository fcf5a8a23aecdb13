import AudioSession

/// Cues over the music, or instead of it (D rows).
/// Changes: `speech`, `dailyCues`.
extension Jukebox {
  /// No cue speaks for longer, and nobody ducks for longer (D5).
  static let cueLimit = Duration.seconds(60)

  var speaker: SessionClient? { speech.current.map { client($0.client) } }

  /// Speaks a cue by its name; the settings may name one for the button that does not exist. Returns false where it cannot
  /// be spoken.
  @discardableResult
  mutating func speak(named name: String, _ turn: inout Turn) -> Bool {
    guard let index = FileName.index(meantBy: name, of: configuration.cues.map(\.name)) else {
      turn.log(.cueFailed, .warn, ["cue": name, "reason": CueFailure.unknown.logged])
      return false
    }
    return speak(cue: index, &turn)
  }

  /// Speaks a cue, now or once the one before has ended. Returns false where it cannot be spoken.
  @discardableResult
  mutating func speak(cue index: Int, on date: CalendarDay? = nil, _ turn: inout Turn) -> Bool {
    guard configuration.cues.indices.contains(index) else { return false }
    let request = Speech.Request(cue: index, client: configuration.cues[index].client, date: date)
    let client = client(request.client)
    if let speaker, speaker.name == client.name || !interrupts(client, speaker) {
      guard !speech.isFull else { return fail(request, .tooManyWaiting, &turn) }
      speech.wait(request)
      return true
    }
    return begin(request, &turn)
  }

  /// The time of a cue has come. After a restart that may be the second time on this date: only what the restart has cut
  /// off is spoken again (N6).
  mutating func speak(scheduled index: Int, on date: CalendarDay, _ turn: inout Turn) {
    guard configuration.cues.indices.contains(index) else { return }
    if dailyCues.isDone(configuration.cues[index], on: date) { return }
    speak(cue: index, on: date, &turn)
  }

  /// Its time has come by a clock that may show any other: it is not spoken.
  mutating func miss(cue index: Int, _ turn: inout Turn) {
    guard configuration.cues.indices.contains(index) else { return }
    _ = fail(Speech.Request(cue: index, client: configuration.cues[index].client), .clockUnknown, &turn)
  }

  /// Begins the cue that has waited longest, unless one is spoken.
  mutating func beginWaitingCues(_ turn: inout Turn) {
    while let next = speech.takeNext() { _ = begin(next, &turn) }
  }

  /// Whether a cue of one client ends that of another at once.
  private func interrupts(_ client: SessionClient, _ speaker: SessionClient) -> Bool {
    // One that will be refused need not wait for that.
    guard let next = session(with: client) else { return true }
    return !next.interrupters(of: speaker).isEmpty
  }

  private mutating func begin(_ request: Speech.Request, _ turn: inout Turn) -> Bool {
    let client = client(request.client)
    if routes.route.port == nil { return fail(request, .noRoute, &turn) }
    if transport.outputLoss != nil { return fail(request, .noOutput, &turn) }
    if interrupters.isMuted && client.category.obeysMute { return fail(request, .muted, &turn) }
    guard activate(client, &turn) else { return fail(request, .refused, &turn) }
    settleInterruptions(shouldResume: true, &turn)
    speech.begin(request, until: turn.now + Self.cueLimit)
    return true
  }

  private mutating func fail(_ request: Speech.Request, _ failure: CueFailure, _ turn: inout Turn) -> Bool {
    if failure != .dropped(.shutdown) { noteDone(request) }
    turn.log(.cueFailed, .warn, ["cue": configuration.cues[request.cue].name, "reason": failure.logged])
    return false
  }

  // MARK: - What the engine reports

  mutating func clipStarted(_ clip: UInt8, at instant: Instant, _ turn: inout Turn) {
    guard let request = speech.current, clip == speech.clip, speech.phase == .told else { return }
    speech.started()
    turn.log(
      .cueStarted, .info,
      [
        "cue": configuration.cues[request.cue].name, "client": request.client, "route": routes.route.description,
        "at": instant.logStamp,
      ])
  }

  mutating func clipEnded(_ clip: UInt8, _ turn: inout Turn) {
    guard speech.current != nil, clip == speech.clip, speech.phase != .due else { return }
    noteDone(speech.current)
    endCue(.cueEnded, .info, reason: nil, &turn)
  }

  mutating func clipFailed(_ clip: UInt8, reason: String, _ turn: inout Turn) {
    guard speech.current != nil, clip == speech.clip, speech.phase != .due else { return }
    noteDone(speech.current)
    endCue(.cueFailed, .warn, reason: CueFailure.unplayable(reason).logged, &turn)
  }

  /// The time of day that asked for it asks no more on that date.
  private mutating func noteDone(_ request: Speech.Request?) {
    if let request, let date = request.date { dailyCues.note(configuration.cues[request.cue], on: date) }
  }

  private mutating func endCue(_ name: EventName, _ level: Event.Level, reason: String?, _ turn: inout Turn) {
    guard let request = speech.current else { return }
    speech.end()
    turn.log(name, level, ["cue": configuration.cues[request.cue].name, "reason": reason])
  }

  /// Stops the current cue at once, and drops those of its client that wait.
  mutating func cancelCue(_ ending: CueEnding, _ turn: inout Turn) {
    guard let request = speech.current else { return }
    if isClipCommanded { turn.append(.audio(.pauseClip(edge: turn.edge))) }
    if ending != .shutdown { noteDone(request) }
    endCue(.cueEnded, .info, reason: ending.rawValue, &turn)
    dropWaiting(of: request.client, ending, &turn)
  }

  /// Drops the cues that wait: those of a client, or all.
  private mutating func dropWaiting(of client: String? = nil, _ ending: CueEnding, _ turn: inout Turn) {
    for request in speech.drop(of: client) { _ = fail(request, .dropped(ending), &turn) }
  }

  /// Ends all cues, as their port or output is gone: nothing of them may come out of another one (D7).
  mutating func silenceCues(_ ending: CueEnding, _ turn: inout Turn) {
    cancelCue(ending, &turn)
    dropWaiting(ending, &turn)
  }

  /// The operator wants silence. A page is not theirs to stop.
  mutating func stopCues(_ turn: inout Turn) {
    if speech.current?.client == SessionClient.cue.name { cancelCue(.stopped, &turn) }
    dropWaiting(of: SessionClient.cue.name, .stopped, &turn)
  }

  // MARK: - Triggers

  /// Has the cues spoken that belong to the events that were just logged.
  mutating func speakOnEvents(_ turn: inout Turn) {
    for event in turn.takeTriggers() {
      for (index, cue) in configuration.cues.enumerated() where cue.event == event { speak(cue: index, &turn) }
    }
  }
}
