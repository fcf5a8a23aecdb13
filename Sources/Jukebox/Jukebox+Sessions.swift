import AudioSession

/// Who may sound, and what holds the music back while somebody else does (I and S rows).
/// Changes: `transport`, `session`, `interrupters`.
extension Jukebox {
  /// A client by name: as the settings have it, else as every kiosk has it, else like a page.
  func client(_ name: String) -> SessionClient {
    var client =
      configuration.clients.first { $0.name == name }
      ?? SessionClient.own.first { $0.name == name } ?? .page
    client.name = name
    // The category that was changed since power on.
    if name == SessionClient.music.name { client.category = routes.category }
    return client
  }

  var music: SessionClient { client(SessionClient.music.name) }

  /// Interrupters that can stand at once: the music, the recorder and whose cue is spoken always find a place.
  private static let mostStanding = SessionArbiter.mostClients - 4

  /// Who or what keeps a client from sounding: stronger ones, the mute line, or that it lacks the input that it needs.
  func interrupters(of client: SessionClient) -> [Interruption.Source] {
    var sources = session.interrupters(of: client).map { Interruption.Source.client($0.name) }
    if interrupters.isMuted && client.category.obeysMute { sources.append(.mute) }
    if client.category == .playAndRecord && configuration.input == nil { sources.append(.noInput) }
    return sources
  }

  /// The session as it would be with a client; nil where that would be refused. Logs nothing.
  func session(with client: SessionClient) -> SessionArbiter? {
    var next = session
    do {
      try next.activate(client, hasInput: configuration.input != nil)
      return next
    } catch {
      return nil
    }
  }

  private func mayActivate(_ client: SessionClient) -> Bool { session(with: client) != nil }

  /// Activates a client, and logs that or the refusal.
  mutating func activate(_ client: SessionClient) -> Bool {
    let wasActive = session.isActive(client.name)
    do {
      try session.activate(client, hasInput: configuration.input != nil)
    } catch {
      switch error {
      case .held(let name): logRefusal(of: client.name, .held(by: name))
      case .noInput: logRefusal(of: client.name, .noInput)
      case .tooMany: logRefusal(of: client.name, .tooManyClients)
      }
      return false
    }
    if !wasActive {
      log(
        .sessionActivated, .info,
        ["client": client.name, "category": client.category.rawValue, "priority": String(client.priority)])
    }
    return true
  }

  private mutating func logRefusal(of name: String, _ reason: RefusalReason) {
    log(.sessionRefused, .notice, ["client": name, "reason": reason.logged, "by": reason.holder])
  }

  /// Makes a client inactive and stops its sound (S8, S9).
  mutating func deactivate(_ name: String, shouldResume: Bool? = nil, at now: Instant) {
    let isSpeaking = speech.current?.client == name
    guard let done = session.deactivate(name, isSounding: isSpeaking, shouldResume: shouldResume) else { return }
    if isSpeaking { cancelCue(.sessionEnded) }
    log(.sessionDeactivated, .info, ["client": name, "busy": done.isBusy ? "true" : nil])
    settleInterruptions(shouldResume: done.shouldResume, at: now)
    serveRefusedContacts(at: now)
  }

  /// A contact that is still closed gets what it was refused.
  private mutating func serveRefusedContacts(at now: Instant) {
    for name in interrupters.refused.sorted() where mayActivate(client(name)) { begin(name, nil, at: now) }
  }

  /// The music has another category: what it meant for the others, and they for it (S1, S2).
  mutating func settleCategory(at now: Instant) {
    session.update(music)
    settleInterruptions(shouldResume: true, at: now)
    serveRefusedContacts(at: now)
  }

  // MARK: - Interrupters

  /// A contact, the console or a scenario begins an interruption. Returns false where it is refused, which is logged.
  @discardableResult
  mutating func begin(_ name: String, _ cause: LineCause?, at now: Instant) -> Bool {
    let isContact = cause != nil || interrupters.refused.contains(name)
    // One that is active already stays so, even while a stronger one would refuse it.
    let isThere = session.isActive(name) && !mayActivate(client(name))
    guard isThere || hasRoom(for: name) && activate(client(name)) else {
      if isContact { interrupters.refuse(name) }
      return false
    }
    interrupters.begin(name)
    settleInterruptions(cause, shouldResume: true, at: now)
    return true
  }

  private mutating func hasRoom(for name: String) -> Bool {
    if interrupters.standing.contains(name) || interrupters.standing.count < Self.mostStanding { return true }
    logRefusal(of: name, .tooManyClients)
    return false
  }

  /// - Parameter shouldResume: nil: as the client's options say.
  mutating func end(_ name: String, shouldResume: Bool? = nil, at now: Instant) {
    interrupters.end(name)
    deactivate(name, shouldResume: shouldResume, at: now)
  }

