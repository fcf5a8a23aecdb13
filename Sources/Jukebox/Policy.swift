import AudioSession

/// What the facts mean: where the findings of one part of the brain are passed to the others.
extension Jukebox {
  mutating func follow(_ facts: [ContactFact], _ turn: inout Turn) { for fact in facts { follow(fact, &turn) } }

  private mutating func follow(_ fact: ContactFact, _ turn: inout Turn) {
    switch fact {
    // R: plugs and routes
    case .moved(let instant): turn.edge = instant
    case .leaving(let line): vacate(line, &turn)
    case .bounced(let line, let edges):
      guard routes.port(sensedBy: line) != nil else { return }
      turn.log(.lineBounced, .info, ["line": line, "edges": String(edges), "frame": frame(at: turn.now)])
    case .plug(let isIn, let cause): plugged(isIn, cause, &turn)
    // I, S: who may sound
    case .client(let name, true, let cause): follow(sessions.begin(name, cause), &turn)
    case .client(let name, false, _): end(name, &turn)
    case .mute(let isMuted, let cause): follow(sessions.mute(isMuted, cause), &turn)
    case .silence(let isClosed, let backAfter): silence(isClosed, backAfter: backAfter, &turn)
    // T: what is chosen
    case .selected(let playlist):
      visited(by: .selector, &turn)
      contacts.forgetDelays()
      // Nothing follows what is heard at closing (H1.2).
      if hours.isEnding, player.transport.intent == .playing { return hours.awaitSelection() }
      _ = stayAwake(&turn)
      withPlayer(&turn) { $0.select(playlist: playlist, &$1) }
    case .token(let text, let reader, let isIgnored):
      visited(by: .token, &turn)
      read(text, on: reader, ignored: isIgnored ? .unplugged : nil, &turn)
    case .noToken(let text, let reader, let fault, let isEntered):
      if isEntered { visited(by: .token, &turn) }
      logUnknown(token: text, from: reader, fault, &turn)
    case .typed: touch(at: turn.now)
    // O: contacts with manners
    case .opened(let line): opened(line, &turn)
    case .overlong(let line): overlong(line, &turn)
    // J: coins
    case .coin(let line, let pulses): follow(coinOf: pulses, line, &turn)
    case .noCoin(let line, let reason): refuse(coinOf: line, reason, &turn)
    // K: keys
    case .stuck(let line, let edges): turn.log(.lineStuck, .warn, ["line": line, "edges": edges.map(String.init)])
    case .gesture(let gesture, let button, let line, let isIgnored):
      let canRepeat = perform(gesture, of: button, on: line, isIgnored: isIgnored, &turn)
      if gesture == .repeated && !canRepeat { lines.stopHolding(line) }
    }
  }

  private mutating func plugged(_ isIn: Bool, _ cause: LineCause, _ turn: inout Turn) {
    guard let port = routes.port(sensedBy: cause.line)?.port else { return }
    forgetRetries(of: port)
    if isIn { connected(port, cause, &turn) } else { disconnected(port, cause, &turn) }
  }

  /// A private port that was the route, or that the music is held for, is lost: what fingers were doing then was not meant
  /// for another (P1, Q2).
  mutating func overtakeContacts(at now: Instant) {
    lines.overtakePresses()
    readers.overtake()
    contacts.forgetDelays()
    knobs.overtake(.unplugged, at: now)
  }

  // MARK: - Buttons (K rows)

  /// Logs a gesture and does what it means; false when repeating it would change nothing more.
  private mutating func perform(
    _ gesture: Gesture, of button: Button, on line: LineID, isIgnored: Bool, _ turn: inout Turn
  ) -> Bool {
    let traits = button.traits
    var ignored: IgnoredPress? =
      isIgnored ? .unplugged : isClosed(to: traits.whenClosed) ? .closed : cardless(button)
    if gesture == .press && ignored == nil { ignored = self.ignored(pressOf: button, on: line, at: turn.now) }
    if gesture.isLogged {
      // A motion sensor sees whoever passes: it keeps nobody's visit from its end, and what it is ignored for begins none.
      let isSensor = configuration.lines[line.index].manners != nil
      if !isSensor || !visit.isUnderWay && ignored == nil { visited(by: .press, &turn) }
      turn.log(
        .buttonPressed, .info,
        [
          "button": traits.word, traits.word: button.choice?.name,
          "gesture": gesture == .press ? nil : gesture.rawValue,
          "line": configuration.lines[line.index].name, "ignored": ignored?.rawValue,
        ])
      if ignored == .closed { logRefusal(of: traits.client, &turn) }
    }
    if ignored != nil || gesture == .press && act(on: button, of: line, &turn) { return false }
    if traits.canStartSound { contacts.forgetDelays() }
    switch gesture {
    case .stuck: break
    case .held: perform(configuration.settings.playHeld, &turn)
    case .twice: perform(configuration.settings.playTwice, &turn)
    case .press, .repeated: return perform(button, &turn)
    }
    return false
  }

