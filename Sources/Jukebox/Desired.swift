import AudioSession

/// Which port sounds, how loud, and which others sound with it (S6).
struct DesiredOutput {
  var port: Port?
  var volume: Int
  var others: [Port: Int]
}

/// How loud the music is, whatever the volume.
enum MusicLevel: Hashable, Sendable {
  case own
  /// Under a cue, in dB (D1).
  case ducked(Double)
  /// Where closing and the sleep timer fade to (H1.1, H5).
  case silent

  var decibels: Double {
    switch self {
    case .own: 0
    case .ducked(let level): level
    case .silent: -.infinity
    }
  }
}

/// When a timer is due.
struct DueTimer: Hashable, Sendable {
  var timer: TimerID
  var at: Instant
}

/// What engine, amplifier, lamp and timers are to do. It follows from the state, and nothing here changes the state;
/// `Jukebox+Settle.swift` compares it with what they were told last, in an order that can be heard.
extension Jukebox {
  var wantsSound: Bool { isOn && player.wantsSound }

  /// The amplifier is open before the first sound, and muted after the last has faded out.
  var wantsAmplifier: Bool { wantsSound || cues.speaker != nil || player.engine.silenced != nil }

  /// Whether a cue may be heard: not while the plug of its port is on its way out.
  var mayCueSound: Bool {
    isOn && routes.route.port != nil && player.transport.doubt == nil
      && !(routes.isPrivate && lines.isMoving(routes.setup(of: routes.route.port)))
  }

  var desiredOutput: DesiredOutput {
    let others = routes.others.map { ($0, sampleVolume(of: $0)) }
    let port = routes.route.port
    return DesiredOutput(
      port: port, volume: port.map { sampleVolume(of: $0) } ?? 0, others: Dictionary(others) { first, _ in first })
  }

  /// The part of a port's volume that is applied to the samples.
  private func sampleVolume(of port: Port) -> Int { headsets.samples(of: port, volume: volumes.heard(of: port)) }

  /// A fade of the sleep timer or of closing overrides the duck of a cue, which is spoken after it (H1.1, H5).
  var desiredLevel: MusicLevel {
    if hours.isFaded || sleep.isFading { return .silent }
    return ducking.isDucked ? .ducked(configuration.settings.duckLevel) : .own
  }

  /// How long the music fades from its former level to the desired one.
  func fade(from former: MusicLevel) -> Duration {
    let settings = configuration.settings
    return switch desiredLevel {
    case .silent: hours.isFaded ? configuration.hours?.fade ?? .zero : SleepTimer.fade
    case .ducked: former == .own ? settings.duckFadeDown : settings.duckFadeUp
    case .own: settings.duckFadeUp
    }
  }

  /// Who asks for the duck. One that the mute line silences is no reason to be lower, nor one that has asked for too long
  /// and speaks no cue.
  var duckers: Set<ClientName> {
    Set(sessions.duckers.filter { !ducking.overlong.contains($0) || cues.speaker == $0 })
  }

  /// Nothing counts towards the idle reset (K8). Whoever waits for the end of an interruption is there; a prompt has a
  /// time-out of its own (P3).
  var isBusy: Bool {
    player.engine.isSounding && !player.isAttracting || cues.speaker != nil || isOccupied
      || player.transport.isPromptShown
      || player.transport.isClosed
      || player.transport.intent == .playing
        && (!player.transport.interruptions.isEmpty || player.transport.missing != nil)
  }

  var lampPattern: LampPattern {
    if !isOn { return .off }
    if recording.since != nil { return .on }
    if headsets.pairing.isOpen { return .tripleFlash }
    if let notice { return notice.lamp }
    if player.transport.isPromptShown { return .blink }
    return player.wantsSound ? .on : library.isEmpty ? .flash : .off
  }

  // MARK: - Timers

  /// What has to happen although nothing else does. Each deadline follows from what is true: nothing sets a timer or
  /// cancels one, and none runs on for what is over. If two timers are set now for the same instant, the first one
  /// fires first.
  var deadlines: [DueTimer] {
    var deadlines: [DueTimer] = []
    guard isOn else { return deadlines }
    addContacts(to: &deadlines)
    addMusic(to: &deadlines)
    addPorts(to: &deadlines)
    addOthers(to: &deadlines)
    return deadlines
  }