  mutating func setMute(_ isOn: Bool, _ cause: LineCause?, at now: Instant) {
    interrupters.mute(isOn)
    settleInterruptions(cause, shouldResume: true, at: now)
  }

  // MARK: - What it means for the others

  /// After every change of who is active: begins and ends what holds the music, and stops cues and recordings that may
  /// not go on.
  mutating func settleInterruptions(_ cause: LineCause? = nil, shouldResume: Bool, at now: Instant) {
    let sources = interrupters(of: music)
    for source in sources where !transport.interruptions.contains(where: { $0.source == source }) {
      beginInterruption(by: source, cause, at: now)
    }
    for gone in transport.interruptions where !sources.contains(gone.source) {
      endInterruption(gone, shouldResume: shouldResume, at: now)
    }
    if let speaker, !interrupters(of: speaker).isEmpty { cancelCue(.interrupted) }
    if !session.interrupters(of: client(SessionClient.recorder.name)).isEmpty {
      stopRecording(.interruption)
    }
  }

  private mutating func beginInterruption(by source: Interruption.Source, _ cause: LineCause?, at now: Instant) {
    log(
      .interruptionBegan, .info,
      ["reason": source.word, "line": cause?.line, "edge": cause?.edge.logStamp, "frame": frame(at: now)])
    let frame = playhead.frame(at: now, rate: configuration.rate)
    var isSpoken = false
    if case .client(let name) = source {
      isSpoken = !interrupters.standing.contains(name) && configuration.cues.contains { $0.client == name }
    }
    transport.interruptions.append(
      Interruption(source: source, hold: Hold(since: now, frame: frame), isSpoken: isSpoken))
    logPlayback(.paused(.interruption), at: now)
  }

  private mutating func endInterruption(_ gone: Interruption, shouldResume: Bool, at now: Instant) {
    transport.interruptions.removeAll { $0.source == gone.source }
    let fields: KeyValuePairs<String, String?> = [
      "reason": gone.source.word, "resume": shouldResume ? "true" : "false", "spoken": gone.isSpoken ? "true" : nil,
    ]
    log(.interruptionEnded, .info, fields, mayTrigger: !gone.isSpoken)
    if !shouldResume { pauseForGood(at: now) }
    guard transport.intent == .playing else { return }
    if transport.isAudible { claimIfWanted(at: now) }
    logPlayback(.freed(.interruptionEnded), at: now)
  }

  /// What was only held is paused from now on (I3, I9): neither the end of a hold nor a plug resumes it.
  private mutating func pauseForGood(at now: Instant) {
    guard transport.intent == .playing else { return }
    transport.intent = .paused
    resolveLoss(answer: .interruption)
  }

  /// An interruption has lasted too long to go on by itself afterwards (I9).
  mutating func limitInterruption(at now: Instant) {
    guard transport.intent == .playing, transport.isInterrupted else { return }
    pauseForGood(at: now)
    logPlayback(.paused(.interruptionLimit), at: now)
  }

  // MARK: - Who needs the session

  /// Cues that waited have their turn, whoever needs the session no more gives it back, and the music takes it as soon
  /// as somebody wants music.
  mutating func settleClients(at now: Instant) {
    guard isOn else { return }
    beginWaitingCues(at: now)
    for client in session.active where !isNeeded(client.name) { deactivate(client.name, at: now) }
    claimIfWanted(at: now)
  }

  private mutating func claimIfWanted(at now: Instant) {
    if transport.intent == .playing && !session.isActive(SessionClient.music.name)
      && session.interrupters(of: music).isEmpty && mayActivate(music)
    {
      claimSession(at: now)
    }
  }

  private func isNeeded(_ name: String) -> Bool {
    switch name {
    case SessionClient.music.name: transport.intent == .playing
    case SessionClient.recorder.name: recording.phase != .idle
    default:
      interrupters.standing.contains(name) || speech.current?.client == name
        || speech.waiting.contains { $0.client == name }
    }
  }

  /// Music is wanted: it is tried at once, whoever holds the session (I6, S7). Where the music has the session and is
  /// not heard all the same, the log says what holds it back.
  mutating func claimSession(at now: Instant) {
    guard activate(music) else { return }
    settleInterruptions(shouldResume: true, at: now)
    var reason = transport.interruptions.last.map { RefusalReason.interrupted($0.source) }
    if transport.storageLoss != nil { reason = .hold(.storageUnavailable) }
    if transport.outputLoss != nil { reason = .hold(.outputUnavailable) }
    if transport.unsuited != nil { reason = .hold(.noSuitableRoute) }
    if let reason { logRefusal(of: SessionClient.music.name, reason) }
  }
}
