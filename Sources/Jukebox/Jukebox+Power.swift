import AudioSession

/// Power on, saving, and shutdown. Power on begins with a new `Jukebox`, so that nothing of the time before is left.
extension Jukebox {
  mutating func powerOn(_ state: PowerOn, _ turn: inout Turn) {
    self = Jukebox(configuration: configuration, library: library)
    let settings = configuration.settings
    let saved = state.saved.state
    isOn = true
    saving = Saving(interval: settings.saveInterval, at: turn.now)
    health = HealthCounters(played: saved?.played ?? 0, at: turn.now)
    cues = Cues(configuration.cues, done: saved?.doneCues ?? [], timetable: settings.timetable)
    let seed = settings.shuffle ? saved?.seed ?? state.seed : nil
    readLines(asserted: state.asserted, saved, at: turn.now)
    let missed = beginTimetable(state)
    player.begin(playlist(at: state, missed: missed), places: saved?.places ?? [], shuffle: seed)
    player.changes.isMissingUnnamed = !state.isMusicComplete
    player.changes.kept = state.isMusicKept ? KeptMusic() : nil
    player.picks = FolderPicks(saved?.picks ?? [], seed: state.seed)
    logBoot(state, &turn)
    count(.powerOns, &turn)
    logInitialRoute(&turn)
    if routes.route == .none { withPlayer(&turn) { $0.leaveRoute(nil, &$1) } }
    settleInterruptions(shouldResume: true, &turn)
    beginHours(state, &turn)
    for (index, line) in configuration.lines.enumerated() where state.asserted.contains(LineID(index)) {
      guard case .interrupter(let name) = line.role else { continue }
      follow(sessions.begin(name, LineCause(line: line.name, edge: turn.now)), &turn)
    }
    restoreLedger(state.ledger, &turn)
    restore(state, &turn)
    endTimetableAtBoot(missed, &turn)
    beginQuiet(state.quiet, &turn)
    endHoursAtBoot(saved?.hours, wasPlaying: saved.map(isWanted) ?? false, &turn)
    withPlayer(&turn) { [selection] player, turn in
      if state.isMusicKept { player.beginGuess(selected: selection, &turn) }
      player.noteEmptiness(&turn)
    }
    touch(at: turn.now)
  }

  /// Logs the first route, with the port that is forced and not connected: its owner will look for the reason.
  private func logInitialRoute(_ turn: inout Turn) {
    let route = routes.route
    let isObeyed = routes.forced == route.port
    turn.log(
      .routeInitial, routes.forced == nil || isObeyed ? .info : .notice,
      [
        "to": route.description,
        "reason": routes.forced != nil && isObeyed ? RouteChange.Reason.override.rawValue : nil,
        "forced": isObeyed ? nil : routes.forced?.rawValue,
      ])
  }

  private func logBoot(_ power: PowerOn, _ turn: inout Turn) {
    let refusals = [power.realTime, power.jail].flatMap { $0?.refusals ?? [] }
    turn.log(
      .boot, refusals.isEmpty ? .info : .warn,
      [
        "tracks": String(library.count), "rate": String(configuration.rate),
        "ports": String(configuration.ports.count),
        "realtime": power.realTime?.grant.rawValue, "jail": power.jail?.grant.rawValue,
        "reason": refusals.isEmpty ? nil : refusals.joined(separator: "; "),
        "board": power.origin?.board, "board-file": power.origin?.boardFile,
        "settings": power.origin.map { $0.settingsFile ?? "none" },
      ])
  }

  private mutating func readLines(asserted: Set<LineID>, _ saved: SavedState?, at now: Instant) {
    lines = Lines(configuration.lines, asserted: asserted, configuration.settings, at: now)
    let lifts = configuration.readers.compactMap { name in
      configuration.readerLifts[name].map { (name: name, lift: $0) }
    }
    laidCards = LaidCards(lifts, at: now)
    (liftedCard, heardAt) = (nil, nil)
    contacts = ContactManners(configuration.lines, at: now)
    contacts.popular.isKept = configuration.settings.requests != nil
    knobs = Knobs(configuration.knobs, configuration.settings)
    coins = CoinAcceptors(configuration.lines, asserted: asserted, at: now)
    let closed = configuration.lines.enumerated().filter { asserted.contains(LineID($0.offset)) }.map(\.element)
    if closed.contains(where: { $0.role == .mute }) { _ = sessions.mute(true, nil) }
    let plugged = Set(closed.map(\.name))
    let forced: Port? =
      switch saved?.override {
      case .auto: nil
      case .port(let port): port
      case nil: configuration.settings.route
      }
    routes = RouteMonitor(
      ports: configuration.ports, plugged: plugged, forced: forced, category: saved?.category ?? ownCategory)
    _ = sessions.change(to: routes.category)
  }

  /// The music's, as the settings say.
  private var ownCategory: SessionCategory {
    configuration.clients.first { $0.name == .music }?.category ?? .playback
  }

