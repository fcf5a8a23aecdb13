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
  mutating func activate(_ client: SessionClient, _ turn: inout Turn) -> Bool {
    let wasActive = session.isActive(client.name)
    do {
      try session.activate(client, hasInput: configuration.input != nil)
    } catch {
      switch error {
      case .held(let name): logRefusal(of: client.name, .held(by: name), &turn)
      case .noInput: logRefusal(of: client.name, .noInput, &turn)
      case .tooMany: logRefusal(of: client.name, .tooManyClients, &turn)
      }
      return false
    }
    if !wasActive {
      turn.log(
        .sessionActivated, .info,
        ["client": client.name, "category": client.category.rawValue, "priority": String(client.priority)])
    }
    return true
  }

  private mutating func logRefusal(of name: String, _ reason: RefusalReason, _ turn: inout Turn) {
    turn.log(.sessionRefused, .notice, ["client": name, "reason": reason.logged, "by": reason.holder])
  }

  /// Makes a client inactive and stops its sound (S8, S9).
  mutating func deactivate(_ name: String, shouldResume: Bool? = nil, _ turn: inout Turn) {
    let isSpeaking = speech.current?.client == name
    guard let done = session.deactivate(name, isSounding: isSpeaking, shouldResume: shouldResume) else { return }
    if isSpeaking { cancelCue(.sessionEnded, &turn) }
    turn.log(.sessionDeactivated, .info, ["client": name, "busy": done.isBusy ? "true" : nil])
    settleInterruptions(shouldResume: done.shouldResume, &turn)
    serveRefusedContacts(&turn)
  }

  /// A contact that is still closed gets what it was refused.
  private mutating func serveRefusedContacts(_ turn: inout Turn) {
    for name in interrupters.refused.sorted() where mayActivate(client(name)) { begin(name, nil, &turn) }
  }

  /// The music has another category: what it meant for the others, and they for it (S1, S2).
  mutating func settleCategory(_ turn: inout Turn) {
    session.update(music)
    settleInterruptions(shouldResume: true, &turn)
    serveRefusedContacts(&turn)
  }

  // MARK: - Interrupters

  /// A contact, the console or a scenario begins an interruption. Returns false where it is refused, which is logged.
  @discardableResult
  mutating func begin(_ name: String, _ cause: LineCause?, _ turn: inout Turn) -> Bool {
    let isContact = cause != nil || interrupters.refused.contains(name)
    // One that is active already stays so, even while a stronger one would refuse it.
    let isThere = session.isActive(name) && !mayActivate(client(name))
    guard isThere || hasRoom(for: name, &turn) && activate(client(name), &turn) else {
      if isContact { interrupters.refuse(name) }
      return false
    }
    interrupters.begin(name)
    settleInterruptions(by: cause, shouldResume: true, &turn)
    return true
  }

  private mutating func hasRoom(for name: String, _ turn: inout Turn) -> Bool {
    if interrupters.standing.contains(name) || interrupters.standing.count < Self.mostStanding { return true }
    logRefusal(of: name, .tooManyClients, &turn)
    return false
  }

  /// - Parameter shouldResume: nil: as the client's options say.
  mutating func end(_ name: String, shouldResume: Bool? = nil, _ turn: inout Turn) {
    interrupters.end(name)
    deactivate(name, shouldResume: shouldResume, &turn)
  }

  mutating func setMute(_ isOn: Bool, _ cause: LineCause?, _ turn: inout Turn) {
    interrupters.mute(isOn)
    settleInterruptions(by: cause, shouldResume: true, &turn)
  }

  // MARK: - What it means for the others

  /// After every change of who is active: begins and ends what holds the music, and stops cues and recordings that may
  /// not go on.
  mutating func settleInterruptions(by cause: LineCause? = nil, shouldResume: Bool, _ turn: inout Turn) {
    let sources = interrupters(of: music)
    for source in sources where !transport.interruptions.contains(where: { $0.source == source }) {
      beginInterruption(by: source, cause, &turn)
    }
    for gone in transport.interruptions where !sources.contains(gone.source) {
      endInterruption(gone, shouldResume: shouldResume, &turn)
    }
    if let speaker, !interrupters(of: speaker).isEmpty { cancelCue(.interrupted, &turn) }
    if !session.interrupters(of: client(SessionClient.recorder.name)).isEmpty {
      stopRecording(.interruption, &turn)
    }
  }

  private mutating func beginInterruption(by source: Interruption.Source, _ cause: LineCause?, _ turn: inout Turn) {
    turn.log(
      .interruptionBegan, .info,
      ["reason": source.word, "line": cause?.line, "edge": cause?.edge.logStamp, "frame": frame(at: turn.now)])
    let frame = playhead.frame(at: turn.now, rate: configuration.rate)
    var isSpoken = false
    if case .client(let name) = source {
      isSpoken = !interrupters.standing.contains(name) && configuration.cues.contains { $0.client == name }
    }
    transport.interruptions.append(
      Interruption(source: source, hold: Hold(since: turn.now, frame: frame), isSpoken: isSpoken))
    logPlayback(after: .paused(.interruption), &turn)
  }

  private mutating func endInterruption(_ gone: Interruption, shouldResume: Bool, _ turn: inout Turn) {
    transport.interruptions.removeAll { $0.source == gone.source }
    let fields: KeyValuePairs<String, String?> = [
      "reason": gone.source.word, "resume": shouldResume ? "true" : "false", "spoken": gone.isSpoken ? "true" : nil,
    ]
    turn.log(.interruptionEnded, .info, fields, mayTrigger: !gone.isSpoken)
    if !shouldResume { pauseForGood(&turn) }
    guard transport.intent == .playing else { return }
    if transport.isAudible { claimIfWanted(&turn) }
    logPlayback(after: .freed(.interruptionEnded), &turn)
  }

  /// What was only held is paused from now on (I3, I9): neither the end of a hold nor a plug resumes it.
  private mutating func pauseForGood(_ turn: inout Turn) {
    guard transport.intent == .playing else { return }
    transport.intent = .paused
    resolveLoss(answer: .interruption, &turn)
  }

  /// An interruption has lasted too long to go on by itself afterwards (I9).
  mutating func limitInterruption(_ turn: inout Turn) {
    guard transport.intent == .playing, transport.isInterrupted else { return }
    pauseForGood(&turn)
    logPlayback(after: .paused(.interruptionLimit), &turn)
  }

  // MARK: - Who needs the session

  /// Cues that waited have their turn, whoever needs the session no more gives it back, and the music takes it as soon
  /// as somebody wants music.
  mutating func settleClients(_ turn: inout Turn) {
    guard isOn else { return }
    beginWaitingCues(&turn)
    for client in session.active where !isNeeded(client.name) { deactivate(client.name, &turn) }
    claimIfWanted(&turn)
  }

  private mutating func claimIfWanted(_ turn: inout Turn) {
    if transport.intent == .playing && !session.isActive(SessionClient.music.name)
      && session.interrupters(of: music).isEmpty && mayActivate(music)
    {
      claimSession(&turn)
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
  mutating func claimSession(_ turn: inout Turn) {
    guard activate(music, &turn) else { return }
    settleInterruptions(shouldResume: true, &turn)
    var reason = transport.interruptions.last.map { RefusalReason.interrupted($0.source) }
    if transport.storageLoss != nil { reason = .hold(.storageUnavailable) }
    if transport.outputLoss != nil { reason = .hold(.outputUnavailable) }
    if transport.unsuited != nil { reason = .hold(.noSuitableRoute) }
    if let reason { logRefusal(of: SessionClient.music.name, reason, &turn) }
  }
}
