import AudioSession

/// Brings engine, amplifier, recorder, timers and lamp in line with what is wanted, after every input.
/// Changes: `headsets`, `transport`, `stream`, `playhead`, `ducking`, `cues`, `recording`, `health`, `commanded`.
extension Jukebox {
  /// More than any input needs: each round but the last begins a cue, ends a cue, or ends a client's session.
  private static let mostRounds = Speech.mostWaiting + 4

  mutating func settle(_ turn: inout Turn) {
    let wasDoubted = transport.doubt != nil
    settleDoubt(at: turn.edge ?? turn.now)
    if !wasDoubted && transport.doubt != nil { hastenFades(&turn) }
    settlePlace(&turn)
    var before: Int
    var rounds = 0
    // What is logged may have a cue spoken, and that is logged in turn.
    repeat {
      rounds += 1
      before = turn.effects.count
      speakOnEvents(&turn)
      settleClients(&turn)
      settleVisit(&turn)
      // With the hold of a visit that has ended goes what kept another plug from being in doubt.
      settleDoubt(at: turn.edge ?? turn.now)
      // Before the route, so that a headset has its volume before its first frame.
      follow(headsets.settleVolumes(volumes, at: turn.now), &turn)
      settleSound(&turn)
    } while before < turn.effects.count && rounds < Self.mostRounds
    assert(before == turn.effects.count, "the effects of an input have no end")
    follow(
      headsets.settleRadio(mayDisturb: mayDisturbRadio, free: freeWirelessPorts, at: turn.now), &turn)
    settleLimit(&turn)
    settleCounting(&turn)
    health.noteSound(commanded.isSounding, at: turn.now)
    settleSaving(&turn)
    settleLamp(&turn)
    settleDeadlines(&turn)
  }

  /// Silence first, then the route, then sound on it (R13).
  private mutating func settleSound(_ turn: inout Turn) {
    let wantsSound = isOn && transport.isAudible && !queue.isEmpty
    // A stream that was unloaded under running sound is another track: the old one fades out first.
    if commanded.isSounding && (!wantsSound || !stream.isLoaded) { silence(&turn) }
    let isQuiet = !wantsSound && cues.speaker == nil && commanded.silenced == nil
    // Before an output is let go or switched, as it may pop.
    if isQuiet { muteAmplifier(true, &turn) }
    if !mayClipSound && cues.pause() { turn.append(.audio(.pauseClip(edge: turn.edge))) }
    releaseForInterruption(&turn)
    settleRoute(&turn)
    settleDuck(wantsSound: wantsSound, &turn)
    if !isQuiet { muteAmplifier(false, &turn) }
    logPlayback(&turn)
    if wantsSound && !commanded.isSounding { sound(&turn) }
    settleStorageTrial(&turn)
    if mayClipSound, let command = cues.goOn(at: routes.route.port) { turn.append(.audio(command)) }
    if let command = recording.command() { turn.append(.record(command)) }
  }

  private mutating func silence(_ turn: inout Turn) {
    // The engine will report exactly which frame was heard last; the clock's estimate stands until then.
    playhead.stand(at: playhead.frame(at: turn.edge ?? turn.now, rate: configuration.rate))
    turn.append(.audio(.silence(edge: turn.edge)))
    commanded.silence(stream.isLoaded ? stream.id : nil)
  }

  /// The plug of a private route may be leaving (R3). What was silenced before may still fade, behind all that a card
  /// keeps (P14), and only the engine knows whether that was heard: where nothing sounds that is silenced now, it gets
  /// the edge all the same, once.
  private mutating func hastenFades(_ turn: inout Turn) {
    guard turn.edge != nil, !commanded.isSounding, !cues.isCommanded else { return }
    turn.append(.audio(.silence(edge: turn.edge)))
    turn.append(.audio(.pauseClip(edge: turn.edge)))
  }

  private mutating func sound(_ turn: inout Turn) {
    if !stream.isLoaded, let track = queue.track {
      turn.append(.audio(.load(stream: stream.load(track), Position(track: track, frame: playhead.frame))))
    }
    turn.append(.audio(.play))
    commanded.play()
  }

  /// Output and decoder are closed as soon as it is known where to go on (I11).
  private mutating func releaseForInterruption(_ turn: inout Turn) {
    guard configuration.settings.interruptionPolicy == .recreate, !transport.interruptions.isEmpty,
      !commanded.isSounding, commanded.silenced == nil, !commanded.isReleased
    else { return }
    commanded.release()
    stream.renew()
    turn.append(.audio(.release))
  }