  /// What was saved comes back silently; it plays only if told to, and only on the port it was playing on (W2).
  private mutating func restore(_ power: PowerOn, _ turn: inout Turn) {
    switch power.saved {
    case .nothing: return
    case .unreadable(let reason), .older(_, let reason): turn.log(.stateUnreadable, .warn, ["reason": reason])
    case .state: break
    }
    guard let state = power.saved.state else { return }
    let volumes = keepsVolumes ? state.volumes : [:]
    self.volumes.restore(volumes)
    let index = player.restore(state)
    player.restoreRequest(state.request, state.intent)
    let isThere =
      index != nil || !player.requests.isEmpty || hasMovedOn || power.isMusicComplete && player.isGone(state)
    let isComing = isThere || player.changes.sought != nil && player.changes.mayComeBack
    let goesOn = goesOnAtBoot && isWanted(state) && isComing && player.mayGoOn(state)
    player.endRestoring(goesOn: goesOn, isThere: isThere)
    turn.log(
      .stateRestored, .info,
      [
        "volumes": String(volumes.count), "track": index.map { String($0 + 1) },
        "frame": index.map { _ in String(player.playhead.frame) }, "intent": player.transport.intent.rawValue,
        "override": state.override?.word, "category": state.category?.rawValue,
        "chosen": player.queue.isChosen ? "true" : nil, "playlist": player.playlists.current,
      ])
    if goesOn {
      withPlayer(&turn) { $0.settleMissingFolder(&$1) }
      settleClients(&turn)
      withPlayer(&turn) { $0.compare(&$1) }
    }
  }

  /// Music was wanted when the power was cut, and the port that it was on is there.
  private func isWanted(_ state: SavedState) -> Bool {
    state.intent == .playing && state.port != nil && state.port == routes.route.port
  }

  // MARK: - Saving

  /// Called after every input: the only place where a change causes a save.
  mutating func settleSaving(_ turn: inout Turn) {
    let playback = player.transport.playback
    let state = SaveableState(
      stateToSave(at: turn.now), isMoving: playback == .playing || playback == .doubtful,
      isAskedFor: player.log.isAskedFor && !player.transport.isAudible, jumps: player.playhead.jumps)
    saving.compare(state, isSounding: player.engine.isSounding, at: turn.now)
    let last = turn.effects.last { if case .count = $0 { true } else if case .save = $0 { true } else { false } }
    if case .count = last { saving.count(at: turn.now) }
  }

  mutating func saveNow(_ turn: inout Turn) {
    saving.begin(at: turn.now)
    withPlayer(&turn) { $0.reportHeard(&$1) }
    turn.append(.save(stateToSave(at: turn.now)))
  }

  private func stateToSave(at now: Instant) -> SavedState {
    let place = player.savedPlace(at: now)
    let transport = player.transport
    let category = visit.formerCategory ?? routes.category
    // What a contact keeps sounding ends with the power, as when it opens (O7), and so does what plays by itself (J6).
    let isKept = player.queue.claim?.isHeld == true || player.isAttracting
    return SavedState(
      volumes: keepsVolumes ? volumes.chosen : [:], track: place.track,
      frame: isKept ? 0 : place.frame,
      intent: isKept ? .stopped : transport.intent,
      port: transport.routeLoss?.from ?? transport.doubt?.from ?? routes.route.port, seed: player.savedSeed,
      override: override, category: category == ownCategory ? nil : category,
      played: Int(health.report(at: now).played.components.seconds), isChosen: place.isChosen,
      playlist: player.savedPlaylist, places: player.playlists.places, doneCues: cues.done,
      picks: player.picks.picks, hours: hours.memory,
      timetable: timetable.toSave, request: player.savedRequest(at: now))
  }

  /// Whoever comes after a power cut is another visitor (V7).
  private var keepsVolumes: Bool { configuration.settings.visitGap == .zero }

  /// What the console has made of the route.
  private var override: SavedState.Override? {
    if routes.forced == configuration.settings.route { return nil }
    return routes.forced.map { .port($0) } ?? .auto
  }

  mutating func stored(_ report: StorageReport, _ turn: inout Turn) {
    switch report {
    case .saved:
      saving.succeeded()
      health.noteSave()
      let health = health.report(at: turn.now)
      turn.log(.stateSaved, .debug, ["writes": String(health.saves)], health)
    case .unchanged: break
    case .failed(let reason):
      saving.failed(at: turn.now)
      guard !saving.hasReportedFailure else { return }
      saving.reportFailure()
      health.noteSaveFailure()
      turn.log(.stateSaved, .warn, ["error": reason])
    }
  }

  mutating func shutDown(reason: String, _ turn: inout Turn) {
    follow(knobs.endTurns(), &turn)
    follow(coins.end(), &turn)
    follow(recording.stop(.shutdown), &turn)
    follow(cues.silence(.shutdown), &turn)
    if accounts.isRefused { accounts.retry() }
    saveNow(&turn)
    let health = health.report(at: turn.now)
    turn.log(.shutdown, .info, ["reason": reason, "frame": frame(at: turn.now), "saves": String(health.saves)], health)
    isOn = false
  }
}
