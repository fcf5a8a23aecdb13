import AudioSession
import Jukebox
import Simulator

/// Checks what is heard at which port, how loud, and which frame.
extension Oracle {
  /// Music that begins is heard within this time.
  private static let startLatency = Duration.milliseconds(60)
  /// Music that ends is silent after this time (R3).
  private static let fade = Duration.milliseconds(5)
  /// A cue that ends while the music fades out fades after it, each after what the card keeps.
  private static let cueFade = Duration.milliseconds(9)

  func checkSound(_ status: Status) {
    demand(sleep.fault(at: now))
    let frame = now.frame(rate: kiosk.board.rate)
    let isPlaying = intentModel.isAudible
    if isPlaying && !isSameSound(status) { (playingSince, changedAt) = (now, now) }
    if !isPlaying { playingSince = nil }
    let before = lastScene?.status
    let isChanged = status.volume != before?.volume || status.isDucked != before?.isDucked || status.cue != before?.cue
    if isChanged { levelSince = now }
    let playing = isPlaying ? ports(status) : []
    // A cue may speak while its port is steady (D7).
    let speaking = status.cue != nil && intentModel.doubt == nil ? ports(status) : []
    let musicDue =
      now + (restartsSlowly ? .milliseconds(500) : Self.startLatency) + opening(of: status.route.port)
      + leftDelay
    if let leaving = headset.leaving {
      if !isPlaying && speaking.isEmpty || status.route.port == leaving.port || now > leaving.until + .milliseconds(100)
      {
        endLeaving()
      }
    }
    for port in probes.keys {
      probes[port]?.skipSilence(until: frame)
      let isLeft = headset.leaving?.port == port
      permit(playing.contains(port), speaking.contains(port), on: port, from: frame)
      if isLeft, let leaving = headset.leaving {
        let end = leaving.until.frame(rate: kiosk.board.rate) + Self.startLatency.frames(rate: kiosk.board.rate)
        // In a multi-route it goes on beside the route (S6).
        if !playing.contains(port) { probes[port]?.musicEnd = end }
        if !speaking.contains(port) { probes[port]?.cueEnd = end }
      }
      let (isRoute, isClosing) = (port == status.route.port, hours?.closingSince != nil)
      let isOther = playing.contains(port) || speaking.contains(port)
      probes[port]?.setGain(
        isRoute
          ? sampleGain(at: port, volume: status.volume ?? 0) : isOther ? 1 : isLeft ? headset.leaving?.gain ?? 0 : 0)
      let isDue = isRoute && isPlaying && !sleep.isFading && !isClosing && audibleLevel(status) >= 40 && !isSilent(port)
      if !isDue { probes[port]?.musicDue = nil }
      if isDue && probes[port]?.musicDue == nil {
        let due = (musicDue + delay(of: port)).frame(rate: kiosk.board.rate)
        probes[port]?.musicDue = due
      }
      // A change may come while the one before is not heard yet.
      if playingSince == now, let due = probes[port]?.musicDue { probes[port]?.musicDue = max(due, frame) }
    }
    checkHeard(status, frame)
  }

  private func isSameSound(_ status: Status) -> Bool {
    playingSince != nil && lastScene?.status?.route == status.route && lastScene?.status?.file == status.file
  }

  /// A device that failed has to be opened again.
  var restartsSlowly: Bool {
    guard let cut = probes.values.compactMap(\.cut).max() else { return false }
    return now < Instant.of(frame: cut, rate: kiosk.board.rate) + .milliseconds(500) + opening(of: loggedRoute)
  }

  private func ports(_ status: Status) -> Set<Port> {
    if routes.category == .multiRoute && status.route.port != nil { return status.connected }
    return status.route.port.map { [$0] } ?? []
  }

  /// How long a change waits for what the port's card has fetched, or cannot rewind (P14, P15).
  func delay(of port: Port) -> Duration { probes[port]?.delay ?? .zero }

