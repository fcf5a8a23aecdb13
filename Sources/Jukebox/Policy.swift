import AudioSession

/// What the facts mean: where what one part of the brain has found is told to the others.
/// Changes: `lines`, `readers`, `edgeInstant`.
extension Jukebox {
  mutating func follow(_ facts: [ContactFact], at now: Instant) { for fact in facts { follow(fact, at: now) } }

  private mutating func follow(_ fact: ContactFact, at now: Instant) {
    switch fact {
    // R: plugs and routes
    case .moved(let instant): edgeInstant = instant
    case .leaving(let line): vacate(line)
    case .bounced(let line, let edges):
      guard routes.port(sensedBy: line) != nil else { return }
      log(.lineBounced, .info, ["line": line, "edges": String(edges), "frame": frame(at: now)])
    case .plug(let isIn, let cause): plugged(isIn, cause, at: now)
    // I, S: who may sound
    case .client(let name, true, let cause): begin(name, cause, at: now)
    case .client(let name, false, _): end(name, at: now)
    case .mute(let isMuted, let cause): setMute(isMuted, cause, at: now)
    // T: what is chosen
    case .selected(let playlist):
      visited(by: .selector, at: now)
      select(playlist: playlist, at: now)
    case .token(let text, let reader, let isIgnored):
      visited(by: .token, at: now)
      read(text, on: reader, isIgnored: isIgnored, at: now)
    case .noToken(let text, let reader, let fault, let isEntered):
      if isEntered { visited(by: .token, at: now) }
      logUnknown(token: text, from: reader, fault)
    case .typed: touch(at: now)
    // K: keys
    case .stuck(let line, let edges): log(.lineStuck, .warn, ["line": line, "edges": edges.map(String.init)])
    case .gesture(let gesture, let button, let line, let isIgnored):
      let canRepeat = perform(gesture, of: button, on: line, isIgnored: isIgnored, at: now)
      if gesture == .repeated && !canRepeat { lines.stopHolding(line) }
    }
  }

  private mutating func plugged(_ isIn: Bool, _ cause: LineCause, at now: Instant) {
    guard let port = routes.port(sensedBy: cause.line)?.port else { return }
    forgetRetries(of: port)
    if isIn { connected(port, cause, at: now) } else { disconnected(port, cause, at: now) }
  }

  /// A private port that was the route, or that the music is held for, is lost: what fingers were doing then was not meant
  /// for another (P1, Q2).
  mutating func overtakeContacts() {
    lines.overtakePresses()
    readers.overtake()
  }

  // MARK: - Buttons (K rows)

  /// Logs a gesture and does what it means; false when repeating it would change nothing any more.
  private mutating func perform(
    _ gesture: Gesture, of button: Button, on line: LineID, isIgnored: Bool, at now: Instant
  ) -> Bool {
    if gesture.isLogged {
      visited(by: .press, at: now)
      log(
        .buttonPressed, .info,
        [
          "button": button.word, button.word: button.choice, "gesture": gesture == .press ? nil : gesture.rawValue,
          "line": configuration.lines[line.index].name, "ignored": isIgnored ? IgnoredPress.unplugged.rawValue : nil,
        ])
    }
    if isIgnored { return false }
    switch gesture {
    case .stuck: break
    case .held: perform(configuration.settings.playHeld, at: now)
    case .twice: perform(configuration.settings.playTwice, at: now)
    case .press, .repeated: return perform(button, at: now)
    }
    return false
  }

  private mutating func perform(_ button: Button, at now: Instant) -> Bool {
    switch button {
    case .play: play(at: now)
    case .stop: stop(at: now)
    case .next: next(at: now)
    case .previous: previous(at: now)
    case .record: record(at: now)
    case .cue: speak(named: configuration.settings.cueButton, at: now)
    case .pair: pair(at: now)
    case .track(let name): choose(name, at: now)
    case .playlist(let name): choose(playlist: name, at: now)
    case .volumeUp: return changeVolume(by: configuration.settings.volumeStep)
    case .volumeDown: return changeVolume(by: -configuration.settings.volumeStep)
    }
    return false
  }

  /// The first press of a gesture on Play has already toggled; whichever way, who skips wants to hear the result.
  private mutating func perform(_ action: Settings.GestureAction, at now: Instant) {
    switch action {
    case .nothing: break
    case .next: next(at: now, thenPlay: true)
    case .previous: previous(at: now, thenPlay: true)
    }
  }

  // MARK: - Tokens (T rows)

  private mutating func read(_ token: String, on reader: String, isIgnored: Bool, at now: Instant) {
    guard let choice = configuration.settings.choice(of: token) else {
      return logUnknown(token: token, from: reader, .unknown)
    }
    log(
      .tokenRead, .info,
      [
        "reader": reader, "token": token, choice.word: choice.name,
        "ignored": isIgnored ? IgnoredPress.unplugged.rawValue : nil,
      ])
    if isIgnored { return }
    switch choice {
    case .track(let name): choose(name, at: now)
    case .playlist(let name): choose(playlist: name, at: now)
    case .cue(let name): speak(named: name, at: now)
    }
  }

  private mutating func logUnknown(token: String, from reader: String, _ fault: TokenFault) {
    log(
      .tokenUnknown, .warn, ["reader": reader, "token": token, "reason": fault.rawValue], mayTrigger: fault.mayTrigger)
  }
}
