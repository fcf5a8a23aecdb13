import AudioSession

/// Brings engine, amplifier, recorder, timers and lamp in line with what is wanted, after every input.
/// Changes: `transport`, `stream`, `playhead`, `ducking`, `speech`, `health`, `commanded`, `edgeInstant`, `outbox`.
extension Jukebox {
  /// More than any input needs: each round but the last begins a cue, ends a cue, or ends a client's session.
  private static let mostRounds = Speech.mostWaiting + 4

  mutating func settle(at now: Instant) {
    let wasDoubted = transport.doubt != nil
    settleDoubt(at: edgeInstant ?? now)
    if !wasDoubted && transport.doubt != nil { hastenFades() }
    settlePlace()
    var before: Int
    var rounds = 0
    // What is logged may have a cue spoken, and that is logged in turn.
    repeat {
      rounds += 1
      before = outbox.effects.count
      speakOnEvents(at: now)
      settleClients(at: now)
      settleVisit(at: now)
      // With the hold of a visit that has ended goes what kept another plug from being in doubt.
      settleDoubt(at: edgeInstant ?? now)
      // Before the route, so that a headset has its volume before its first frame.
      settleHeadsetVolumes(at: now)
      settleSound(at: now)
    } while before < outbox.effects.count && rounds < Self.mostRounds
    assert(before == outbox.effects.count, "the effects of an input have no end")
    edgeInstant = nil
    ducking.endOfInput()
    settleHeadsets(at: now)
    settleLimit(at: now)
    settleCounting(at: now)
    health.noteSound(commanded.isSounding, at: now)
    settleSaving(at: now)
    settleLamp()
    settleDeadlines()
  }

  /// Silence first, then the route, then sound on it (R13).
  private mutating func settleSound(at now: Instant) {
    let wantsSound = isOn && transport.isAudible && !queue.isEmpty
    // A stream that was unloaded under running sound is another track: the old one fades out first.
    if commanded.isSounding && (!wantsSound || !stream.isLoaded) { silence(at: now) }
    let isQuiet = !wantsSound && speech.current == nil && commanded.silenced == nil
    // Before an output is let go or switched, as it may pop.
    if isQuiet { muteAmplifier(true) }
    settlePausedClip()
    releaseForInterruption()
    settleRoute(at: now)
    settleDuck(wantsSound: wantsSound, at: now)
    if !isQuiet { muteAmplifier(false) }
    logPlayback(at: now)
    if wantsSound && !commanded.isSounding { sound(at: now) }
    settleStorageTrial()
    settleClip()
    settleRecorder()
  }

  private mutating func silence(at now: Instant) {
    // The engine will report exactly which frame was heard last; the clock's estimate stands until then.
    playhead.stand(at: playhead.frame(at: edgeInstant ?? now, rate: configuration.rate))
    outbox.append(.audio(.silence(edge: edgeInstant)))
    commanded.silence(stream.isLoaded ? stream.id : nil)
  }

  /// The plug of a private route may be leaving (R3). What was silenced before may still fade, behind all that a card
  /// keeps (P14), and only the engine knows whether that was heard: where nothing sounds that is silenced now, it gets
  /// the edge all the same, once.
  private mutating func hastenFades() {
    guard let edgeInstant, !commanded.isSounding, !isClipCommanded else { return }
    outbox.append(.audio(.silence(edge: edgeInstant)))
    outbox.append(.audio(.pauseClip(edge: edgeInstant)))
  }

  private mutating func sound(at now: Instant) {
    if !stream.isLoaded, let track = queue.track {
      outbox.append(.audio(.load(stream: stream.load(track), Position(track: track, frame: playhead.frame))))
    }
    outbox.append(.audio(.play))
    commanded.play()
  }

  /// Output and decoder are closed as soon as it is known where to go on (I11).
  private mutating func releaseForInterruption() {
    guard configuration.settings.interruptionPolicy == .recreate, !transport.interruptions.isEmpty,
      !commanded.isSounding, commanded.silenced == nil, !commanded.isReleased
    else { return }
    commanded.release()
    stream.renew()
    outbox.append(.audio(.release))
  }

