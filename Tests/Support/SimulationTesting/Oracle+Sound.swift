import AudioSession
import Jukebox

/// Checks what is heard at which port, how loud, and which frame.
extension Oracle {
  /// Music that begins is heard within this time.
  private static let startLatency = Duration.milliseconds(60)
  /// Music that ends is silent after this time (R3).
  private static let fade = Duration.milliseconds(5)
  /// A cue that ends while the music fades out fades after it.
  private static let cueFade = Duration.milliseconds(9)

  func checkSound(_ status: Status) {
    let frame = now.frame(rate: kiosk.board.rate)
    let isPlaying = intentModel.isAudible
    if isPlaying && !isSameSound(status) { playingSince = now }
    if !isPlaying { playingSince = nil }
    let before = lastScene?.status
    let isChanged = status.volume != before?.volume || status.isDucked != before?.isDucked || status.cue != before?.cue
    if isChanged { levelSince = now }
    let playing = isPlaying ? ports(status) : []
    // A cue may speak while its port is steady (D7).
    let speaking = status.cue != nil && intentModel.doubt == nil ? ports(status) : []
    let musicDue = (now + (restartsSlowly ? .milliseconds(500) : Self.startLatency)).frame(rate: kiosk.board.rate)
    for port in probes.keys {
      probes[port]?.skipSilence(until: frame)
      permit(playing.contains(port), speaking.contains(port), on: port, from: frame)
      let isRoute = port == status.route.port
      probes[port]?.setGain(
        isRoute ? gain(ofVolume: status.volume ?? 0) : playing.contains(port) || speaking.contains(port) ? 1 : 0)
      let isDue = isRoute && isPlaying && audibleLevel(status) >= 40
      if !isDue { probes[port]?.musicDue = nil }
      if isDue && probes[port]?.musicDue == nil { probes[port]?.musicDue = musicDue }
    }
    checkHeard(status, frame)
  }

  private func isSameSound(_ status: Status) -> Bool {
    playingSince != nil && lastScene?.status?.route == status.route && lastScene?.status?.file == status.file
  }

  /// A device that failed has to be opened again.
  private var restartsSlowly: Bool {
    guard let cut = probes.values.first?.cut else { return false }
    return now < Instant.of(frame: cut, rate: kiosk.board.rate) + .milliseconds(500)
  }

  private func ports(_ status: Status) -> Set<Port> {
    if routes.category == .multiRoute && status.route.port != nil { return status.connected }
    return status.route.port.map { [$0] } ?? []
  }

  private func permit(_ music: Bool, _ cue: Bool, on port: Port, from frame: Int) {
    let end = frame + Self.fade.frames(rate: kiosk.board.rate) + 1
    let cueEnd = frame + Self.cueFade.frames(rate: kiosk.board.rate) + 1
    if music { probes[port]?.musicEnd = nil } else if probes[port]?.musicEnd == nil { probes[port]?.musicEnd = end }
    if cue { probes[port]?.cueEnd = nil } else if probes[port]?.cueEnd == nil { probes[port]?.cueEnd = cueEnd }
  }

  private func audibleLevel(_ status: Status) -> Double {
    let duck = status.isDucked ? gain(ofVolume: 100 + Int(kiosk.settings.settings.duckLevel * 2)) : 1
    return Double(TestMusic.level) * gain(ofVolume: status.volume ?? 0) * duck
  }

  /// Checks level and frame where both have been steady for a while.
  private func checkHeard(_ status: Status, _ frame: Int) {
    guard let port = status.route.port, let probe = probes[port], let track = status.track, let playingSince,
      !probe.isResampled, !restartsSlowly, now > playingSince + .milliseconds(700),
      now > levelSince + .seconds(2), probe.tail.count == OutputProbe.tailFrames
    else { return }
    let length = playlists.file(track).flatMap(TestMusic.frames) ?? 0
    let margin = TestMusic.ramp + OutputProbe.tailFrames
    guard (margin..<max(margin, length - margin)).contains(status.frame) else { return }
    let expected = audibleLevel(status)
    let level = Double(probe.tail[OutputProbe.tailFrames - 1].left)
    demand(
      abs(level - expected) <= 3 + expected / 50, status.isDucked ? "D1" : "D2",
      "\(port.rawValue): the music's level is \(Int(level)), expected \(Int(expected))")
    guard level >= 100, status.cue == nil, now > levelSince + .seconds(3) else { return }
    for back in [1, 41, 81] {
      let (left, right) = probe.tail[OutputProbe.tailFrames - back]
      let expectedRight = TestMusic.right(at: status.frame - back) * left / TestMusic.level
      // Two frames of tolerance, for rounding and for a frame that has only begun.
      let slope = 240 * left / TestMusic.level + 3
      demand(
        abs(right - expectedRight) <= slope, "I2",
        "\(port.rawValue): the frame heard is not \(status.frame) of track \(track), as the status has it")
    }
  }
}