  private func addContacts(to deadlines: inout [DueTimer]) {
    for index in lines.indices {
      let line = LineID(index)
      deadlines.add(.settle(line), lines[index].debouncer.due)
      deadlines.add(.contact(line), contacts.due(index))
      guard let gestures = lines[index].gestures else { continue }
      deadlines.add(.held(line), gestures.heldDue)
      deadlines.add(.stuck(line), gestures.stuckDue)
    }
    for (line, due) in coins.deadlines { deadlines.add(.coin(line), due) }
    deadlines.add(.coinBoot, coins.bootDue)
    deadlines.add(.doublePress, lines.secondPressDue)
    for index in readers.indices { deadlines.add(.typing(ReaderID(index)), readers.due(index)) }
    for (index, due) in laidCards.deadlines { deadlines.add(.lift(index), due) }
    for index in knobs.indices { deadlines.add(.knob(KnobID(index)), knobs.due(index)) }
  }

  private func addMusic(to deadlines: inout [DueTimer]) {
    deadlines.add(.visitGap, visit.due)
    // The times run from the unplug on, also while a wireless port is tried (B2).
    let (window, timeout) = (configuration.settings.resumeWindow, configuration.settings.promptTimeout)
    let losses = [player.transport.routeLoss, player.transport.trial?.loss].compactMap(\.self)
    if window > .zero, let loss = losses.first(where: \.isResumable) {
      deadlines.add(.resumeWindow, loss.hold.since + window)
    }
    if timeout > .zero, let loss = losses.first(where: { $0.prompt == .shown }) {
      deadlines.add(.promptTimeout, loss.hold.since + timeout)
    }
    deadlines.add(.trial, player.transport.trial?.due)
    deadlines.add(.outputRetry, player.transport.outputLoss?.retryDue)
    deadlines.add(.storageRetry, player.transport.storageLoss?.retryDue)
    deadlines.add(.interruptionLimit, player.transport.limit)
    deadlines.add(.folderLimit, player.transport.folderLimit)
    deadlines.add(.sleep, sleep.due)
  }

  private func addPorts(to deadlines: inout [DueTimer]) {
    for port in configuration.ports.map(\.port) {
      deadlines.add(.portRetry(port), portRetries[port]?.due)
      deadlines.add(.headsetVolume(port), headsets.answerDue(of: port))
    }
    deadlines.add(.pairingWindow, headsets.pairing.due)
    deadlines.add(.refusals, headsets.pairing.refusals?.due)
    deadlines.add(.headsetCall, mayDisturbRadio ? headsets.callDue : nil)
  }

  private func addOthers(to deadlines: inout [DueTimer]) {
    deadlines.add(.cueLimit, cues.speech.limit)
    for (client, limit) in ducking.limits.sorted(by: { $0.key < $1.key }) {
      deadlines.add(.duckLimit(client: client), limit)
    }
    let longest = configuration.settings.recordingLimit
    if longest > .zero { deadlines.add(.recordingLimit, recording.runningSince.map { $0 + longest }) }
    deadlines.add(.recorderAnswer, recording.answerDue)
    deadlines.add(.closing, hours.fadeDue)
    deadlines.add(.silence, hours.backDue)
    deadlines.add(.quiet, quiet.due)
    deadlines.add(.notice, noticeDue)
    deadlines.add(.ledger, accounts.due)
    // Nothing counts towards the idle reset while somebody is there (K8), or waits for a request that is held (J5.1).
    let idle = configuration.settings.idleReset
    let isRequestWanted = player.transport.intent == .playing && !accounts.ledger.requests.isEmpty
    if idle > .zero && !isBusy && !player.isAttracting && !isRequestWanted {
      deadlines.add(.idleReset, touched.map { $0 + idle })
    }
    deadlines.add(.save, saving.due)
    deadlines.add(.ranking, contacts.popular.due)
    deadlines.add(.attract, attractDue)
    for (line, due) in signals.deadlines { deadlines.add(.signal(line), due) }
  }
}

extension [DueTimer] {
  fileprivate mutating func add(_ timer: TimerID, _ due: Instant?) {
    if let due { append(DueTimer(timer: timer, at: due)) }
  }
}
