import AudioSession
import Jukebox

@testable import Simulator

/// How the kiosk must be at every moment.
extension Judge {
  /// Everything that was due has been told.
  func checkContacts() {
    for line in kiosk.board.lines where contacts[line.name].isDue(at: now) {
      let contact = contacts[line.name]
      switch line.role {
      case .sense:
        demand(false, contact.seen == contact.level ? "R5" : "R4", "\(line.name) is steady, and the log says nothing")
      case .button:
        demand(!contact.seen || contact.level, "K1", "\(line.name) is down, and the log says nothing")
        if !contact.seen {
          fingers.lift(line.name)
          downSince[line.name] = nil
          stuck.remove(line.name)
        }
      case .interrupter, .mute, .lamp, .ampMute: break
      }
      contacts[line.name].settle()
    }
  }

  /// W2: what there was to say at power on has been said.
  func acceptBoot(_ status: Status) {
    bootedAt = nil
    demand(loggedRoute == route, "R1", "the first route is \(name(loggedRoute)), expected \(name(route))")
    if let objection = memory.didBoot(status, at: now) { demand(false, objection.row, objection.message) }
    // Before the holds that may keep it from sounding: it may be on its way.
    wishes.wanted = status.state == .stopped ? .stopped : .paused
    if goesOnAtBoot { wishes.wanted = .playing }
  }

  func checkTransport(_ status: Status, _ scene: Scene) {
    let isRecording = status.recordingSince != nil
    let holds = Set(status.holds)
    demand(
      holds == wishes.holds, row(of: holds.symmetricDifference(wishes.holds)),
      "held by \(names(status.holds)), expected \(names(wishes.holds.sorted { $0.rawValue < $1.rawValue }))")
    demand(isRecording == wishes.isRecording, "C3", "it \(isRecording ? "still records" : "does not record")")
    if !isRecording {
      demand(
        status.state == wishes.state, "P9",
        "it is \(status.state.rawValue), expected \(wishes.state.rawValue): \(wishes.wanted.rawValue) is wanted")
    }
    let isAsked = wishes.loss?.isAsked == true
    demand(status.isPromptShown == isAsked, "Q1", "the prompt is \(isAsked ? "not there" : "there")")
    let lamp: LampPattern = isRecording ? .on : isAsked ? .blink : wishes.isAudible ? .on : .off
    demand(
      scene.lamp == lamp && status.lamp == lamp, "Q1", "the lamp is \(scene.lamp.rawValue), expected \(lamp.rawValue)")
    demand(!wishes.isPromptOverdue(at: now), "Q4", "the prompt is there for longer than prompt_timeout")
    demand(wishes.watchLimit(at: now), "I9", "an interruption lasts for longer than its limit")
    checkInterruptions(status)
  }

  private func row(of holds: Set<HoldName>) -> String {
    if holds.contains(.routeLost) { return "P1" }
    if holds.contains(.interruption) { return "I1" }
    return holds.contains(.outputUnavailable) ? "I14" : "R9"
  }

  private func names(_ holds: [HoldName]) -> String {
    holds.isEmpty ? "nothing" : holds.map(\.rawValue).joined(separator: ", ")
  }

  /// Whoever interrupts is there, and whoever is there interrupts.
  private func checkInterruptions(_ status: Status) {
    dismissed = dismissed.filter { contacts[$0].level }
    let isContact = ["PAGE", "ALARM"].contains { contacts[$0].level && !dismissed.contains($0) }
    let isMute = contacts["MUTE"].level && routes.category.obeysMute
    let isHeld = status.holds.contains(.interruption)
    demand(isHeld || !isContact && !isMute, "I1", "a contact interrupts, and nothing is held")
    let mayHold =
      isContact || isMute || !typedInterrupters.isEmpty || status.cue != nil
      || status.sessions.contains(SessionClient.recorder.name)
    demand(!isHeld || mayHold, "I2", "nobody interrupts any more, and it is held")
    for name in wishes.interruptions where name != "mute" && name != "no-input" {
      demand(
        status.sessions.contains(name) || status.interrupted.contains(name), "S8",
        "\(name) interrupts without the session")
    }
  }

