import AudioSession
import Jukebox
import Simulator

/// Watches a simulated kiosk from outside and finds the first violation of the contract: a second model of the behaviour,
/// which shares no rule with the brain. It sees the contacts, the log, the status, and every sample of every port.
public final class Oracle: SimulationObserver {
  let kiosk: KioskSetup
  var playlists: PlaylistModel
  var music: MusicModel
  /// Without shuffle, it is known what follows a track; see `LogChecker.order`.
  var hasOrder: Bool { !kiosk.settings.settings.shuffle }
  var order: QueueOrder? { hasOrder ? QueueOrder(music.all, playable: playlists.playable) : nil }
  var lines: LineModel
  var routes: RouteModel
  var intentModel: IntentModel
  var probes: [Port: OutputProbe] = [:]
  var logChecker: LogChecker
  var persistence: PersistenceModel
  var recordingChecker: RecordingChecker
  var console = ConsoleModel()
  var counting: CountingModel
  /// The audible frames of each port, as far as they are counted, and what is left of a millisecond.
  var countedFrames: [Port: Int] = [:]
  var restOfFrames = 0
  /// The scenario's line of the current step, and those whose commands were refused.
  var stepLine = 0
  var refusedLines: Set<Int> = []
  /// The line whose command wants music, and whether something holds that.
  var wanted: (line: Int, isHeld: Bool)?
  public internal(set) var violation: Violation?
  public internal(set) var coverage = Coverage()

  var now = Instant.powerOn
  var isOn = false
  /// nil while the kiosk is awake.
  var asleepSince: Instant?
  var isAsleep: Bool { asleepSince != nil }
  /// The last wake and power on; at these instants the kiosk need not have caught up yet.
  var wokeAt: Instant?
  var bootedAt: Instant?
  /// The saved intent is to play, though something may hold it.
  var resumesAtBoot = false
  /// The route that the log named last.
  var loggedRoute: Port?
  /// When each port was the route last, by the log, or sounded last because the next one was being opened (B1).
  var leftAt: [Port: Instant] = [:]
  /// Clients whose interruption began by the console; some may have been refused.
  var typedInterrupters: Set<String> = []
  /// Asserted lines whose interruption the console has ended.
  var dismissed: Set<String> = []
  var isOutputFailing = false
  var isClockSet = true
  /// The place has come back after power on: whether it is paused or stopped there, nobody knows.
  var isIntentOpen = false
  /// Since when nobody wants the music that is decoded, and when the storage was lost or not even tried last.
  var unwantedSince: Instant?
  var lostAt = Instant.powerOn
  var restoredAt: Instant?
  /// Since when this track sounds on this route, and since when the level has been the same.
  var playingSince: Instant?
  /// When another sound began last, whether or not it still plays.
  var changedAt: Instant?
  var levelSince = Instant.powerOn
  /// Since when a cue sounds.
  var cueSince: Instant?
  /// The port at which a cue sounds was unplugged, and the cue has not ended yet.
  var isCueCut = false
  /// Since when the music is ducked without a cue.
  var duckedSince: Instant?
  var presses = OvertakenPresses()
  var reader: ReaderModel
  /// Tokens that the console is given (K7.3).
  var givenTokens: ReaderModel
  /// nil: no reader of the board says what lies on it.
  var cards: CardModel?
  var knob: KnobModel?
  var visit: VisitModel
  /// The current track, and one that was chosen in this instant and is to be heard from its start.
  var file: String?
  var choice: String?
  /// The time that was typed to seek in this instant, and the frame that was sought.
  var soughtTime: String?
  var sought: Int?
  /// When the queue went to another playlist for the next visitor; it is to be at its start.
  var resetAt: Instant?
  /// When the route changed last.
  var routeChangedAt = Instant.powerOn
  /// When the console gave its last command.
  var commandedAt: Instant?
  /// Buttons that are down, and those that the log calls stuck.
  var downSince: [String: Instant] = [:]
  var stuck: Set<String> = []
  /// When the kiosk was used last (K8).
  var usedAt = Instant.powerOn
  /// Or then: the volume of the headset, of which nobody knows whether somebody has turned it.
  var perhapsUsedAt = Instant.powerOn
  var quietSince: Instant?
  var lastScene: SimulationSnapshot?
  var headset = HeadsetModel()
  var pairing = PairingModel()
  var dailyCue = DailyCueModel()
  var signals = SignalModel()
  var sleep = SleepModel()
  /// nil: the kiosk is always open.
  var hours: HoursState?
  /// When the music was stopped last.
  var stoppedAt: Instant?
  var channelCommands = ChannelCommands()
  var contacts: ContactModel
  /// The last command was that.
  var volumeCommand: VolumeCommand?

