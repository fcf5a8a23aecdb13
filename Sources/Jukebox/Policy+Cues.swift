import AudioSession

/// Which cue is spoken when, and what keeps it from being spoken (D rows).
extension Jukebox {
  func follow(_ facts: [CueFact], _ turn: inout Turn) { for fact in facts { follow(fact, &turn) } }

  func follow(_ fact: CueFact?, _ turn: inout Turn) {
    guard let fact else { return }
    if case .silenced = fact { turn.append(.audio(.pauseCue(edge: turn.edge))) }
    turn.log(fact, at: routes.route)
  }

  /// Speaks a cue by its name; the settings may name one for the button that does not exist.
  ///
  /// - Parameter contact: the line of the contact with manners that asks for it.
  mutating func speak(named name: String, for contact: LineID? = nil, _ turn: inout Turn) {
    guard var request = cues.request(meantBy: name) else { return follow(.failed(cue: name, .unknown), &turn) }
    request.contact = contact
    speak(request, &turn)
  }

  /// Speaks a cue, now or once the one before has ended.
  private mutating func speak(_ request: Speech.Request, _ turn: inout Turn) {
    if cues.isMissing(request) { return follow(cues.fail(request, .unknown), &turn) }
    let client = sessions.client(request.client)
    if let speaker = cues.speaker, sessions.mustWait(client, for: sessions.client(speaker)) {
      return follow(cues.wait(request), &turn)
    }
    begin(request, client, &turn)
  }

  /// The time of a cue has come. After a restart that may be the second time on this date: only what the restart has cut
  /// off is spoken again (N6).
  mutating func speak(_ name: String, at moment: TimetableMoment, _ turn: inout Turn) {
    guard let request = cues.request(meantBy: name, at: moment) else {
      return follow(.failed(cue: name, .unknown), &turn)
    }
    if !cues.isDone(request) { speak(request, &turn) }
  }

  /// Its time has come by a clock that may show any other: it is not spoken.
  mutating func missCue(_ name: String, _ turn: inout Turn) {
    if let request = cues.request(meantBy: name) { follow(cues.fail(request, .clockUnknown), &turn) }
  }

  /// Begins the cue that has waited longest, unless one is spoken.
  mutating func beginWaitingCues(_ turn: inout Turn) {
    while let next = cues.takeNext() {
      if isElsewhere(next) {
        follow(cues.fail(next, .dropped(.routeLost)), &turn)
      } else {
        begin(next, sessions.client(next.client), &turn)
      }
    }
  }

  private mutating func begin(_ request: Speech.Request, _ client: SessionClient, _ turn: inout Turn) {
    if let failure = whySilent(client) ?? (activate(client, &turn) ? nil : .refused) {
      return follow(cues.fail(request, failure), &turn)
    }
    settleInterruptions(shouldResume: true, &turn)
    cues.begin(request, at: turn.now)
  }

  /// Why nothing of a client could be heard now; nil: it could.
  private func whySilent(_ client: SessionClient) -> CueFailure? {
    if isClosed(to: client) { return .closed }
    if routes.route.port == nil { return .noRoute }
    if player.transport.outputLoss != nil { return .noOutput }
    return sessions.silences(client) ? .muted : nil
  }

  /// Has the cues spoken that belong to the events that were just logged.
  mutating func speakOnEvents(_ turn: inout Turn) {
    for event in turn.takeTriggers() {
      for request in cues.requests(triggeredBy: event) { speak(request, &turn) }
    }
  }
}
