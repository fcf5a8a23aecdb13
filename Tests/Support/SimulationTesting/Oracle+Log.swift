import AudioSession
import Jukebox

/// Checks each event of the log against the contacts, and applies it to the models.
extension Oracle {
  func apply(_ event: Event) {
    noteStart(event)
    noteChannels(event)
    applyMusic(event)
    demand(pairing.check(event, at: now))
    demand(sleep.check(event, at: now))
    applyHours(event)
    switch event.name {
    case .buttonPressed: applyPress(event)
    case .knobTurned: applyKnobTurn(event)
    case .consoleCommand: applyCommand(event)
    case .portConnected: applyConnection(event)
    case .portDisconnected: applyDisconnection(event)
    case .lineBounced: applyBounce(event)
    case .lineStuck: checkStuck(event)
    case .routeInitial: loggedRoute = port(event, "to")
    case .stateRestored: applyRestoredState(event)
    case .routeChanged: applyRouteChange(event)
    case .interruptionBegan:
      intentModel.settleSkip()
      if event["reason"] == "output-unavailable" { loseOutput() } else { beginInterruption(event) }
    case .interruptionEnded:
      if event["reason"] == "output-unavailable" {
        intentModel.restoreOutput()
      } else {
        intentModel.endInterruption(event["reason"] ?? "", resumes: event["resume"] == "true")
      }
    case .playbackPaused:
      signals.pausedAt = now
      checkHeld(event)
      if event["reason"] == "limit" { applyLimit() }
      if event["cause"] == "sleep" { intentModel.pause() }
      playingSince = nil
    case .playbackStopped: applyStop(event)
    case .queueEnded: intentModel.stopAtEnd()
    case .promptExpired: intentModel.stopAtEnd()
    case .sessionRefused: if event["client"] == ClientName.recorder.text { intentModel.isRecording = false }
    case .cueStarted:
      cueSince = now
      // The only cue of the day, which nothing else has spoken.
      demand(event["cue"] != DailyCueModel.cue || isClockSet, "N5", "it is spoken by a clock that nobody has set")
    case .cueEnded, .cueFailed:
      cueSince = nil
      isCueCut = false
      contacts.end(cue: event["cue"] ?? "", hasFailed: event.name == .cueFailed, at: now)
    case .recordingStopped: if event["reason"] != "power-cut" { intentModel.isRecording = false }
    case .volumeChanged: checkVolumeChange(event)
    case .channelsChanged: applyChannels(event)
    case .outputLost:
      noteHang(event)
      if let port = port(event, "route") { headset.lostAt[port] = now }
    case .promptAnswered: checkAnswer(event)
    case .playbackMoved: applySeek(event)
    case .tokenRead, .tokenUnknown: applyToken(event)
    case .tokenLifted: applyLifted(event)
    case .playlistChanged: applyPlaylistChange(event)
    case .trackStarted: file = event["file"]
    case .visitEnded: knob?.overtake(at: now)
    // To end after the track, or not to, it is decoded again from where it is.
    case .sleepSet, .sleepEnded: playingSince = nil
    case .boot, .playbackStarted, .playbackResumed, .visitBegan, .trackEnded, .trackFailed, .choiceFailed, .queueMoved,
      .libraryChanged, .libraryEmpty, .libraryMissing, .libraryFound, .storageLost, .storageRestored, .promptShown,
      .sessionActivated, .sessionDeactivated, .duckBegan, .duckEnded, .recordingStarted, .recordingUnrepaired,
      .recordingRemoved, .outputRestored, .outputUnderrun, .outputDeepened, .sleepFading, .stateSaved, .stateUnreadable,
      .logDropped, .contentReading, .contentInstalled, .contentRefused, .pairingOpened, .pairingPaired, .pairingFailed,
      .pairingRefused, .pairingClosed, .pairingRemoved, .headsetCalled, .hoursOpened, .hoursClosed, .hoursUnknown,
      .timetableDue, .freePlayBegan, .freePlayEnded, .ledgerRestored, .quietBegan, .quietEnded, .quietUnknown,
      .requestQueued, .requestStarted, .requestRefused, .requestDropped, .creditReturned, .creditsGiven, .ledgerFailed,
      .ledgerUnreadable, .coinTaken, .coinRefused, .shutdown:
      break
    }
  }

