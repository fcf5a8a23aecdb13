import AudioSession
import Jukebox
import Simulator

/// What is known of the devices and links of wireless ports.
struct HeadsetModel {
  /// How long the device of each port takes to be opened, where a step says so.
  var openings: [Port: Duration] = [:]
  /// How long it took until a moment ago: it may be on its way.
  var formerOpening = Duration.zero
  var openingChangedAt = Instant.powerOn
  /// Since when the link of each is silent.
  var silentSince: [Port: Instant] = [:]
  /// When the device of each was logged as lost.
  var lostAt: [Port: Instant] = [:]
  /// When the link of one was silent last, or its PCM was withdrawn or failed.
  var troubledAt: Instant?
  /// When somebody pressed, typed or chose something last.
  var decidedAt: Instant?
  /// When the device of each went that may have been open.
  var goneAt: [Port: Instant] = [:]
  /// Since when a device that hung is being opened, where nothing has happened to it since.
  var hungSince: [Port: Instant] = [:]
  /// Where the music stood when the link of the route fell silent.
  var stoodAt: (file: String, frame: Int)?
  /// nil: no port is wireless.
  var volume: HeadsetVolumeModel?
  /// The port that may still sound because the device of the route is being opened, and until when (B1).
  var leaving: (port: Port, gain: Double, until: Instant)?
}

/// B1 to B4: ports that are reached by radio.
extension Oracle {
  /// The longest that a link may be silent unnoticed: the buffer and a wake-up.
  private static let unnoticed = Duration.milliseconds(450)

  /// How long the port's device takes to be opened.
  func opening(of port: Port?) -> Duration {
    guard let port, routes.isWireless(port) else { return .zero }
    let time = headset.openings[port] ?? .milliseconds(600)
    return now < headset.openingChangedAt + headset.formerOpening * 2 ? max(time, headset.formerOpening) : time
  }

  func setOpening(of port: Port, to time: Duration) {
    headset.hungSince[port] = nil
    headset.formerOpening = opening(of: port)
    headset.openingChangedAt = now
    headset.openings[port] = time
  }

  /// The most frames that were not heard before a pause although the clock says so: those of a silent link, and those of
  /// a device that is opened again and has not answered. They are heard when it goes on.
  var unheardBeforePause: Int {
    let rate = kiosk.board.rate
    if restartsSlowly { return Self.answer.frames(rate: rate) }
    return isTroubled || loggedRoute.map(isAdrift) ?? false ? Self.unnoticed.frames(rate: rate) : 0
  }

  /// How long a headset that is left plays what it keeps, before the next port begins.
  var leftDelay: Duration {
    let left = leftAt.filter { routes.isWireless($0.key) && now < $0.value + .milliseconds(100) }
    return left.isEmpty ? .zero : SimulatedCard.headset.delay
  }

  func isSilent(_ port: Port) -> Bool { headset.silentSince[port] != nil }

  /// Whether a wireless port was in trouble so short a time ago that its position is not known exactly.
  var isTroubled: Bool {
    !headset.silentSince.isEmpty || headset.troubledAt.map { now < $0 + .seconds(3) } ?? false
  }

  // MARK: - Tried again

  /// After this time a device that does not answer is lost (I15).
  private static let answer = Duration.seconds(2)

  private func hangs(_ port: Port) -> Bool { opening(of: port) >= Self.answer - .milliseconds(1) }

  /// I15: what a device opens late is used by the next try.
  func noteHang(_ event: Event) {
    guard let port = port(event, "route"), routes.isWireless(port) else { return }
    let isHung = event["reason"]?.hasSuffix("does not answer") ?? false
    // In a multi-route another engine may want it, which opens it for itself.
    // While all devices fail, what hangs is not open in the end either.
    guard isHung, routes.category != .multiRoute, !isOutputFailing else { return headset.hungSince[port] = nil }
    // What nobody asks for within a minute is closed.
    let isKept = headset.lostAt[port].map { now - Self.answer < $0 + .seconds(60) } ?? false
    guard isKept, let since = headset.hungSince[port] else { return headset.hungSince[port] = now - Self.answer }
    demand(
      now < since + opening(of: port) + .milliseconds(100), "I15",
      "\(name(port)) has been open for some time, and is given up again")
  }