  /// A card that cannot be rewound has this much queued from now on.
  func noteDeeper(_ queued: Duration) {
    for port in probes.keys where probes[port]?.card.takesBack == false {
      let deeper = max(probes[port]?.deeper ?? .zero, queued - .milliseconds(29))
      probes[port]?.deeper = deeper
    }
  }

  /// The card that plays, or did until now, and those that were left so shortly before its edge that the fade there was
  /// still heard: on another port it is not cut.
  func noteCard(of port: Port?) {
    let card = port.flatMap { probes[$0]?.card } ?? .usual
    let left = leftAt.filter { $0.key != port && now < $0.value + .milliseconds(100) }
      .compactMap { probes[$0.key] }
    let step = left.map(\.card.positionStep).reduce(card.positionStep, max)
    let rate = kiosk.board.rate
    logChecker.card = (
      step.frames(rate: rate), (port.map { delay(of: $0) } ?? card.delay).frames(rate: rate),
      (left.map(\.delay).max() ?? .zero).frames(rate: rate)
    )
  }

  /// R3, P14: the plug of the route may be leaving. A card that cannot rewind everything is
  /// stopped; simulated cards stop at once.
  func noteEdge(at port: Port) {
    guard var probe = probes[port], routes.isPrivate(port), let line = routes.line(of: port), lines[line].isInDoubt,
      !lines[line].raw
    else { return }
    let frame = now.frame(rate: kiosk.board.rate)
    let end = frame + Self.fade.frames(rate: kiosk.board.rate) + 1
    // A contact that bounces has its next edge before what the first one stopped is looked at.
    let start = probe.stop.flatMap { $0.contains(frame) ? $0.lowerBound : nil } ?? frame
    if probe.card != .usual { probe.stop = start...end }
    // Also what another change is silencing already, such as that of the track.
    probe.musicEnd = min(probe.musicEnd ?? end, end)
    probe.cueEnd = min(probe.cueEnd ?? end, end)
    probes[port] = probe
  }

  /// Music that is paused in the instant of its start opens the amplifier, and a card that cannot be rewound has some
  /// of it.
  func noteStart(_ event: Event) {
    guard [.playbackStarted, .playbackResumed].contains(event.name) else { return }
    quietSince = nil
    if let port = loggedRoute { probes[port]?.musicEnd = nil }
  }

  private func permit(_ music: Bool, _ cue: Bool, on port: Port, from frame: Int) {
    let rate = kiosk.board.rate
    let end = frame + (Self.fade + delay(of: port)).frames(rate: rate) + 1
    // Music that was skipped in this instant fades out before all that.
    let skip = changedAt.map { now < $0 + .milliseconds(20) } ?? false ? Self.fade + delay(of: port) : .zero
    let cueEnd = frame + (Self.cueFade + delay(of: port) * 2 + skip).frames(rate: rate) + 1
    if music { probes[port]?.musicEnd = nil } else if probes[port]?.musicEnd == nil { probes[port]?.musicEnd = end }
    if cue { probes[port]?.cueEnd = nil } else if probes[port]?.cueEnd == nil { probes[port]?.cueEnd = cueEnd }
  }

  func audibleLevel(_ status: Status) -> Double {
    let duck = status.isDucked ? gain(ofVolume: 100 + Int(kiosk.settings.settings.duckLevel * 2)) : 1
    return Double(TestMusic.level) * sampleGain(at: status.route.port, volume: status.volume ?? 0) * duck
  }