  /// Whether the event means that the kiosk is in use, by a visitor or because something sounds (K8). A wake does not, nor
  /// what the storage, the console and the output do by themselves, nor a button that stays down.
  func countsAsUse(_ event: Event) -> Bool {
    if wokeAt == now || event.name == .consoleCommand && event.level == .debug
      || [.libraryChanged, .queueMoved, .storageLost, .storageRestored, .trackFailed].contains(event.name)
      || [.stateSaved, .logDropped, .lineStuck, .outputRestored, .recordingUnrepaired, .recordingRemoved].contains(
        event.name)
    {
      return false
    }
    switch event["reason"] {
    case HoldName.outputUnavailable.rawValue: return event.name != .interruptionEnded
    case RouteChange.Reason.routeConfigurationChange.rawValue: return event.name != .routeChanged
    // A visitor may wait for the end of an interruption, but not for an output.
    case "limit": return event.name != .playbackPaused || !intentModel.interruptions.isEmpty
    default: return true
    }
  }

  /// The route and the category that the console set may come back after a power cut.
  private func applyRestoredState(_ event: Event) {
    if let word = event["override"] { routes.forced = Port(rawValue: word) }
    let category = event["category"].flatMap(SessionCategory.init)
    if let category { routes.category = category }
    demand(playlists.restore(event["playlist"], selected: selectedPlaylist))
    persistence.numbers = playlists.numbers
    logChecker.enter(order, isForTrack: true)
    restorePlace(event)
    resumesAtBoot = event["intent"] == Intent.playing.rawValue
    restoreHours()
    demand(
      !resumesAtBoot || mayOpenAtBoot || kiosk.settings.settings.playOnBoot && persistence.mayPlayAtBoot, "W2",
      "playback resumes by itself")
    let isKnown = persistence.restore(route: routes.forced, category: category)
    demand(isKnown, "W1", "that route or category was not set lately")
    updateIntent()
  }

  func name(_ port: Port?) -> String { port?.rawValue ?? "none" }

  func port(_ event: Event, _ key: String) -> Port? { event[key].flatMap(Port.init) }

  // MARK: - Lines

  private func applyConnection(_ event: Event) {
    guard let port = port(event, "port"), let line = event["line"] else {
      return demand(false, "K5", "port.connected without a port and its line")
    }
    let contact = lines[line]
    demand(routes.line(of: port) == line, "R2", "\(line) is not the line of \(port.rawValue)")
    noteVisitPlug(port, isIn: true, firstEdge: contact.firstEdge ?? now)
    if routes.failed.contains(port), contact.level, !contact.isInDoubt {
      // B2: it is tried again.
      let former = route
      routes.failed.remove(port)
      intentModel.connect(port, routes, routeWas: former, is: route, isRefused: refusesVisitors, at: now)
      return updateIntent()
    }
    routes.failed.remove(port)
    demand(contact.isDue(at: now) && contact.seen && !contact.level, "R2", "\(line) has not been asserted long enough")
    let former = route
    lines[line].settle()
    intentModel.connect(port, routes, routeWas: former, is: route, isRefused: refusesVisitors, at: now)
    updateIntent()
  }

  private func applyDisconnection(_ event: Event) {
    guard let port = port(event, "port"), let line = event["line"] else {
      return demand(false, "K5", "port.disconnected without a port and its line")
    }
    let contact = lines[line]
    let isFailure = isFailure(port, line)
    if isFailure { applyFailure(of: port) }
    let isReleased = contact.isDue(at: now) && !contact.seen && contact.level
    noteVisitPlug(port, isIn: false, firstEdge: isFailure ? now : contact.firstEdge ?? now)
    demand(isFailure || isReleased, "R4", "\(line) has not been released long enough")
    if cueSince != nil && route == port { isCueCut = true }
    let lost = [intentModel.doubt?.from, intentModel.loss?.from, intentModel.unsuited?.from]
    let isHeard = route == port || lost.contains(port)
    if isHeard && routes.isPrivate(port) { overtakePresses() }
    intentModel.disconnect(port, routes, at: now)
    if isFailure {
      routes.failed.insert(port)
      // While nothing is wanted there is nothing to hold, whether its line is steady or not.
      if intentModel.doubt?.from == port { intentModel.doubt = nil }
    } else {
      lines[line].settle()
    }
    updateIntent()
  }

