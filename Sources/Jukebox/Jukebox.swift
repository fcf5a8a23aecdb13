import AudioSession

/// The firmware's brain: a value that returns effects for every input. It has no clock, does no I/O and never
/// fails; instants come in with the inputs, timers go out as effects and come back as inputs.
///
/// The board and the simulator drive the same brain. Use it from one thread at a time.
public struct Jukebox: Hashable, Sendable {
  public let configuration: Configuration

  var isOn = false
  var visit = Visit()
  var lines = Lines()
  var contacts = ContactManners()
  var readers: Readers
  var laidCards = LaidCards()
  /// nil: none was, or what it was lifted from is over.
  var liftedCard: LiftedCard?
  /// Where music was heard last; nil: nowhere since it was stopped, or a card was silent for it once (L8).
  var heardAt: Port?
  var knobs = Knobs()
  var coins = CoinAcceptors()
  var coinInhibits: CoinInhibits
  var routes: RouteMonitor
  var portRetries: [Port: PortRetry] = [:]
  var headsets: Headsets
  var player: MusicPlayer
  var volumes: VolumeControl
  var channelControl: ChannelControl
  var sessions: Sessions
  var ducking = Ducking()
  var cues: Cues
  var recording = Recording()
  var saving: Saving
  var hours = Hours()
  var timetable = Timetable()
  var quiet = Quiet()
  var signals: Signals
  var sleep = SleepTimer()
  var accounts: Accounts
  /// As the log has it; nil: requests take credits.
  var loggedFreePlay: FreePlay?
  var notice: ContentNotice?
  /// Until when it is shown.
  var noticeDue: Instant?
  var health = HealthCounters(played: 0, at: .powerOn)
  var commanded = Commanded()
  /// When something happened last that counts for the idle reset; nil: nothing has since it was reset.
  var touched: Instant?
  /// The same, or when a track that played by itself began or ended; nil: before power on.
  var lastUsed: Instant?
  /// One was playing at the end of the last input.
  var attracts = false

  public init(configuration: Configuration, library: some Sequence<Track>) {
    self.init(configuration: configuration, library: Library(library))
  }

  public init(configuration: Configuration, library: Library) {
    self.configuration = configuration
    let settings = configuration.settings
    readers = Readers(configuration.readers, lengths: configuration.readerLengths, settings)
    cues = Cues(configuration.cues)
    sessions = Sessions(configuration.clients, hasInput: configuration.input != nil)
    headsets = Headsets(allowed: settings.bluetoothAllowed, ports: configuration.ports)
    routes = RouteMonitor(ports: configuration.ports, plugged: [], forced: settings.route)
    player = MusicPlayer(MusicPlayer.Options(configuration), library)
    saving = Saving(interval: settings.saveInterval, at: .powerOn)
    volumes = VolumeControl(ports: configuration.ports, start: settings.startVolume)
    channelControl = ChannelControl(ports: configuration.ports)
    signals = Signals(configuration.lines)
    accounts = Accounts(settings.requests?.credits)
    loggedFreePlay = settings.requests?.credits?.isFree == true ? .settings : nil
    coinInhibits = CoinInhibits(configuration.lines)
  }

