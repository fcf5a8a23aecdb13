import AudioSession
import Jukebox
import Simulator

/// Checks the signals (E rows) against the samples of the ports, and against what else is known of the kiosk.
extension Oracle {
  /// A fade, what a card keeps, and the next moment at which the engine looks.
  private static let signalLatency = Duration.milliseconds(60)

  func checkSignalsWithoutPower(_ scene: SimulationSnapshot) {
    signals.powerOff()
    let asserted = scene.signals.keys.sorted().joined(separator: ", ")
    demand(scene.signals.isEmpty, "E5", "without power \(asserted) is asserted")
  }

  func checkSignals(_ status: Status, _ scene: SimulationSnapshot) {
    guard kiosk.board.lines.contains(where: { $0.name == "BUSY" }) else { return }
    let shown = status.signals.filter { $0.pattern != .off }
    demand(
      scene.signals == Dictionary(shown.map { ($0.name, $0.pattern) }) { first, _ in first }, "E6",
      "the status shows other signals than the board")
    checkBusy(status, scene)
    let isPrompted = intentModel.loss?.isPromptShown == true
    check("ASKING", isPrompted, scene, shows: .blink)
    check("SOMEBODY", status.isVisited, scene)
    check("TAPE", status.recordingSince != nil, scene)
    check("LATE", signals.isLate, scene, row: "E3")
    check("BELL", signals.isRinging(at: now), scene, row: "E8")
    let isThere = status.route.port == .headphones
    let isAlong = routes.category == .multiRoute && status.route.port != nil && status.connected.contains(.headphones)
    check("PHONES", isThere || isAlong, scene)
    checkListen(status, scene)
  }

  private func check(
    _ name: String, _ expected: Bool, _ scene: SimulationSnapshot, row: String = "E1", shows pattern: LampPattern = .on
  ) {
    let found = scene.signals[name]
    demand(found == (expected ? pattern : nil), row, "\(name) is \(found?.rawValue ?? "off")")
  }

  /// E1, E2: it has an edge only where the sound begins and ends.
  private func checkBusy(_ status: Status, _ scene: SimulationSnapshot) {
    let isBusy = scene.signals["BUSY"] != nil
    let doubtless = intentModel.holds == [.routeLost] && intentModel.doubt != nil && intentModel.intent == .playing
    let isGoing = intentModel.isAudible || doubtless
    let frame = now.frame(rate: kiosk.board.rate)
    let rate = kiosk.board.rate
    let slow = probes.keys.map { delay(of: $0) }.max() ?? .zero
    let margin = (Self.signalLatency + slow * 2).frames(rate: rate)
    let lastMusic = probes.values.map(\.lastMusic).max() ?? -1
    let isQuiet = frame - lastMusic > margin
    if signals.isBusy && !isBusy {
      demand(!isGoing || !signals.wasGoing || signals.pausedAt == now, "E2", "BUSY ends while music goes on")
    }
    // Whoever turns the volume down to nothing hears nothing, but it plays.
    let isFading = sleep.isFading || hours?.closingSince != nil
    let isLoud = audibleLevel(status) >= 40 && now > levelSince + .seconds(1) && !isFading
    if !isBusy || !isLoud || !isQuiet { signals.unheardSince = nil }
    if isBusy && !signals.isBusy && isLoud && isQuiet { signals.unheardSince = now }
    if let since = latest(signals.unheardSince, signals.unheardSince.flatMap { _ in wokeAt }) {
      demand(frame - since.frame(rate: rate) <= margin, "E1", "BUSY has begun, and no music is heard")
    }
    // Music that begins and is paused in one instant is gone since then.
    let before = signals.pausedAt == now ? nil : signals.goneSince
    signals.goneSince = isGoing ? nil : before ?? now
    // With the volume at nothing, nobody hears how long the fade takes.
    let isOver =
      latest(signals.goneSince, signals.goneSince.flatMap { _ in wokeAt }).map { frame - $0.frame(rate: rate) > margin }
      ?? false
    demand(!isOver || !isBusy || !isQuiet, "E1", "BUSY is asserted, and no music is heard or wanted")
    // In a multi-route other ports may begin before a headset that is the route is open (S6).
    let heard =
      routes.category == .multiRoute
      ? status.route.port.flatMap { probes[$0] }.map { [$0] } ?? [] : Array(probes.values)
    let heardSince = heard.filter { $0.lastMusic >= frame - 2 }.map(\.musicSince).min()
    signals.wasGoing = isGoing
    signals.note(isBusy: isBusy, isLateShown: scene.signals["LATE"] != nil, at: now)
    if let wokeAt, now < wokeAt + .seconds(3) { signals.adopt(isLate: scene.signals["LATE"] != nil) }
    if let heardSince, !isBusy {
      let time = frame - max(heardSince, signals.busySince.frame(rate: rate))
      demand(time <= margin, "E1", "music has been heard for \(time) frames without BUSY")
    }
  }

  /// E4: the listen of one track, and that of a playlist while it is heard.
  private func checkListen(_ status: Status, _ scene: SimulationSnapshot) {
    let isLonger = status.file == "7 longer.wav"
    let isSteady = playingSince.map { now > $0 + .seconds(1) } ?? false && !restartsSlowly && !isTroubled
    if isSteady && signals.isBusy && intentModel.isAudible {
      check("LONGER", isLonger, scene, row: "E4")
      check("GERMAN", status.playlist == "Deutsch", scene, row: "E4")
    }
    if scene.signals["LONGER"] != nil {
      demand(status.state != .stopped || signals.isBusy, "E4", "LONGER is asserted, and the music is stopped")
    }
    if scene.signals["GERMAN"] != nil { demand(signals.isBusy, "E1", "GERMAN is asserted without BUSY") }
  }
}