  /// Checks level and frame where both have been steady for a while.
  private func checkHeard(_ status: Status, _ frame: Int) {
    guard let port = status.route.port, let probe = probes[port], let track = status.file, let playingSince,
      !probe.isResampled, !restartsSlowly, !isTroubled, !sleep.disturbsLevel(at: now),
      hours?.disturbsLevel(at: now) != true, !isAdrift(port),
      now > playingSince + .milliseconds(700),
      now > levelSince + .seconds(2), probe.tail.count == OutputProbe.tailFrames
    else { return }
    let length = TestMusic.frames(of: track) ?? 0
    let margin = TestMusic.ramp + OutputProbe.tailFrames
    guard (margin..<max(margin, length - margin)).contains(status.frame) else { return }
    let expected = audibleLevel(status)
    if !probe.channels.isStereo(at: probe.position - OutputProbe.tailFrames) {
      return checkSides(probe, status, level: expected, on: port)
    }
    let level = Double(probe.tail[OutputProbe.tailFrames - 1].left)
    let isSteady = abs(level - expected) <= 3 + expected / 50
    // The end of what was decoded is seen on a card with a short queue when that queue is due (P14, X4).
    if !isSteady, mayRunDry {
      music.ranDryAt = music.ranDryAt ?? now
      if let since = music.ranDryAt, now <= since + Self.fade + probe.delay { return }
    }
    demand(
      isSteady, status.isDucked ? "D1" : "D2",
      "\(port.rawValue): the music's level is \(Int(level)), expected \(Int(expected))")
    guard level >= 100, status.cue == nil, now > levelSince + .seconds(3) else { return }
    for back in [1, 41, 81] {
      let (left, right) = probe.tail[OutputProbe.tailFrames - back]
      let expectedRight = TestMusic.right(at: status.frame - back) * left / TestMusic.level
      // Two frames of tolerance, for rounding and for a frame that has only begun, and a step of the position (P15).
      let tolerance = 2 + probe.card.positionStep.frames(rate: kiosk.board.rate)
      let slope = 120 * tolerance * left / TestMusic.level + 3
      demand(
        abs(right - expectedRight) <= slope, "I2",
        "\(port.rawValue): the frame heard is not \(status.frame) of \(track), as the status has it")
    }
  }

  /// After a silence of its link that was too short to be noticed, a headset is behind what is believed until it starts
  /// again.
  func isAdrift(_ port: Port) -> Bool {
    guard routes.isWireless(port), let troubledAt = headset.troubledAt, let playingSince else { return false }
    return playingSince <= troubledAt + .seconds(3)
  }

  // MARK: - Cuts

  /// The device drops what it has queued, at this instant: without a fade, and it takes time to play again.
  /// - Parameter card: the port whose card was exchanged. If that is not the one which sounds on until the device of
  /// the route is open, that one does (B1).
  func cutSound(card: Port? = nil) {
    let frame = now.frame(rate: kiosk.board.rate)
    for port in probes.keys { probes[port]?.cut = frame }
    if card == nil || card == headset.leaving?.port { endLeaving() }
    playingSince = nil
    levelSince = now
    for port in probes.keys { probes[port]?.musicDue = nil }
  }

  func collectArtifacts() {
    for (port, probe) in probes {
      guard let artifact = probe.artifact else { continue }
      let at = Instant.of(frame: artifact.frame, rate: kiosk.board.rate)
      if violation == nil || at < (violation?.at ?? at) {
        violation = Violation(row: artifact.row, at: at, message: "\(port.rawValue): \(artifact.message)")
      }
    }
  }

  /// Without power and in sleep every port is silent.
  func checkSilence(_ scene: SimulationSnapshot) {
    let frame = now.frame(rate: kiosk.board.rate)
    for port in probes.keys {
      if probes[port]?.musicEnd == nil { probes[port]?.musicEnd = frame }
      if probes[port]?.cueEnd == nil { probes[port]?.cueEnd = frame }
      probes[port]?.musicDue = nil
      probes[port]?.skipSilence(until: frame)
    }
    demand(scene.status != nil || scene.isAmplifierMuted, "amplifier", "it is open without power")
    collectArtifacts()
  }
}

extension SimulatedCard {
  /// How long a change waits for what the card cannot rewind: the queue that P14 allows, or what P15 leaves; and
  /// for what it keeps behind its buffer.
  var delay: Duration {
    switch self {
    case .usual: .zero
    case .shallow, .faulty: .milliseconds(30) + latency
    case .steps, .queued, .headset: positionStep + .milliseconds(2) + latency
    }
  }
}
