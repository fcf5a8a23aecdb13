import AudioSession

/// Brings engine, amplifier, timers and lamp in line with what `Desired.swift` derives, after every input. What recorder,
/// signals and coin inhibits are to do, their own values derive.
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
    // A logged event may have a cue spoken, and that is logged in turn.
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
      // No request begins while it closes (H1.1).
      if !hours.refuses { withPlayer(&turn) { $0.settleRequests(&$1) } }
      withPlayer(&turn) { $0.settleMissingFolder(&$1) }
      settleQuiet(&turn)
      // Before the route, so that a headset has its volume before its first frame.
      follow(headsets.settleVolumes(volumes, at: turn.now), &turn)
      settleSound(&turn)
    } while before < turn.effects.count && rounds < Self.mostRounds
    assert(before == turn.effects.count, "the effects of an input have no end")
    follow(
      headsets.settleRadio(mayDisturb: mayDisturbRadio, free: freeWirelessPorts, at: turn.now), &turn)
    settleCards()
    settleTrial(at: turn.now)
    settleLimit(&turn)
    player.settleCounting(at: turn.now)
    health.noteSound(player.engine.isSounding, at: turn.now)
    settleSaving(&turn)
    settleLamp(&turn)
    settleSignals(&turn)
    settleCoinInhibits(&turn)
    let write = accounts.takeWrite(at: turn.now)
    for effect in commanded.runOnly(deadlines) { turn.append(effect) }
    // After all else: an answer that comes at once must find all of it done.
    if let write { turn.append(.keep(accounts.ledger, number: write)) }
    settlePopular(&turn)
  }

  /// Silence first, then the route, then sound on it (R13).
  private mutating func settleSound(_ turn: inout Turn) {
    // A stream that was unloaded under running sound is another track: the old one fades out first.
    if player.engine.isSounding && (!wantsSound || !player.stream.isLoaded) { silence(&turn) }
    let mutes = !wantsAmplifier
    // Before an output is let go or switched, because it may pop.
    if mutes { muteAmplifier(true, &turn) }
    if !mayCueSound && cues.pause() { turn.append(.audio(.pauseCue(edge: turn.edge))) }
    if configuration.settings.interruptionPolicy == .recreate { withPlayer(&turn) { $0.releaseForInterruption(&$1) } }
    settleRoute(&turn)
    settleDuck(&turn)
    if !mutes { muteAmplifier(false, &turn) }
    withPlayer(&turn) { [wantsSound] player, turn in
      player.compare(&turn)
      if wantsSound && !player.engine.isSounding { player.sound(&turn) }
    }
    if isOn { withPlayer(&turn) { $0.settleStorageTrial(&$1) } }
    if mayCueSound, let command = cues.goOn(at: routes.route.port) { turn.append(.audio(command)) }
    if let command = recording.command(at: turn.now) { turn.append(.record(command)) }
  }

  private mutating func silence(_ turn: inout Turn) {
    let edge = turn.edge
    withPlayer(&turn) { $0.silence(edge: edge, &$1) }
  }

  /// The plug of a private route may be leaving (R3). What was silenced before may still fade, after all that a card
  /// keeps (P14), and only the engine knows whether that was heard: if nothing sounds that is silenced now, it still
  /// gets the edge, once.
  private mutating func hastenFades(_ turn: inout Turn) {
    guard turn.edge != nil, !player.engine.isSounding, !cues.isCommanded else { return }
    turn.append(.audio(.silence(edge: turn.edge)))
    turn.append(.audio(.pauseCue(edge: turn.edge)))
  }

  private mutating func settleRoute(_ turn: inout Turn) {
    let output = desiredOutput
    let isMoved = output.port != commanded.port
    let isSounding = player.engine.isSounding || cues.isCommanded
    if let command = commanded.move(to: output.port, volume: output.volume, isSounding: isSounding) {
      turn.append(.audio(command))
      if isMoved { player.fade(at: turn.now) }
    }
    // The lost output may have been that of the old port only.
    if isMoved && output.port != nil && player.transport.outputLoss != nil { turn.append(.audio(.reopen)) }
    if let command = commanded.setOthers(output.others) { turn.append(.audio(command)) }
  }

  // MARK: - Cues

  /// The music is lowered exactly while it sounds together with a cue, or with whoever else asks for it (D1, D2, D5).
  private mutating func settleDuck(_ turn: inout Turn) {
    ducking.forgetAll(but: sessions.active.map(\.name))
    let duckers = duckers
    // A plug that only moves does not end the music: the level stays where it is until that is known.
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

  private mutating func settleLevel(_ turn: inout Turn) {
    let level = desiredLevel
    guard let former = commanded.moveMusic(to: level) else { return }
    turn.append(.audio(.duck(level: level.decibels, over: fade(from: former))))
  }

  private mutating func muteAmplifier(_ isMuted: Bool, _ turn: inout Turn) {
    if commanded.muteAmplifier(isMuted) { turn.append(.muteAmplifier(isMuted)) }
  }

  // MARK: - Interruption limit, idle reset and lamp

  private mutating func settleLimit(_ turn: inout Turn) {
    player.settleLimit(configuration.settings.interruptionLimit, at: turn.now)
    if commanded.setBusy(isBusy) { touch(at: turn.now) }
  }

  private mutating func settleLamp(_ turn: inout Turn) {
    let lamp = lampPattern
    if commanded.show(lamp) { turn.append(.lamp(lamp)) }
  }
}

extension Duration {
  /// Seconds with three places, as the log writes them; what is below zero counts as zero.
  var logSeconds: String {
    let millis = max(0, wholeNanoseconds) / 1_000_000
    return "\(millis / 1_000)." + String(millis % 1_000).zeroPadded(to: 3)
  }
}