  private mutating func settleRoute(at now: Instant) {
    let port = routes.route.port
    let volume = port.map { sampleVolume(of: $0) } ?? 0
    let isMoved = port != commanded.port
    if let command = commanded.move(to: port, volume: volume, isClipOn: isClipCommanded) {
      outbox.append(.audio(command))
      if isMoved { playhead.fade(at: now, rate: configuration.rate) }
    }
    // What was lost may have been the old port only.
    if isMoved && port != nil && transport.outputLoss != nil { outbox.append(.audio(.reopen)) }
    let others = Dictionary(routes.others.map { ($0, sampleVolume(of: $0)) }) { first, _ in first }
    if let command = commanded.setOthers(others) { outbox.append(.audio(command)) }
  }

  // MARK: - Cues

  /// The music is lowered exactly while it sounds together with a cue, or with whoever else asks for it (D1, D2, D5).
  private mutating func settleDuck(wantsSound: Bool, at now: Instant) {
    ducking.forgetAll(but: session.active.map(\.name))
    let duckers = duckers
    // A plug that only moves is no end of the music: the level stays where it is until that is known.
    let isPlaying = wantsSound || ducking.isDucked && transport.isHeldByDoubtOnly
    let isDucked = isPlaying && !duckers.isEmpty
    // A cue has a limit of its own; whoever else ducks, as a contact that sticks, has as long (D5).
    ducking.limit(isDucked ? duckers.filter(interrupters.standing.contains) : [], until: now + Self.cueLimit)
    guard ducking.move(to: isDucked) else { return }
    let settings = configuration.settings
    if isDucked {
      outbox.append(.audio(.duck(level: settings.duckLevel, over: settings.duckFadeDown)))
      log(.duckBegan, .info, ["level": String(settings.duckLevel), "fade": settings.duckFadeDown.logSeconds])
    } else {
      outbox.append(.audio(.duck(level: 0, over: settings.duckFadeUp)))
      log(
        .duckEnded, ducking.expired == nil ? .info : .warn,
        [
          "fade": settings.duckFadeUp.logSeconds, "reason": ducking.expired.map { _ in DuckEnding.limit.rawValue },
          "by": ducking.expired,
        ])
    }
  }

  /// Who asks for the duck. One that the mute line silences is no reason to be lower, nor one that has asked for too long
  /// and speaks no cue.
  private var duckers: Set<String> {
    let audible = session.duckers(of: music).filter { interrupters(of: $0).isEmpty }.map(\.name)
    return Set(audible.filter { !ducking.overlong.contains($0) || speech.current?.client == $0 })
  }

  /// Whether a cue may be heard: not while the plug of its port is on its way out.
  private var mayClipSound: Bool {
    isOn && routes.route.port != nil && transport.doubt == nil
      && !(routes.isPrivate && isMoving(routes.route.port))
  }

  /// Whether the last command to the engine about the clip was to let it be heard.
  var isClipCommanded: Bool { speech.current != nil && speech.phase != .due && !speech.isPaused }

  private mutating func settlePausedClip() {
    guard isClipCommanded, !mayClipSound else { return }
    speech.pause()
    outbox.append(.audio(.pauseClip(edge: edgeInstant)))
  }

  private mutating func settleClip() {
    guard let request = speech.current, mayClipSound else { return }
    if speech.phase == .due {
      speech.command()
      outbox.append(.audio(.speak(clip: speech.clip, cue: request.cue)))
    } else if speech.isPaused {
      speech.resume()
      outbox.append(.audio(.resumeClip))
    }
    speech.move(to: routes.route.port)
  }

  /// The amplifier is open before the first sound, and muted after the last has faded out.
  private mutating func muteAmplifier(_ isMuted: Bool) {
    if commanded.muteAmplifier(isMuted) { outbox.append(.muteAmplifier(isMuted)) }
  }

  // MARK: - Interruption limit, idle reset and lamp

  private mutating func settleLimit(at now: Instant) {
    // From when it began to hold back what is wanted (I9).
    let limit = configuration.settings.interruptionLimit
    let isLimited = transport.intent == .playing && transport.isInterrupted && limit > .zero
    transport.limit = isLimited ? transport.limit ?? now + limit : nil
    // Whoever waits for the end of an interruption is not absent; a prompt has a time-out of its own (P3).
    let isBusy =
      commanded.isSounding || speech.current != nil || isOccupied || transport.isPromptShown
      || transport.intent == .playing && !transport.interruptions.isEmpty
    if commanded.setBusy(isBusy) { touch(at: now) }
  }

  private mutating func settleLamp() {
    let lamp = lampPattern
    if commanded.show(lamp) { outbox.append(.lamp(lamp)) }
  }

  var lampPattern: LampPattern {
    if !isOn { return .off }
    if recording.since != nil { return .on }
    if pairing.isOpen { return .tripleFlash }
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
