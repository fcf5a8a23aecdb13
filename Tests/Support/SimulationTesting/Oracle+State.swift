import AudioSession
import Jukebox
import Simulator

/// Checks the state of the kiosk whenever all events of an instant are over.
extension Oracle {
  /// The log has reported every contact that is steady.
  func checkLines() {
    for line in kiosk.board.lines where lines[line.name].isDue(at: now) {
      let contact = lines[line.name]
      switch line.role {
      case .sense where failedPort(sensedBy: line.name).map { _ in !contact.seen || !contact.level } ?? false:
        // B2: the port counted as out already.
        if let port = failedPort(sensedBy: line.name), !contact.seen { routes.failed.remove(port) }
      case .sense:
        demand(false, contact.seen == contact.level ? "R5" : "R4", "\(line.name) is steady, and the log says nothing")
      case .button:
        demand(!contact.seen || contact.level, "K1", "\(line.name) is down, and the log says nothing")
        if !contact.seen {
          presses.release(line.name)
          downSince[line.name] = nil
          stuck.remove(line.name)
          contacts.open(line.name, at: now)
        }
      case .selector: checkSelector(line.name)
      case .interrupter, .mute, .silence, .coin, .freePlay, .lamp, .signal, .ampMute, .coinInhibit: break
      }
      lines[line.name].settle()
    }
  }

  private func failedPort(sensedBy line: String) -> Port? {
    routes.failed.first { routes.line(of: $0) == line }
  }

  /// R1, W1, W2: the first route, and what was restored.
  func checkBoot(_ status: Status) {
    bootedAt = nil
    demand(loggedRoute == route, "R1", "the first route is \(name(loggedRoute)), expected \(name(route))")
    demand(persistence.checkBoot(status, mayOpen: mayOpenAtBoot, at: now))
    // The holds are compared next; the intent to play may be held.
    intentModel.intent = status.state == .stopped ? .stopped : .paused
    if resumesAtBoot { intentModel.intent = .playing }
  }

  func checkPlayback(_ status: Status, _ scene: SimulationSnapshot) {
    let isRecording = status.recordingSince != nil
    let holds = Set(status.holds)
    demand(
      holds == intentModel.holds, row(of: holds.symmetricDifference(intentModel.holds)),
      "held by \(names(status.holds)), expected \(names(intentModel.holds.sorted { $0.rawValue < $1.rawValue }))")
    demand(isRecording == intentModel.isRecording, "C3", "it \(isRecording ? "still records" : "does not record")")
    if !isRecording {
      demand(
        status.state == intentModel.state, "P9",
        "it is \(status.state.rawValue), expected \(intentModel.state.rawValue): \(intentModel.intent.rawValue) is wanted"
      )
    }
    let isPromptShown = intentModel.loss?.isPromptShown == true
    demand(status.isPromptShown == isPromptShown, "Q1", "the prompt is \(isPromptShown ? "not shown" : "shown")")
    let lamp: LampPattern =
      isRecording
      ? .on : pairing.isOpen ? .tripleFlash : isPromptShown ? .blink : intentModel.isAudible ? .on : .off
    demand(
      scene.lamp == lamp && status.lamp == lamp, "Q1", "the lamp is \(scene.lamp.rawValue), expected \(lamp.rawValue)")
    demand(
      isOccupied || isRecording || !intentModel.isPromptOverdue(at: now), "Q4",
      "the prompt is shown for longer than prompt_timeout")
    demand(intentModel.checkLimit(at: now), "I9", "an interruption lasts for longer than its limit")
    checkInterruptions(status)
  }

  private func row(of holds: Set<HoldName>) -> String {
    if holds.contains(.closed) { return "H1" }
    if holds.contains(.routeLost) { return "P1" }
    if holds.contains(.interruption) { return "I1" }
    if holds.contains(.storageUnavailable) { return "X4" }
    return holds.contains(.outputUnavailable) ? "I14" : "R9"
  }

  private func names(_ holds: [HoldName]) -> String {
    holds.isEmpty ? "nothing" : holds.map(\.rawValue).joined(separator: ", ")
  }

  /// Every asserted line interrupts, and every interruption has its client.
  private func checkInterruptions(_ status: Status) {
    dismissed = dismissed.filter { lines[$0].level }
    let isContact = ["PAGE", "ALARM"].contains { lines[$0].level && !dismissed.contains($0) }
    let isMute = lines["MUTE"].level && routes.category.obeysMute
    let isHeld = status.holds.contains(.interruption)
    demand(isHeld || !isContact && !isMute, "I1", "a contact interrupts, and playback is not held")
    let mayHold =
      isContact || isMute || !typedInterrupters.isEmpty || status.cue != nil
      || status.sessions.contains(ClientName.recorder.text)
    demand(!isHeld || mayHold, "I2", "no interruption is left, and playback is held")
    for name in intentModel.interruptions where name != "mute" && name != "no-input" {
      demand(
        status.sessions.contains(name) || status.interrupted.contains(name), "S8",
        "\(name) interrupts without the session")
    }
  }