  private mutating func perform(_ button: Button, _ turn: inout Turn) -> Bool {
    if button != .sleep && stayAwake(&turn) && onlyWakes(button) { return false }
    switch button {
    case .play: play(&turn)
    case .stop: stop(&turn)
    case .next: withPlayer(&turn) { $0.next(&$1) }
    case .previous: withPlayer(&turn) { $0.previous(&$1) }
    case .record: record(&turn)
    case .cue: speak(named: configuration.settings.cueButton, &turn)
    case .pair: follow(headsets.pair(at: turn.now), &turn)
    case .sleep: pressedSleep(&turn)
    case .choose(let choice): choose(choice, &turn)
    case .volumeUp: return changeVolume(by: configuration.settings.volumeStep, &turn)
    case .volumeDown: return changeVolume(by: -configuration.settings.volumeStep, &turn)
    }
    return false
  }

  /// The first press of a gesture on Play has already toggled; whichever way, who skips wants to hear the result.
  private mutating func perform(_ action: Settings.GestureAction, _ turn: inout Turn) {
    switch action {
    case .nothing: break
    case .next: withPlayer(&turn) { $0.next(thenPlay: true, &$1) }
    case .previous: withPlayer(&turn) { $0.previous(thenPlay: true, &$1) }
    }
  }

  // MARK: - Headsets (B rows)

  mutating func follow(_ facts: [HeadsetFact], _ turn: inout Turn) {
    for fact in facts {
      turn.log(fact)
      switch fact {
      case .ask(let command): turn.append(.headset(command))
      case .askVolume(let port, let level): turn.append(.setHeadsetVolume(port, level: level))
      // `settleVolumes` turns it back.
      case .turned where hours.phase == .closed: break
      case .turned(let port, let volume):
        visited(by: .press, &turn)
        _ = stayAwake(&turn)
        let (old, new) = volumes.set(volume, for: port)
        if old != new { logVolume(of: port, from: old, cause: .headset, &turn) }
        touch(at: turn.now)
      case .pairingOpened, .pairingClosed, .paired, .pairingFailed, .refused, .removed, .called: break
      }
    }
  }

  /// Nothing is played over Bluetooth.
  var mayDisturbRadio: Bool {
    guard isOn, player.engine.isSounding || cues.isCommanded else { return isOn }
    return !(routes.others + [routes.route.port].compactMap(\.self)).contains {
      routes.setup(of: $0)?.isWireless == true
    }
  }

  /// The wireless ports whose line says that no headset is there.
  var freeWirelessPorts: [OutputPort] {
    routes.ports.filter { port in
      guard port.isWireless, case .line(let line) = port.sense else { return false }
      return !lines.isAsserted(line)
    }
  }

  // MARK: - Tokens (T rows)

  /// Somebody has chosen something by a token.
  /// - Parameter ignored: why it does nothing, whatever it names.
  mutating func read(_ token: String, on reader: String, ignored: IgnoredPress?, _ turn: inout Turn) {
    guard let choice = configuration.settings.choice(of: token) else {
      return logUnknown(token: token, from: reader, .unknown, mayTrigger: ignored == nil, &turn)
    }
    let lifted = laidCards.has(reader) ? takeLifted(for: choice) : nil
    let isCard = laidCards.has(reader) && choice.isMusic
    let isElsewhere = isCard && isElsewhere(lifted)
    // It is silent here (L8), or answers the prompt, which brings no sound either (T7).
    if isElsewhere || isCard && player.transport.isPromptShown { heardAt = nil }
    let ignored = ignored ?? (isClosed(to: choice.whenClosed) ? .closed : isElsewhere ? .unplugged : nil)
    turn.log(
      .tokenRead, .info,
      ["reader": reader, "token": token, choice.word: choice.name, "ignored": ignored?.rawValue])
    if ignored == .closed { logRefusal(of: choice.client, &turn) }
    if ignored != nil { return }
    let wasFading = stayAwake(&turn)
    contacts.forgetDelays()
    if goesOn(token, lifted, at: turn.now) {
      return withPlayer(&turn) { [selection] in $0.start(selected: selection, &$1) }
    }
    if (wasFading || laidCards.has(reader)) && playsAlready(choice) { return }
    choose(choice, byCard: laidCards.has(reader), &turn)
  }

  /// - Parameter byCard: by one that lies on a reader.
  private mutating func choose(_ choice: Choice, byCard: Bool = false, _ turn: inout Turn) {
    switch choice {
    case .track(let name): withPlayer(&turn) { $0.choose(name, &$1) }
    case .playlist(let name): withPlayer(&turn) { $0.choose(playlist: name, &$1) }
    case .popular(let place): choose(popular: place, byCard: byCard, &turn)
    case .cue(let name): speak(named: name, &turn)
    case .hours(let order): obey(order, &turn)
    }
  }

  private func logUnknown(
    token: String, from reader: String, _ fault: TokenFault, mayTrigger: Bool = true, _ turn: inout Turn
  ) {
    turn.object(fault.rawValue)
    turn.log(
      .tokenUnknown, .warn, ["reader": reader, "token": token, "reason": fault.rawValue],
      mayTrigger: mayTrigger && fault.mayTrigger)
  }
}