  /// - Parameter recordings: the folder of the simulation's recordings.
  public init(_ kiosk: KioskSetup, recordings: String) {
    self.kiosk = kiosk
    let settings = kiosk.settings.settings
    let playlists = PlaylistModel(kiosk.library, board: kiosk.board, settings: settings)
    self.playlists = playlists
    music = MusicModel(kiosk.library)
    logChecker = LogChecker(order: nil, afterTrack: settings.afterTrack)
    lines = LineModel(kiosk.board)
    let category = kiosk.settings.clients.first { $0.name == .music }?.category ?? .playback
    routes = RouteModel(ports: kiosk.board.ports.map(\.output), forced: settings.route, category: category)
    intentModel = IntentModel(settings: settings)
    reader = ReaderModel(settings: settings)
    givenTokens = ReaderModel(settings: settings, isGiven: true)
    knob = Self.knob(of: kiosk)
    cards = CardModel(kiosk)
    hours = settings.hours.map(HoursState.init)
    visit = VisitModel(settings: settings)
    contacts = ContactModel(kiosk.board, settings: settings)
    counting = CountingModel(interval: settings.saveInterval)
    persistence = PersistenceModel(
      ports: kiosk.board.ports.map(\.output), settings: settings,
      playable: playlists.numbers.filter { TestMusic.frames(of: kiosk.library[$0 - 1].name) != nil })
    recordingChecker = RecordingChecker(folder: recordings, rate: kiosk.board.rate)
    for setup in kiosk.board.ports {
      probes[setup.output.port] = OutputProbe(rate: kiosk.board.rate)
      guard setup.output.isWireless else { continue }
      probes[setup.output.port]?.card = .headset
      headset.volume = HeadsetVolumeModel(ceiling: setup.output.ceiling)
    }
  }

  public var hasSeenEnough: Bool { violation != nil }

  func demand(_ holds: Bool, _ row: String, _ message: @autoclosure () -> String) {
    if !holds && violation == nil { violation = Violation(row: row, at: now, message: message()) }
  }

  func demand(_ mismatch: Mismatch?) {
    if let mismatch { demand(false, mismatch.row, mismatch.message) }
  }

  var route: Port? { routes.best(lines) }

  // MARK: - Inputs of the kiosk

  func updateIntent() { intentModel.update(routes, lines, at: now) }

  public func moved(_ line: String, asserted: Bool, at now: Instant) {
    self.now = now
    beginDelayed()
    if moveKnob(line, asserted: asserted) { return }
    let before = route
    lines.move(line, to: asserted, isSeen: isOn && !isAsleep, at: now)
    if isAsleep { noteMoveInSleep(of: line, asserted: asserted) }
    guard isOn && !isAsleep else { return }
    if let before, routes.line(of: before) == line { noteEdge(at: before) }
    if asserted { noteOffer(of: line) } else { noteWithdrawal(of: line) }
    usedAt = now
    updateIntent()
  }

  public func poweredOn(asserted: Set<String>, at now: Instant) {
    self.now = now
    isOn = true
    bootedAt = now
    resumesAtBoot = false
    lines.powerOn()
    knob?.read(isPowerOn: true)
    cards?.powerOn(at: now)
    resetChannels()
    contacts.powerOn(at: now)
    findHeadset(isWake: false)
    pairing.powerOn(
      at: now, isPlugged: routes.ports.contains { $0.isWireless && lines[routes.line(of: $0.port) ?? ""].level })
    let settings = kiosk.settings.settings
    routes.forced = settings.route
    routes.failed = []
    routes.category = kiosk.settings.clients.first { $0.name == .music }?.category ?? .playback
    intentModel = IntentModel(settings: settings)
    typedInterrupters = []
    dismissed = []
    music.powerOn(at: now)
    followMusic()
    playlists.powerOn(selected: selectedPlaylist)
    persistence.numbers = playlists.numbers
    persistence.isSelected = selectedPlaylist != nil
    logChecker = LogChecker(order: order, afterTrack: settings.afterTrack)
    choice = nil
    downSince = [:]
    duckedSince = now
    presses = OvertakenPresses()
    sleep = SleepModel()
    hours?.powerOn()
    reader = ReaderModel(settings: settings)
    givenTokens = ReaderModel(settings: settings, isGiven: true)
    visit = VisitModel(settings: settings)
    for line in kiosk.board.lines where lines[line.name].level {
      if case .button = line.role { downSince[line.name] = now }
    }
    stuck = []
    persistence.prepareForBoot()
    restoredAt = now
    cueSince = nil
    isCueCut = false
    updateIntent()
  }

