import AudioSession

/// Power on, saving, and shutdown. Power on begins with a new `Jukebox`, so that nothing of the time before is left.
/// Changes: `isOn`, `lines`, `routes`, `transport`, `queue`, `playlists`, `playhead`, `volumes`, `sessions`, `cues`,
/// `recording`, `playbackLog`, `saving`, `listening`, `health`.
extension Jukebox {
  mutating func powerOn(_ state: PowerOn, _ turn: inout Turn) {
    self = Jukebox(configuration: configuration, library: library)
    let settings = configuration.settings
    let saved = state.saved.state
    isOn = true
    saving = Saving(interval: settings.saveInterval, at: turn.now)
    health = HealthCounters(played: saved?.played ?? 0, at: turn.now)
    cues = Cues(configuration.cues, done: saved?.doneCues ?? [])
    let seed = settings.shuffle ? saved?.seed ?? state.seed : nil
    readLines(asserted: state.asserted, saved, &turn)
    let selected = selectedPlaylist
    playlists = Playlists(places: saved?.places ?? [])
    playlists.play((selected ?? saved?.playlist).flatMap(library.playlist(called:)), of: library)
    queue = Queue(
      listed, repeats: settings.repeats, afterChosen: settings.afterTrack, shuffle: seed)
    logBoot(state, &turn)
    count(.powerOns, &turn)
    logInitialRoute(&turn)
    if routes.route == .none { transport.unsuited = Unsuited(hold: Hold(since: turn.now, frame: 0), from: nil) }
    settleInterruptions(shouldResume: true, &turn)
    for (index, line) in configuration.lines.enumerated() where state.asserted.contains(LineID(index)) {
      guard case .interrupter(let name) = line.role else { continue }
      follow(sessions.begin(name, LineCause(line: line.name, edge: turn.now)), &turn)
    }
    restore(state, &turn)
    if state.isMusicKept { beginGuess(selected: selected, &turn) }
    noteEmptiness(&turn)
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

  private mutating func readLines(asserted: Set<LineID>, _ saved: SavedState?, _ turn: inout Turn) {
    lines = Lines(configuration.lines, asserted: asserted, configuration.settings, at: turn.now)
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
    configuration.clients.first { $0.name == SessionClient.music.name }?.category ?? .playback
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
    let index = playlists.isCurrent(state.playlist) ? index(restoring: state) : nil
    if playlists.isCurrent(state.playlist) {
      if index == nil { seek(state) }
    } else {
      leave(state)
    }
    if index != nil {
      playhead.stand(at: state.intent == .stopped ? 0 : max(0, state.frame))
      transport.intent = state.intent == .stopped ? .stopped : .paused
      if let name = state.track, playhead.frame > 0 {
        listening.open(name, at: playhead.frame, jumps: playhead.jumps)
      }
    }
    let isPortThere = state.port != nil && state.port == routes.route.port
    let isWanted = configuration.settings.playOnBoot && state.intent == .playing && isPortThere
    let goesOn = isWanted && (index != nil || power.isMusicComplete && isGone(state))
    if goesOn { transport.intent = .playing }
    turn.log(
      .stateRestored, .info,
      [
        "volumes": String(volumes.count), "track": index.map { String($0 + 1) },
        "frame": index.map { _ in String(playhead.frame) }, "intent": transport.intent.rawValue,
        "override": state.override?.word, "category": state.category?.rawValue,
        "chosen": queue.isChosen ? "true" : nil, "playlist": playlists.current,
      ])
    if transport.intent != .stopped { playbackLog.restore() }
    if goesOn {
      playbackLog.note(.asked(.boot, isStart: false))
      settleClients(&turn)
      logPlayback(&turn)
    }
  }

  /// The saved track was taken away while the power was off, and there is other music to play.
  private func isGone(_ state: SavedState) -> Bool {
    !queue.isEmpty && state.track.map { library.id(named: $0) == nil } ?? false
  }

  /// Goes to the saved track, if the queue has it. Returns where that stands in the playlist.
  private mutating func index(restoring state: SavedState) -> Int? {
    // A new order begins at its beginning.
    if queue.seed != nil && state.seed == nil && state.intent == .stopped { return nil }
    guard let id = state.track.flatMap(library.id(named:)), let place = queue.place(of: id) else { return nil }
    if state.isChosen { queue.choose(place) } else { queue.go(to: place) }
    return index(of: id)
  }

  /// A selector was moved while the power was off: the saved place is that of the playlist that it has left.
  private mutating func leave(_ state: SavedState) {
    guard configuration.settings.playlistStart == .resume else { return }
    if let playlist = state.playlist, let track = state.track {
      playlists.remember(PlaylistPlace(playlist: playlist, track: track, frame: state.frame))
    }
    returnToPlace()
  }

  // MARK: - Saving

  /// After every input: the one place that has a save follow a change.
  mutating func settleSaving(_ turn: inout Turn) {
    let isMoving = transport.playback == .playing || transport.playback == .doubtful
    let state = SaveableState(
      stateToSave(at: turn.now), isMoving: isMoving,
      isAskedFor: playbackLog.isAskedFor && !transport.isAudible, jumps: playhead.jumps)
    saving.compare(state, isSounding: commanded.isSounding, at: turn.now)
  }

  mutating func saveNow(_ turn: inout Turn) {
    saving.begin(at: turn.now)
    reportHeard(&turn)
    turn.append(.save(stateToSave(at: turn.now)))
  }

  private func stateToSave(at now: Instant) -> SavedState {
    // At its beginning, an order holds nothing that anybody would miss.
    let isFresh = transport.intent == .stopped && queue.isAtStart
    let category = visit.formerCategory ?? routes.category
    return SavedState(
      volumes: keepsVolumes ? volumes.chosen : [:], track: changes.sought?.name ?? queue.track.map(name(of:)),
      frame: changes.sought?.frame ?? playhead.frame(at: now, rate: configuration.rate), intent: transport.intent,
      port: transport.routeLoss?.from ?? transport.doubt?.from ?? routes.route.port, seed: isFresh ? nil : queue.seed,
      override: override, category: category == ownCategory ? nil : category,
      played: Int(health.report(at: now).played.components.seconds),
      isChosen: changes.sought?.isChosen ?? queue.isChosen, playlist: playlists.current, places: playlists.places,
      doneCues: cues.done)
  }

  /// Whoever comes after a power cut is another visitor (V5).
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
      turn.log(.stateSaved, .warn, ["error": reason])
    }
  }

  mutating func shutDown(reason: String, _ turn: inout Turn) {
    follow(recording.stop(.shutdown), &turn)
    follow(cues.silence(.shutdown), &turn)
    saveNow(&turn)
    let health = health.report(at: turn.now)
    turn.log(.shutdown, .info, ["reason": reason, "frame": frame(at: turn.now), "saves": String(health.saves)], health)
    isOn = false
  }
}
