import AudioSession

/// What quiet hours mean for the volumes (H4 rows).
extension Jukebox {
  /// The saved state is back, and nothing sounds yet.
  mutating func beginQuiet(_ found: HoursReport?, _ turn: inout Turn) {
    quiet = Quiet(configuration.settings.quiet)
    follow(quiet.powerOn(found), &turn)
  }

  mutating func follow(_ facts: [QuietFact], _ turn: inout Turn) {
    for fact in facts {
      switch fact {
      case .unknown: turn.log(.quietUnknown, .notice)
      case .began: changeQuiet(.quietBegan, &turn)
      case .ended: changeQuiet(.quietEnded, &turn)
      }
    }
  }

  private mutating func changeQuiet(_ event: EventName, _ turn: inout Turn) {
    let port = routes.route.port
    let former = port.map { volumes.volume(of: $0) }
    // Down from what sounds now; up as far as the next port might need.
    let ports = quiet.ceiling == nil ? configuration.ports.map(\.port) : routes.others + [port].compactMap(\.self)
    let loudest = ports.map { volumes.remembered(of: $0) }.max() ?? 0
    quiet.beginFade(from: volumes.heardCeiling, loudest: loudest, at: turn.now)
    volumes.limit(to: quiet.ceiling, heard: quiet.heard)
    let volume = port.map { volumes.volume(of: $0) }
    let isMoved = volume != former
    turn.log(
      event, .info,
      [
        "ceiling": quiet.ceiling.map { String($0) }, "until": quiet.until?.text,
        "port": isMoved ? port?.rawValue : nil, "volume": isMoved ? volume.map { String($0) } : nil,
        "from": isMoved ? former.map { String($0) } : nil,
      ])
  }

  /// After every input, before ports get their volumes: nobody hears a fade in silence. What plays by itself in a silent
  /// room has a ceiling of its own (J6).
  mutating func settleQuiet(_ turn: inout Turn) {
    quiet.settle(isSounding: !player.engine.isSilent || cues.isCommanded, at: turn.now)
    volumes.limit(to: quiet.ceiling, heard: [quiet.heard, attractCeiling].compactMap { $0 }.min())
  }
}