  // MARK: - Outputs of the kiosk

  public func heard(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int, on port: Port) {
    probes[port]?.read(samples, frames: frames, at: start)
  }

  public func logged(_ event: Event, at now: Instant) {
    self.now = now
    beginDelayed()
    coverage.count(event.name)
    if countsAsUse(event) { usedAt = now }
    if [.outputUnderrun, .outputDeepened].contains(event.name) {
      // What ran dry in a sleep shows when the PCM of a headset that has come back meanwhile is open again. In virtual time
      // nobody is late, so that only an underrun has more queued.
      let hasJustWoken = wokeAt.map { now < $0 + .milliseconds(500) + opening(of: loggedRoute) } ?? false
      let isDeeper = event.name == .outputDeepened
      if isDeeper, let queued = event["queued"].flatMap({ Double($0) }) {
        noteDeeper(.microseconds(Int(queued * 1_000_000)))
      }
      demand(
        restartsSlowly || hasJustWoken, isDeeper ? "P14" : "P15",
        isDeeper ? "more is queued, and no wake-up was late" : "the card ran dry, and nothing was done to it")
    }
    if event.name == .playbackPaused { noteCard(of: event["from"].flatMap { Port(rawValue: $0) } ?? loggedRoute) }
    if event.name == .stateSaved && event["error"] == nil { playlists.noteSave() }
    if event.name == .trackStarted { signals.ring(at: now) }
    if event.name == .playbackPaused { logChecker.kept = unheardBeforePause }
    demand(logChecker.check(event, at: now))
    checkVisit(event)
    demand(console.check(event, line: event.line(at: now)).map { Mismatch("K6", $0) })
    apply(event)
    // Also for an instant, as where the storage fails at once.
    if intentModel.isAudible { cards?.noteHeard(at: route) }
    count(event)
    demand(recordingChecker.check(event, at: now))
    demand(persistence.check(event, at: now))
    demand(dailyCue.check(event, isStorageGood: persistence.state == .good, at: now))
  }

  public func settled(_ scene: SimulationSnapshot) {
    now = scene.at
    coverage.count(scene)
    countSound()
    defer { lastScene = scene }
    beginDelayed()
    guard let status = scene.status, !scene.isAsleep else {
      if scene.status == nil { checkSignalsWithoutPower(scene) }
      return checkSilence(scene)
    }
    intentModel.settleSkip()
    if wokeAt == scene.at {
      updateIntent()
      // A card was laid while it slept.
      checkChoice(status)
      return checkSound(status)
    }
    checkLines()
    updateIntent()
    if bootedAt == scene.at { checkBoot(status) }
    // Music that is held is wanted.
    if isIntentOpen && status.state == .paused && status.holds.isEmpty { intentModel.intent = .paused }
    isIntentOpen = false
    checkHours(status)
    settleContacts(status)
    // What a contact keeps is saved as stopped (O7).
    persistence.isPlaceKept = music.sought != nil || contacts.claim?.isHeld == true
    checkPlayback(status, scene)
    checkPlaylist(status)
    checkChoice(status)
    checkSeek(status)
    demand(reader.settle())
    demand(givenTokens.settle())
    let heard = status.state == .playing ? loggedRoute : nil
    demand(cards?.settle(intentModel.intent, heard: heard, at: now))
    demand(checkHeld())
    demand(channelCommands.settle())
    checkVisit(status)
    checkRoute(status)
    checkHeadsetVolume(status, scene)
    checkSound(status)
    checkSignals(status, scene)
    checkTimeLimits(status, scene)
    demand(pairing.settle(at: now))
    if isOn && !isAsleep { demand(knob?.settle(at: now)) }
    checkButtons()
    checkIdle(status)
    checkMusic(status)
    demand(persistence.check(status, at: now, isPlaying: intentModel.intent == .playing))
    collectArtifacts()
  }
}
