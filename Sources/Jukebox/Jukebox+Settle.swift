import AudioSession

/// Brings engine, amplifier, recorder, timers and lamp in line with what is wanted, after every input.
extension Jukebox {
  /// More than any input needs: each round but the last begins a cue, ends a cue, or ends a client's session.
  private static let mostRounds = Speech.mostWaiting + 4

  mutating func settle(_ turn: inout Turn) {
    let wasDoubted = player.transport.doubt != nil
    settleDoubt(at: turn.edge ?? turn.now)
    if !wasDoubted && player.transport.doubt != nil { hastenFades(&turn) }
    withPlayer(&turn) { $0.settlePlace(&$1) }
    var before: Int
    var rounds = 0
    // What is logged may have a cue spoken, and that is logged in turn.
    repeat {
      rounds += 1
      before = turn.effects.count
      logOvertaken(&turn)
      speakOnEvents(&turn)
      settleClients(&turn)
      settleVisit(&turn)
      settleSleep(&turn)
      // With the hold of a visit that has ended goes what kept another plug from being in doubt.
      settleDoubt(at: turn.edge ?? turn.now)
      settleContacts(&turn)
      settleHours(&turn)
      settleTimetable(&turn)
      settleFreePlay(&turn)
      settleAttraction(&turn)
      withPlayer(&turn) { $0.settleRequests(&$1) }
      settleQuiet(&turn)
      // Before the route, so that a headset has its volume before its first frame.
      follow(headsets.settleVolumes(volumes, at: turn.now), &turn)
      settleSound(&turn)
    } while before < turn.effects.count && rounds < Self.mostRounds
    assert(before == turn.effects.count, "the effects of an input have no end")
    follow(
      headsets.settleRadio(mayDisturb: mayDisturbRadio, free: freeWirelessPorts, at: turn.now), &turn)
    settleCards()
    settleLimit(&turn)
    player.settleCounting(at: turn.now)
    health.noteSound(player.engine.isSounding, at: turn.now)
    settleSaving(&turn)
    settleLamp(&turn)
    settleSignals(&turn)
    settleCoinInhibits(&turn)
    let write = accounts.takeWrite(at: turn.now)
    settleDeadlines(&turn)
    // Behind all else: an answer that comes at once must find all of it done.
    if let write { turn.append(.keep(accounts.ledger, number: write)) }
    settlePopular(&turn)
  }

  /// Silence first, then the route, then sound on it (R13).
  private mutating func settleSound(_ turn: inout Turn) {
    let wantsSound = isOn && player.wantsSound
    // A stream that was unloaded under running sound is another track: the old one fades out first.
    if player.engine.isSounding && (!wantsSound || !player.stream.isLoaded) { silence(&turn) }
    let isQuiet = !wantsSound && cues.speaker == nil && player.engine.silenced == nil
    // Before an output is let go or switched, as it may pop.
    if isQuiet { muteAmplifier(true, &turn) }
    if !mayCueSound && cues.pause() { turn.append(.audio(.pauseCue(edge: turn.edge))) }
    if configuration.settings.interruptionPolicy == .recreate { withPlayer(&turn) { $0.releaseForInterruption(&$1) } }
    settleRoute(&turn)
    settleDuck(wantsSound: wantsSound, &turn)
    if !isQuiet { muteAmplifier(false, &turn) }
    withPlayer(&turn) { player, turn in
      player.compare(&turn)
      if wantsSound && !player.engine.isSounding { player.sound(&turn) }
    }
    if isOn { withPlayer(&turn) { $0.settleStorageTrial(&$1) } }
    if mayCueSound, let command = cues.goOn(at: routes.route.port) { turn.append(.audio(command)) }
    if let command = recording.command() { turn.append(.record(command)) }
  }

  private mutating func silence(_ turn: inout Turn) {
    let edge = turn.edge
    withPlayer(&turn) { $0.silence(edge: edge, &$1) }
  }

  /// The plug of a private route may be leaving (R3). What was silenced before may still fade, behind all that a card
  /// keeps (P14), and only the engine knows whether that was heard: where nothing sounds that is silenced now, it gets
  /// the edge all the same, once.
  private mutating func hastenFades(_ turn: inout Turn) {
    guard turn.edge != nil, !player.engine.isSounding, !cues.isCommanded else { return }
    turn.append(.audio(.silence(edge: turn.edge)))
    turn.append(.audio(.pauseCue(edge: turn.edge)))
  }

  /// What the samples make of a port's volume.
  private func sampleVolume(of port: Port) -> Int { headsets.samples(of: port, volume: volumes.heard(of: port)) }