  /// A route that goes elsewhere for another reason than a failure takes back what was asked for.
  func noteHangs(from former: Port?, to port: Port?) {
    let hasFailed = former.map { headset.lostAt[$0] == now } ?? false
    let isTried = port.map { headset.hungSince[$0] != nil } ?? false
    if !hasFailed && !isTried { headset.hungSince = [:] }
  }

  /// B2: a prompt is answered by a plug once the headset has sounded for long enough, or where it is no longer needed.
  func checkAnswer(_ event: Event) {
    defer { intentModel.trial = nil }
    guard event["answer"] == "plug", let trial = intentModel.trial, route == trial.port else { return }
    // Who goes elsewhere in the music has heard it.
    if headset.decidedAt == now { return }
    let isHeard = probes[trial.port].map { $0.lastSound > trial.since.frame(rate: kiosk.board.rate) } ?? false
    // At volume 0 the samples are zero, though the port sounds.
    let isTurnedDown = lastScene?.status?.volume == 0
    let least = trial.since + kiosk.settings.settings.bluetoothStall + .seconds(2)
    demand(
      now >= least && (isHeard || isTurnedDown || isTroubled), "B2",
      "the prompt is answered by \(name(trial.port)), which has not sounded for long")
  }

  func setLink(of port: Port, isSilent: Bool) {
    headset.troubledAt = now
    if isSilent {
      headset.silentSince[port] = headset.silentSince[port] ?? now
      // While its device is being opened, the music is heard at the port before.
      if let status = lastScene?.status, status.route.port == port, playingSince != nil, headset.leaving == nil,
        let file = status.file
      {
        let passed = (now - (lastScene?.at ?? now)).frames(rate: kiosk.board.rate)
        headset.stoodAt = (file, status.frame + passed)
      }
    } else {
      headset.silentSince[port] = nil
      headset.stoodAt = nil
    }
    playingSince = nil
    levelSince = now
    probes[port]?.musicDue = nil
    // The headset plays what it has, and begins again when it has as much as before.
    probes[port]?.cut = (now + SimulatedCard.headset.latency).frame(rate: kiosk.board.rate)
  }

  /// The PCM of a headset goes with its offer: what sounded there ends without a fade.
  func noteWithdrawal(of line: String) {
    for setup in routes.ports where setup.isWireless && routes.line(of: setup.port) == line {
      noteGone(setup.port)
      headset.volume?.go()
      probes[setup.port]?.cut = now.frame(rate: kiosk.board.rate)
    }
    // Sound that was left at the plug that is pulled falls silent at once.
    if let leaving = headset.leaving, routes.line(of: leaving.port) == line { endLeaving() }
  }

  func noteOffer(of line: String) {
    guard line == headsetLine else { return }
    pairing.plug()
    headset.volume?.come(at: now)
  }

  /// The line of the one wireless port that a kiosk may have.
  private var headsetLine: String? { routes.line(of: wirelessPort) }
  private var wirelessPort: Port? { routes.ports.first(where: \.isWireless)?.port }

  // MARK: - Its volume (B6)

  /// Somebody turns the volume at the headset.
  func turnHeadset(to level: Int?) {
    let isAwake = isOn && !isAsleep
    let isUse = headset.volume?.turn(to: level, isAwake: isAwake, at: now) ?? false
    if isAwake { noteUse(isUse) }
  }

  private func noteUse(_ isUse: Bool?) {
    switch isUse {
    case true?: usedAt = now
    case false?: break
    case nil: perhapsUsedAt = now
    }
  }

  /// Its contact has moved while the kiosk sleeps.
  func noteMoveInSleep(of line: String, asserted: Bool) {
    if line == headsetLine && !asserted { headset.volume?.goInSleep() }
  }

  /// At power on and at a wake.
  func findHeadset(isWake: Bool) {
    guard let line = headsetLine else { return }
    let isThere = lines[line].raw
    if isWake {
      if headset.volume?.wake(isThere: isThere, at: now) == true { perhapsUsedAt = now }
    } else if isThere {
      headset.volume?.come(at: now)
    } else {
      headset.volume?.go()
    }
  }

  func checkHeadsetVolume(_ status: Status, _ scene: SimulationSnapshot) {
    guard let port = wirelessPort else { return }
    let level = scene.headsetVolumes[port]
    if level != lastScene?.headsetVolumes[port] { levelSince = now }
    let volume = status.route.port == port ? status.volume : nil
    if let mismatch = headset.volume?.settle(level: level, volume: volume, at: now) { demand(mismatch) }
  }

