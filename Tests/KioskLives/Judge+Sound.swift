import AudioSession
import Jukebox

/// What must be heard at which port, how loud, and which frame.
extension Judge {
  /// Music that begins is heard after this time at the latest.
  private static let start = Duration.milliseconds(60)
  /// Music that ends is gone after this time (R3).
  private static let fade = Duration.milliseconds(5)
  /// A cue that ends while the music fades out fades behind it.
  private static let cueFade = Duration.milliseconds(9)

  func checkSound(_ status: Status) {
    let frame = now.frame(rate: kiosk.board.rate)
    let isPlaying = wishes.isAudible
    if isPlaying && !sameSound(status) { playingSince = now }
    if !isPlaying { playingSince = nil }
    let before = last?.status
    let isOther = status.volume != before?.volume || status.isDucked != before?.isDucked || status.cue != before?.cue
    if isOther { levelSince = now }
    let playing = isPlaying ? ports(status) : []
    // A cue may speak while its port is steady (D7).
    let speaking = status.cue != nil && wishes.doubt == nil ? ports(status) : []
    let musicDue = (now + (restartsSlowly ? .milliseconds(500) : Self.start)).frame(rate: kiosk.board.rate)
    for port in ears.keys {
      ears[port]?.pass(until: frame)
      permit(playing.contains(port), speaking.contains(port), on: port, from: frame)
      let isRoute = port == status.route.port
      ears[port]?.setGain(
        isRoute ? gain(ofVolume: status.volume ?? 0) : playing.contains(port) || speaking.contains(port) ? 1 : 0)
      let isDue = isRoute && isPlaying && audibleLevel(status) >= 40
      if !isDue { ears[port]?.musicDue = nil }
      if isDue && ears[port]?.musicDue == nil { ears[port]?.musicDue = musicDue }
    }
    checkHeard(status, frame)
  }

  private func sameSound(_ status: Status) -> Bool {
    playingSince != nil && last?.status?.route == status.route && last?.status?.track == status.track
  }

  /// A device that was taken away has to be opened anew.
  private var restartsSlowly: Bool {
    guard let cut = ears.values.first?.cut else { return false }
    return now < Instant.of(frame: cut, rate: kiosk.board.rate) + .milliseconds(500)
  }

  private func ports(_ status: Status) -> Set<Port> {
    if routes.category == .multiRoute && status.route.port != nil { return status.connected }
    return status.route.port.map { [$0] } ?? []
  }

  private func permit(_ music: Bool, _ cue: Bool, on port: Port, from frame: Int) {
    let end = frame + Self.fade.frames(rate: kiosk.board.rate) + 1
    let cueEnd = frame + Self.cueFade.frames(rate: kiosk.board.rate) + 1
    if music { ears[port]?.musicEnd = nil } else if ears[port]?.musicEnd == nil { ears[port]?.musicEnd = end }
    if cue { ears[port]?.cueEnd = nil } else if ears[port]?.cueEnd == nil { ears[port]?.cueEnd = cueEnd }
  }

  private func audibleLevel(_ status: Status) -> Double {
    let duck = status.isDucked ? gain(ofVolume: 100 + Int(kiosk.settings.settings.duckLevel * 2)) : 1
    return Double(TestMusic.level) * gain(ofVolume: status.volume ?? 0) * duck
  }

  /// The level and the frame, wherever both have been steady for a while.
  private func checkHeard(_ status: Status, _ frame: Int) {
    guard let port = status.route.port, let ear = ears[port], let track = status.track, let playingSince,
      !ear.isForeign, !restartsSlowly, now > playingSince + .milliseconds(700),
      now > levelSince + .seconds(2), ear.tail.count == Ear.tailFrames
    else { return }
    let length = TestMusic.frames(of: kiosk.library[track - 1].name) ?? 0
    let margin = TestMusic.ramp + Ear.tailFrames
    guard (margin..<max(margin, length - margin)).contains(status.frame) else { return }
    let expected = audibleLevel(status)
    let level = Double(ear.tail[Ear.tailFrames - 1].left)
    demand(
      abs(level - expected) <= 3 + expected / 50, status.isDucked ? "D1" : "D2",
      "\(port.rawValue): the music's level is \(Int(level)), expected \(Int(expected))")
    guard level >= 100, status.cue == nil, now > levelSince + .seconds(3) else { return }
    for back in [1, 41, 81] {
      let (left, right) = ear.tail[Ear.tailFrames - back]
      let wanted = TestMusic.right(at: status.frame - back) * left / TestMusic.level
      // Two frames: what is rounded, and what has only begun.
      let slope = 240 * left / TestMusic.level + 3
      demand(
        abs(right - wanted) <= slope, "I2",
        "\(port.rawValue): another frame is heard than \(status.frame) of track \(track), which the brain says")
    }
  }
}