  /// What the samples make of a port's volume.
  private func sampleVolume(of port: Port) -> Int { headsets.samples(of: port, volume: volumes.volume(of: port)) }

  private mutating func settleRoute(_ turn: inout Turn) {
    let port = routes.route.port
    let volume = port.map { sampleVolume(of: $0) } ?? 0
    let isMoved = port != commanded.port
    if let command = commanded.move(to: port, volume: volume, isClipOn: cues.isCommanded) {
      turn.append(.audio(command))
      if isMoved { playhead.fade(at: turn.now, rate: configuration.rate) }
    }
    // What was lost may have been the old port only.
    if isMoved && port != nil && transport.outputLoss != nil { turn.append(.audio(.reopen)) }
    let others = Dictionary(routes.others.map { ($0, sampleVolume(of: $0)) }) { first, _ in first }
    if let command = commanded.setOthers(others) { turn.append(.audio(command)) }
  }

  // MARK: - Cues

  /// The music is lowered exactly while it sounds together with a cue, or with whoever else asks for it (D1, D2, D5).
  private mutating func settleDuck(wantsSound: Bool, _ turn: inout Turn) {
    ducking.forgetAll(but: sessions.active.map(\.name))
    let duckers = duckers
    // A plug that only moves is no end of the music: the level stays where it is until that is known.
    let isPlaying = wantsSound || ducking.isDucked && transport.isHeldByDoubtOnly
    let isDucked = isPlaying && !duckers.isEmpty
    // A cue has a limit of its own; whoever else ducks, as a contact that sticks, has as long (D5).
    ducking.limit(isDucked ? duckers.filter(sessions.standing.contains) : [], until: turn.now + Cues.limit)
    guard ducking.move(to: isDucked) else { return }
    let settings = configuration.settings
    if isDucked {
      turn.append(.audio(.duck(level: settings.duckLevel, over: settings.duckFadeDown)))
      turn.log(.duckBegan, .info, ["level": String(settings.duckLevel), "fade": settings.duckFadeDown.logSeconds])
    } else {
      turn.append(.audio(.duck(level: 0, over: settings.duckFadeUp)))
      turn.log(
        .duckEnded, turn.expiredDuck == nil ? .info : .warn,
        [
          "fade": settings.duckFadeUp.logSeconds, "reason": turn.expiredDuck.map { _ in DuckEnding.limit.rawValue },
          "by": turn.expiredDuck,
        ])
    }
  }

  /// Who asks for the duck. One that the mute line silences is no reason to be lower, nor one that has asked for too long
  /// and speaks no cue.
  private var duckers: Set<String> {
    Set(sessions.duckers.filter { !ducking.overlong.contains($0) || cues.speaker == $0 })
  }

  /// Whether a cue may be heard: not while the plug of its port is on its way out.
  private var mayClipSound: Bool {
    isOn && routes.route.port != nil && transport.doubt == nil
      && !(routes.isPrivate && isMoving(routes.route.port))
  }

  /// The amplifier is open before the first sound, and muted after the last has faded out.
  private mutating func muteAmplifier(_ isMuted: Bool, _ turn: inout Turn) {
    if commanded.muteAmplifier(isMuted) { turn.append(.muteAmplifier(isMuted)) }
  }

  // MARK: - Interruption limit, idle reset and lamp

  private mutating func settleLimit(_ turn: inout Turn) {
    // From when it began to hold back what is wanted (I9).
    let limit = configuration.settings.interruptionLimit
    let isLimited = transport.intent == .playing && transport.isInterrupted && limit > .zero
    transport.limit = isLimited ? transport.limit ?? turn.now + limit : nil
    // Whoever waits for the end of an interruption is not absent; a prompt has a time-out of its own (P3).
    let isBusy =
      commanded.isSounding || cues.speaker != nil || isOccupied || transport.isPromptShown
      || transport.intent == .playing && !transport.interruptions.isEmpty
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
    if transport.isPromptShown { return .blink }
    return transport.isAudible ? .on : library.isEmpty ? .flash : .off
  }
}

extension Duration {
  /// Seconds with three places, as the log writes them.
  var logSeconds: String {
    let millis = wholeNanoseconds / 1_000_000
    let fraction = String(millis % 1_000)
    return "\(millis / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
