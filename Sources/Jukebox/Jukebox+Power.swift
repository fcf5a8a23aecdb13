import AudioSession

/// Power on, saving, and the way out.
extension Jukebox {
  /// How long a change waits for others before all are saved together.
  private static let saveDelay = Duration.seconds(2)

  mutating func powerOn(_ state: PowerOn, at now: Instant) {
    self = Jukebox(configuration: configuration, library: library)
    let settings = configuration.settings
    isOn = true
    queue = Queue(count: library.count, repeats: settings.repeats, shuffle: settings.shuffle ? state.seed : nil)
    readLines(asserted: state.asserted, at: now)
    logBoot(state.realTime)
    let isForced = routes.route.port != nil && routes.route.port == routes.forced
    log(.routeInitial, .info, ["to": routes.route.description, "reason": isForced ? "override" : nil])
    if routes.route == .none { transport.unsuited = Unsuited(hold: Hold(since: now, frame: 0), from: nil) }
    settleInterruptions(shouldResume: true, at: now)
    for (index, line) in configuration.lines.enumerated() where state.asserted.contains(LineID(index)) {
      if case .interrupter(let name) = line.role { begin(name, LineCause(line: line.name, edge: now), at: now) }
    }
    restore(state.saved, at: now)
    touch(at: now)
  }

  private mutating func logBoot(_ realTime: RealTimeGrant?) {
    let isRefused = realTime?.refusals.isEmpty == false
    log(
      .boot, isRefused ? .warn : .info,
      [
        "tracks": String(library.count), "rate": String(configuration.rate),
        "ports": String(configuration.ports.count),
        "realtime": realTime.map { _ in isRefused ? "refused" : "granted" },
        "reason": isRefused ? realTime?.refusals.joined(separator: "; ") : nil,
      ])
  }

  /// The levels at power on are the truth at once: no debounce, no route change (R1).
  private mutating func readLines(asserted: Set<LineID>, at now: Instant) {
    var plugged: Set<String> = []
    for (index, line) in configuration.lines.enumerated() {
      let isAsserted = asserted.contains(LineID(index))
      var gestures: ButtonGestures?
      if case .button(let button) = line.role {
        gestures = ButtonGestures(button: button, isDown: isAsserted)
        if isAsserted {
          outbox.append(.setTimer(.stuck(LineID(index)), now + configuration.settings.stuckAfter))
        }
      } else if isAsserted {
        plugged.insert(line.name)
        if line.role == .mute { isMuted = true }
      }
      lines.append(LineState(debouncer: Debouncer(level: isAsserted), gestures: gestures))
    }
    routes = RouteMonitor(
      ports: configuration.ports, plugged: plugged, forced: configuration.settings.route,
      category: configuration.clients.first { $0.name == SessionClient.music.name }?.category ?? .playback)
  }

  /// What was saved comes back silently; it plays only if told to, and only on the port it was playing on (W2).
  private mutating func restore(_ saved: PowerOn.Saved, at now: Instant) {
    switch saved {
    case .nothing: break
    case .unreadable(let reason): log(.stateUnreadable, .warn, ["reason": reason])
    case .state(let state):
      volumes.restore(state.volumes)
      guard let index = library.firstIndex(where: { $0.name == state.track }),
        let place = queue.order.firstIndex(of: index)
      else { return log(.stateRestored, .info, ["volumes": String(state.volumes.count)]) }
      queue.place = place
      playhead.stand(at: state.intent == .stopped ? 0 : max(0, state.frame))
      transport.intent = state.intent == .stopped ? .stopped : .paused
      log(
        .stateRestored, .info,
        ["volumes": String(state.volumes.count), "track": String(index + 1), "frame": String(playhead.frame)])
      let isPortThere = state.port != nil && state.port == routes.route.port
      if configuration.settings.playOnBoot && state.intent == .playing && isPortThere {
        transport.intent = .playing
        settleClients(at: now)
        logResumed(cause: "boot", at: now)
      }
    }
  }

  // MARK: - Saving

  mutating func saveSoon(at now: Instant) {
    guard !isSavePending else { return }
    isSavePending = true
    outbox.append(.setTimer(.save, now + Self.saveDelay))
  }

  mutating func saveNow(at now: Instant) {
    isSavePending = false
    outbox.append(
      .save(
        SavedState(
          volumes: volumes.chosen, track: queue.track.map { library[$0].name },
          frame: playhead.frame(at: now, rate: configuration.rate), intent: transport.intent,
          port: transport.routeLoss?.from ?? routes.route.port)))
  }

  /// A failure is said once, until saving works again (W3).
  mutating func stored(_ report: StorageReport) {
    switch report {
    case .saved:
      hasReportedStorage = false
      log(.stateSaved, .debug)
    case .failed(let reason):
      guard !hasReportedStorage else { return }
      hasReportedStorage = true
      log(.stateSaved, .warn, ["error": reason])
    }
  }

  mutating func shutDown(reason: String, at now: Instant) {
    if isSavePending { outbox.append(.cancelTimer(.save)) }
    stopRecording(reason: "shutdown", at: now)
    silenceCues(reason: "shutdown", at: now)
    saveNow(at: now)
    log(.shutdown, .info, ["reason": reason, "frame": frame(at: now)])
    isOn = false
  }
}