  /// The gain of the samples at a port of this volume.
  func sampleGain(at port: Port?, volume: Int) -> Double {
    let samples = port == wirelessPort ? headset.volume?.samples(of: volume, at: now) : nil
    return gain(ofVolume: samples ?? volume)
  }

  /// B7: what somebody makes of a headset.
  func note(_ address: BluetoothAddress, _ change: SimulatedHeadsets.Change) {
    switch change {
    case .pairing, .on:
      pairing.change(address, isReady: change == .pairing)
      pairing.switchOn(address, at: now)
    case .off: pairing.change(address, isReady: false)
    case .asks: if isOn { pairing.refuse(at: now) }
    }
  }

  /// Whether `port.disconnected` is that of a device that failed while its line stays, or is not yet steady (B2).
  func isFailure(_ port: Port, _ line: String) -> Bool {
    let isLost = headset.lostAt[port] == now && !lines[line].isDue(at: now)
    return routes.isWireless(port) && (lines[line].firstEdge == nil || isLost) && lines[line].level
  }

  /// Its device is gone, and has to be opened again.
  func noteGone(_ port: Port) {
    headset.hungSince[port] = nil
    headset.troubledAt = now
    headset.goneAt[port] = now
  }

  /// All devices fail.
  func noteHeadsetsGone() { for setup in routes.ports where setup.isWireless { headset.goneAt[setup.port] = now } }

  /// A device that went while nothing sounded, as at a contact's bounce or in a pause, is found gone at the next sound,
  /// however late that is. It is opened again once, and a second one that goes unheard is a plug that is out.
  private func isGone(_ port: Port) -> Bool {
    guard let goneAt = headset.goneAt[port], let probe = probes[port] else { return false }
    return probe.lastSound <= goneAt.frame(rate: kiosk.board.rate)
  }

  /// B2: the device is a plug that is out.
  func applyFailure(of port: Port) {
    let mayFail = isTroubled || isOutputFailing || restartsSlowly || isGone(port) || hangs(port)
    demand(mayFail, "B2", "\(name(port)) fails, and nothing is wrong with it")
    headset.troubledAt = now
    if routes.isPrivate(port) && route == port && intentModel.loss == nil {
      intentModel.doubt = intentModel.doubt ?? IntentModel.Doubt(from: port, since: now)
    }
  }

  /// B3: nothing of what the link kept is skipped, and what is heard twice is bounded.
  func checkHeld(_ event: Event) {
    guard let stood = headset.stoodAt, event["cause"] == "route-lost", event["from"].map(Port.init) == .bluetooth,
      stood.file == file, let frame = event["frame"].flatMap({ Int($0) })
    else { return }
    let latest = stood.frame + (SimulatedCard.headset.latency + .milliseconds(20)).frames(rate: kiosk.board.rate)
    let earliest = stood.frame - Self.unnoticed.frames(rate: kiosk.board.rate)
    demand(
      frame <= latest, "B3", "it is held at frame \(frame), and the headset had at most \(latest)")
    demand(
      frame >= earliest || frame == 0, "B3", "it is held at frame \(frame), and \(stood.frame) was heard")
    headset.stoodAt = nil
  }

  // MARK: - The port before

  /// The route has changed while music sounds: the port before may sound until the device of this one is open.
  func beginLeaving(_ former: Port, for port: Port?) {
    let time = opening(of: port)
    // A cue that the card has already counts, though it is heard only when that has played what it keeps.
    let isSounding = playingSince != nil || cueSince != nil || lastScene?.status?.cue != nil
    guard let port, time > .zero, port != former, isSounding else { return endLeaving() }
    let before = lastScene?.status?.volume ?? 0
    headset.leaving = headset.leaving ?? (former, sampleGain(at: former, volume: before), now)
    headset.leaving?.until = now + time
  }

  func endLeaving() {
    guard let leaving = headset.leaving else { return }
    headset.leaving = nil
    leftAt[leaving.port] = now
    limit(leaving.port, from: now)
  }

  /// From a fade after this on there is silence at the port.
  func limit(_ port: Port, from instant: Instant) {
    guard let probe = probes[port] else { return }
    let end = (instant + .milliseconds(10) + probe.delay * 2).frame(rate: kiosk.board.rate)
    probes[port]?.musicEnd = min(probe.musicEnd ?? end, end)
    probes[port]?.cueEnd = min(probe.cueEnd ?? end, end)
  }
}