  private func applyBounce(_ event: Event) {
    let line = event["line"] ?? ""
    let contact = lines[line]
    demand(contact.isDue(at: now) && contact.seen == contact.level, "R5", "\(line) has not bounced")
    lines[line].settle()
  }

  private func checkStuck(_ event: Event) {
    let line = event["line"] ?? ""
    demand(lines[line].level, "K4", "\(line) is stuck, though it is up")
    demand(stuck.insert(line).inserted, "K4", "\(line) is logged as stuck again")
    // A contact that chatters without a pause is stuck by the number of its edges.
    if event["edges"] == nil, let since = downSince[line] {
      let limit = contacts.stuckAfter(line).map { (latest(since, wokeAt) ?? since) + $0 - .milliseconds(1) }
      demand(limit.map { now >= $0 } ?? false, "K4", "\(line) is logged as stuck too soon")
    }
  }

  /// The private port is lost: presses that are under way were meant for it.
  private func overtakePresses() {
    let buttons = kiosk.board.lines.filter { if case .button = $0.role { true } else { false } }.map(\.name)
    reader.overtake()
    knob?.overtake(at: now)
    music.awaited = nil
    contacts.delays = [:]
    presses.overtake(buttons.filter { lines[$0].level || lines[$0].firstEdge != nil }, at: now)
  }

  /// K2, R11: the volume moves with a press, a command, or a button that has been down for long enough awake.
  private func checkVolumeChange(_ event: Event) {
    // This may be the only line of all that the kiosk does for the next visitor.
    if event["cause"] == "headset" { return demand(headset.volume?.check(event, wokeAt: wokeAt, at: now)) }
    guard event["cause"] == nil else { return noteIdle() }
    if commandedAt == now { return demand(volumeCommand.map { $0.check(event, ports: routes.ports) } ?? nil) }
    let isMoved = kiosk.board.lines.contains { line in
      guard line.role == .button(.volumeUp) || line.role == .button(.volumeDown) else { return false }
      guard let since = downSince[line.name] else { return false }
      // A button held across a route change does not repeat on the new port.
      let isHeld = since >= routeChangedAt && now >= (latest(since, wokeAt) ?? since) + .milliseconds(399)
      return since == now || isHeld
    }
    demand(isMoved, "K2", "the volume changes without a press or a command")
  }

  /// R2, R4, R6, R8–R12: from the route that the log named last, to the current one.
  private func applyRouteChange(_ event: Event) {
    demand(event["from"] == name(loggedRoute), "K5", "a route change that is not from \(name(loggedRoute))")
    let to = port(event, "to")
    demand(to == route, "R6", "a route change to \(name(to)), where \(name(route)) is the route")
    let reason = event["reason"].flatMap(RouteChange.Reason.init)
    switch reason {
    case .wakeFromSleep: demand(wokeAt == now && to == loggedRoute, "R11", "it was not woken")
    case .routeConfigurationChange:
      demand(to == loggedRoute, "R12", "the same port in another shape, and the route changes")
    case .noSuitableRoute: demand(to == nil, "R9", "there is a route")
    case .newDeviceAvailable, .oldDeviceUnavailable, .override:
      demand(to != loggedRoute && to != nil, "R6", "a route change without a change")
    case .categoryChange: break
    case .unknown, nil: demand(false, "R2", "no known reason for a route change")
    }
    if to != loggedRoute {
      routeChangedAt = now
      knob?.overtake(at: now)
      noteHangs(from: loggedRoute, to: to)
    }
    if let loggedRoute, to != loggedRoute {
      leftAt[loggedRoute] = now
      headset.stoodAt = nil
      beginLeaving(loggedRoute, for: to)
    }
    if to == nil && loggedRoute != nil { intentModel.unsuited = (intentModel.unsuited?.since ?? now, loggedRoute) }
    loggedRoute = to
  }
}