  func checkRoute(_ status: Status) {
    let expected = route
    demand(status.route.port == expected, "R6", "the route is \(status.route), expected \(name(expected))")
    demand(status.connected == routes.connected(lines), "R2", "other ports count as connected")
    demand(loggedRoute == expected, "K5", "the log has not named the route \(name(expected))")
    if let port = status.route.port, let volume = status.volume {
      let ceiling = routes.setup(port)?.ceiling ?? 100
      demand(
        (0...ceiling).contains(volume), "R13", "the volume of \(port.rawValue) is \(volume), its ceiling \(ceiling)")
    }
  }

  /// Nothing takes longer than it may.
  func checkTimeLimits(_ status: Status, _ scene: SimulationSnapshot) {
    demand(!isCueCut, "D7", "a cue goes on, though its port was unplugged")
    if status.cue == nil { cueSince = nil }
    if let cueSince { demand(now < cueSince + .seconds(61), "D5", "a cue has taken more than a minute") }
    let isDucker = status.cue != nil || !typedInterrupters.isDisjoint(with: status.sessions)
    demand(!status.isDucked || isDucker, "D5", "ducked without a cue or an interruption")
    // Each client that begins has a minute of its own.
    // The scene before may be long ago: where it was not ducked, nobody knows for how long it has been since.
    let isDuckedAlone = status.isDucked && status.cue == nil
    duckedSince = isDuckedAlone ? duckedSince.map { max($0, wokeAt ?? $0) } ?? now : nil
    if let duckedSince { demand(now < duckedSince + .seconds(61), "D5", "ducked for more than a minute without a cue") }
    if intentModel.isOutputLost && !isOutputFailing && status.route.port != nil,
      let restoredAt = latest(restoredAt, wokeAt)
    {
      demand(now < restoredAt + .seconds(32), "I14", "the output has been back for 32 s, and still counts as lost")
    }
    let isQuiet = status.state != .playing && status.cue == nil
    quietSince = isQuiet ? quietSince ?? now : nil
    if let quietSince, now > quietSince + .seconds(1) {
      demand(scene.isAmplifierMuted, "amplifier", "it has been open in silence for a second")
    }
    if !isQuiet && lastScene?.isAmplifierMuted == true && scene.isAmplifierMuted, let before = lastScene?.at {
      let begin = before.frame(rate: kiosk.board.rate)
      demand(!probes.values.contains { $0.lastSound > begin + 1 }, "amplifier", "it is muted, and something sounds")
    }
  }

  func latest(_ a: Instant?, _ b: Instant?) -> Instant? { [a, b].compactMap { $0 }.max() }

  /// K4.
  func checkButtons() {
    for (line, since) in downSince where !stuck.contains(line) {
      guard let time = contacts.stuckAfter(line) else { continue }
      let limit = (latest(since, wokeAt) ?? since) + time + .milliseconds(100)
      demand(now < limit, "K4", "\(line) has been down for long, and is not logged as stuck")
    }
  }

  /// K8: the next visitor finds the kiosk as it starts.
  func checkIdle(_ status: Status) {
    let isWaiting = status.holds.contains(.interruption) && intentModel.intent == .playing
    let isBusy = status.state == .playing || status.cue != nil || isOccupied || isWaiting
    // A prompt that waits has a time-out of its own (P3).
    if isBusy || status.isPromptShown { usedAt = now }
    let settings = kiosk.settings.settings
    guard settings.idleReset > .zero, now >= usedAt + settings.idleReset else { return }
    noteIdle()
    guard let since = latest(latest(usedAt, perhapsUsedAt), wokeAt), now > since + settings.idleReset + .seconds(1)
    else { return }
    // Tracks that came since are where their names belong, before the start, too.
    let isFirst = settings.shuffle || status.track == 1 || music.listedAt > usedAt
    let isAtStart =
      status.state == .stopped && status.frame == 0 && isFirst
      && status.playlist == selectedPlaylist
    let ceiling = routes.setup(status.route.port)?.ceiling ?? 100
    let isSoft = status.volume == nil || status.volume == min(settings.startVolume, ceiling)
    demand(isAtStart && isSoft && !status.isPromptShown, "K8", "idle for long, and not reset")
  }

  /// The kiosk may have been reset: the other ports' volumes and the choice of a stopped kiosk are, without an event.
  func noteIdle() {
    persistence.reset()
    logChecker.noteIdle()
    music.sought?.isCertain = false
  }
}