  /// Takes an input and returns what is to be done, in order. Before `powerOn` and after `shutdown` only `powerOn` is taken,
  /// and the report of how a recording ended.
  public mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
    var turn = Turn(now: now)
    if case .powerOn(let state) = input {
      powerOn(state, &turn)
    } else {
      guard isOn else { return takeAfterShutdown(input, &turn) }
      player.countHeard(until: now - input.slept)
      take(input, &turn)
    }
    settle(&turn)
    if case .timer(let timer) = input { assert(!commanded.isDue(timer, at: now), "\(timer) fires for ever") }
    assert(brokenInvariant == nil, "\(brokenInvariant ?? "") after \(input)")
    return turn.effects
  }

  /// What became of the recording that the shutdown ended is still logged.
  private mutating func takeAfterShutdown(_ input: Input, _ turn: inout Turn) -> [Effect] {
    guard case .recorder(let report) = input, recording.phase != .idle || recording.isOverdue else { return [] }
    follow(recording.take(report, at: turn.now), &turn)
    return turn.effects
  }

  private mutating func take(_ input: Input, _ turn: inout Turn) {
    switch input {
    case .powerOn: break
    case .edge(let line, let asserted, let at) where coins.has(line):
      follow(coins.take([CoinEdge(asserted, at: at)], of: line), &turn)
    case .coin(let line, let edges): follow(coins.take(edges, of: line), &turn)
    case .edge(let line, let asserted, let at):
      let now = turn.now
      turn.now = at
      move(line, &turn) { $0.edge(line, asserted: asserted, at: at) }
      turn.now = now
    case .typed(let reader, let key):
      let tracks = player.playlists.ids?.count ?? library.count
      follow(readers.typed(key, on: reader, tracks: tracks, at: turn.now), &turn)
    case .card(let reader, let token, let at): lies(token, on: reader, at: at, &turn)
    case .knob(let knob, let move): follow(knobs.take(move, of: knob), &turn)
    case .timer(let timer): fired(timer, &turn)
    case .console(let line):
      if obey(line, &turn) { touch(at: turn.now) }
    case .audio(let report):
      heard(report, &turn)
      noteHeard(report, at: turn.now)
    case .storage(let report): stored(report, &turn)
    case .ledger(let report): take(report, &turn)
    case .ranking(let report): take(report, &turn)
    case .health(let report): health.note(report)
    case .recorder(let report): follow(recording.take(report, at: turn.now), &turn)
    case .scheduled(let moment): obey(moment, &turn)
    case .missed(let moment): miss(moment, &turn)
    case .timetable(let state): follow(timetable.take(state), &turn)
    case .hours(let report): follow(hours.take(report), &turn)
    case .quiet(let report): follow(quiet.take(report), &turn)
    case .woke(let asserted, let slept): woke(asserted: asserted, slept: slept, &turn)
    case .category(let category):
      if configuration.settings.visitGap > .zero { visit.note(category: routes.category) }
      change(to: category, &turn)
    case .library(let report): withPlayer(&turn) { [selection] in $0.take(report, selected: selection, &$1) }
    case .headsetVolume(let port, let level): follow(headsets.take(level: level, of: port, at: turn.now), &turn)
    case .headset(let report):
      follow(headsets.take(report, free: freeWirelessPorts, at: turn.now), &turn)
    case .shutdown(let reason): shutDown(reason: reason, &turn)
    }
  }

  private mutating func fired(_ timer: TimerID, _ turn: inout Turn) {
    commanded.fired(timer)
    switch timer {
    case .settle(let line): move(line, &turn) { [now = turn.now] in $0.settle(line, at: now) }
    case .held(let line):
      follow(lines.heldTimerFired(line, at: turn.now), &turn)
      touch(at: turn.now)
    case .stuck(let line): follow(lines.stuckTimerFired(line), &turn)
    case .contact(let line): endDelay(of: line, &turn)
    case .coin(let line): follow(coins.timerFired(line, at: turn.now), &turn)
    case .coinBoot: coins.bootIsOver()
    case .doublePress: lines.forgetSecondPress()
    case .typing(let reader): follow(readers.timedOut(reader), &turn)
    case .lift(let index): follow(laidCards.timerFired(index), &turn)
    case .knob(let knob): follow(knobs.timerFired(knob, at: turn.now), &turn)
    case .resumeWindow: player.closeResumeWindow()
    case .promptTimeout: expirePrompt(&turn)
    case .trial: passTrial(&turn)
    case .idleReset:
      touched = nil
      endVisit(because: .idle, &turn)
    case .visitGap: visit.gapIsOver()
    case .sleep: sleepTimerFired(&turn)
    case .interruptionLimit: withPlayer(&turn) { $0.limitInterruption(&$1) }
    case .folderLimit: withPlayer(&turn) { $0.limitMissingFolder(&$1) }
    case .cueLimit: follow(cues.cancel(.limit), &turn)
    case .duckLimit(let client):
      ducking.expire(client)
      turn.expiredDuck = client
    case .recordingLimit: follow(recording.stop(.timeLimit), &turn)
    case .recorderAnswer: follow(recording.giveUp(), &turn)
    case .silence: follow(hours.silence(false), &turn)
    case .notice: (notice, noticeDue) = (nil, nil)
    case .outputRetry:
      player.retryOutput()
      turn.append(.audio(.reopen))
    case .storageRetry: player.retryStorage()
    case .portRetry(let port): tryAgain(port, &turn)
    case .headsetVolume(let port): headsets.timeOutAnswer(of: port)
    case .pairingWindow: follow(headsets.timeOutPairing(), &turn)
    case .refusals: follow(headsets.timeOutRefusals(at: turn.now), &turn)
    // `settleRadio` calls whoever is due, `settleSignals` shows what is, `settleHours` closes, `settleQuiet` fades, and
    // `settle` writes.
    case .headsetCall, .signal, .closing, .quiet: break
    case .ledger: ledgerTimerFired(&turn)
    case .ranking: giveUpRanking(&turn)
    case .attract: attract(&turn)
    case .save: saveNow(&turn)
    }
  }

  /// Follows what a line has done. If it is another level now, somebody is there, unless it may be a sensor (K8, O11).
  private mutating func move(_ line: LineID, _ turn: inout Turn, _ facts: (inout Lines) -> [ContactFact]) {
    guard configuration.lines.indices.contains(line.index) else { return }
    let former = lines[line.index].debouncer.level
    follow(facts(&lines), &turn)
    let isMoved = lines[line.index].debouncer.level != former
    if isMoved && configuration.lines[line.index].manners == nil { touch(at: turn.now) }
  }

  public var library: Library { player.library }

  /// The frame heard at `now`, as the log names it.
  func frame(at now: Instant) -> String { String(player.frame(at: now)) }

  /// Something has happened at the kiosk: the time until the idle reset starts again (K8).
  mutating func touch(at now: Instant) { (touched, lastUsed) = (now, now) }
}