  func checkRoute(_ status: Status) {
    let expected = route
    demand(status.route.port == expected, "R6", "the route is \(status.route), expected \(name(expected))")
    demand(status.connected == routes.connected(contacts), "R2", "it takes other ports for connected")
    demand(loggedRoute == expected, "K5", "the log has not told of the route \(name(expected))")
    if let port = status.route.port, let volume = status.volume {
      let ceiling = routes.setup(port)?.ceiling ?? 100
      demand(
        (0...ceiling).contains(volume), "R13", "the volume of \(port.rawValue) is \(volume), its ceiling \(ceiling)")
    }
  }

  /// What takes too long.
  func checkPatience(_ status: Status, _ scene: Scene) {
    demand(!isCueCut, "D7", "a cue goes on, though its port is gone")
    if status.cue == nil { cueSince = nil }
    if let cueSince { demand(now < cueSince + .seconds(61), "D5", "a cue has been there for more than a minute") }
    let isDucker = status.cue != nil || !typedInterrupters.isDisjoint(with: status.sessions)
    demand(!status.isDucked || isDucker, "D5", "ducked, and nobody speaks")
    // Whoever has asked last has a minute of its own.
    duckedSince = !status.isDucked || status.cue != nil ? now : latest(duckedSince, wokeAt) ?? now
    demand(now < duckedSince + .seconds(61), "D5", "ducked for more than a minute, and no cue speaks")
    if wishes.isOutputLost && !isFailing && status.route.port != nil, let restoredAt = latest(restoredAt, wokeAt) {
      demand(now < restoredAt + .seconds(32), "I14", "the output has been back for 32 s, and is still taken for lost")
    }
    let isQuiet = status.state != .playing && status.cue == nil
    quietSince = isQuiet ? quietSince ?? now : nil
    if let quietSince, now > quietSince + .seconds(1) {
      demand(scene.isAmplifierMuted, "amplifier", "it has been open in silence for a second")
    }
    if !isQuiet && last?.isAmplifierMuted == true && scene.isAmplifierMuted, let before = last?.at {
      let begin = before.frame(rate: kiosk.board.rate)
      demand(!ears.values.contains { $0.lastSound > begin + 1 }, "amplifier", "it is muted, and something sounds")
    }
  }

  func latest(_ a: Instant?, _ b: Instant?) -> Instant? { [a, b].compactMap { $0 }.max() }

  /// K4.
  func checkButtons() {
    for (line, since) in downSince where !stuck.contains(line) {
      let begin = latest(since, wokeAt) ?? since
      let limit = begin + kiosk.settings.settings.stuckAfter + .milliseconds(100)
      demand(now < limit, "K4", "\(line) has been down for long, and is not told to be stuck")
    }
  }

  /// K8: the next visitor finds it as the first one did.
  func checkIdle(_ status: Status) {
    let isWaiting = status.holds.contains(.interruption) && wishes.wanted == .playing
    let isBusy = status.state == .playing || status.cue != nil || wishes.isRecording || isWaiting
    // A prompt that waits has a time-out of its own (P3).
    if isBusy || status.isPromptShown { touchedAt = now }
    let settings = kiosk.settings.settings
    guard settings.idleReset > .zero, now >= touchedAt + settings.idleReset else { return }
    // The other ports' volumes go back without a word.
    memory.reset()
    guard let since = latest(touchedAt, wokeAt), now > since + settings.idleReset + .seconds(1) else { return }
    let isAtStart = status.state == .stopped && status.frame == 0 && (settings.shuffle || status.track == 1)
    let ceiling = routes.setup(status.route.port)?.ceiling ?? 100
    let isSoft = status.volume == nil || status.volume == min(settings.startVolume, ceiling)
    demand(isAtStart && isSoft && !status.isPromptShown, "K8", "idle for long, and not as at the start")
  }
}