  private mutating func settleRoute(_ turn: inout Turn) {
    let port = routes.route.port
    let volume = port.map { sampleVolume(of: $0) } ?? 0
    let isMoved = port != commanded.port
    if let command = commanded.move(
      to: port, volume: volume, isSounding: player.engine.isSounding || cues.isCommanded)
    {
      turn.append(.audio(command))
      if isMoved { player.fade(at: turn.now) }
    }
    // What was lost may have been the old port only.
    if isMoved && port != nil && player.transport.outputLoss != nil { turn.append(.audio(.reopen)) }
    let others = Dictionary(routes.others.map { ($0, sampleVolume(of: $0)) }) { first, _ in first }
    if let command = commanded.setOthers(others) { turn.append(.audio(command)) }
  }

  // MARK: - Cues

  /// The music is lowered exactly while it sounds together with a cue, or with whoever else asks for it (D1, D2, D5).
  private mutating func settleDuck(wantsSound: Bool, _ turn: inout Turn) {
    ducking.forgetAll(but: sessions.active.map(\.name))
    let duckers = duckers
    // A plug that only moves is no end of the music: the level stays where it is until that is known.
    let isPlaying = wantsSound || ducking.isDucked && player.transport.isHeldByDoubtOnly
    let isDucked = isPlaying && !duckers.isEmpty
    // A cue has a limit of its own; whoever else ducks, as a contact that sticks, has as long (D5).
    ducking.limit(isDucked ? duckers.filter(sessions.standing.contains) : [], until: turn.now + Cues.limit)
    let isMoved = ducking.move(to: isDucked)
    settleLevel(&turn)
    guard isMoved else { return }
    let settings = configuration.settings
    if isDucked {
      turn.log(.duckBegan, .info, ["level": String(settings.duckLevel), "fade": settings.duckFadeDown.logSeconds])
    } else {
      turn.log(
        .duckEnded, turn.expiredDuck == nil ? .info : .warn,
        [
          "fade": settings.duckFadeUp.logSeconds, "reason": turn.expiredDuck.map { _ in DuckEnding.limit.rawValue },
          "by": turn.expiredDuck?.text,
        ])
    }
  }

  /// A fade of the sleep timer or of closing overrides the duck of a cue, which is spoken behind it (H1.1, H5).
  private mutating func settleLevel(_ turn: inout Turn) {
    let settings = configuration.settings
    let isFading = hours.isFaded || sleep.isFading
    let level = isFading ? MusicLevel.silent : ducking.isDucked ? .ducked(settings.duckLevel) : .own
    guard let former = commanded.moveMusic(to: level) else { return }
    let over =
      switch level {
      case .silent: hours.isFaded ? settings.hours?.fade ?? .zero : SleepTimer.fade
      case .ducked: former == .own ? settings.duckFadeDown : settings.duckFadeUp
      case .own: settings.duckFadeUp
      }
    turn.append(.audio(.duck(level: level.decibels, over: over)))
  }

  /// Who asks for the duck. One that the mute line silences is no reason to be lower, nor one that has asked for too long
  /// and speaks no cue.
  private var duckers: Set<ClientName> {
    Set(sessions.duckers.filter { !ducking.overlong.contains($0) || cues.speaker == $0 })
  }

  /// Whether a cue may be heard: not while the plug of its port is on its way out.
  var mayCueSound: Bool {
    isOn && routes.route.port != nil && player.transport.doubt == nil
      && !(routes.isPrivate && lines.isMoving(routes.setup(of: routes.route.port)))
  }

  /// The amplifier is open before the first sound, and muted after the last has faded out.
  private mutating func muteAmplifier(_ isMuted: Bool, _ turn: inout Turn) {
    if commanded.muteAmplifier(isMuted) { turn.append(.muteAmplifier(isMuted)) }
  }

  // MARK: - Interruption limit, idle reset and lamp

  private mutating func settleLimit(_ turn: inout Turn) {
    player.settleLimit(configuration.settings.interruptionLimit, at: turn.now)
    // Whoever waits for the end of an interruption is not absent; a prompt has a time-out of its own (P3).
    let isBusy =
      player.engine.isSounding && !player.isAttracting || cues.speaker != nil || isOccupied
      || player.transport.isPromptShown
      || player.transport.isClosed
      || player.transport.intent == .playing && !player.transport.interruptions.isEmpty
    if commanded.setBusy(isBusy) { touch(at: turn.now) }
  }

  private mutating func settleLamp(_ turn: inout Turn) {
    let lamp = lampPattern
    if commanded.show(lamp) { turn.append(.lamp(lamp)) }
  }

  var lampPattern: LampPattern {
    if !isOn { return .off }
    if recording.since != nil { return .on }
    if headsets.pairing.isOpen { return .tripleFlash }
    if let notice { return notice.lamp }
    if player.transport.isPromptShown { return .blink }
    return player.transport.isAudible ? .on : library.isEmpty ? .flash : .off
  }
}

extension Duration {
  /// Seconds with three places, as the log writes them; what is below zero counts as zero.
  var logSeconds: String {
    let millis = max(0, wholeNanoseconds) / 1_000_000
    let fraction = String(millis % 1_000)
    return "\(millis / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
