import AudioSession

/// Visits: when the next visitor may come, and what that one is to find (V rows).
extension Jukebox {
  /// A visitor has done something (V1).
  mutating func visited(by start: VisitStart, _ turn: inout Turn) {
    visited(by: start, isPrivate: hasPrivatePort, &turn)
  }

  /// - Parameter isPrivate: a private port is in, or comes in; else whoever is there goes on without one (V3.2).
  private mutating func visited(by start: VisitStart, isPrivate: Bool, _ turn: inout Turn) {
    if !visit.isUnderWay {
      // Whoever comes while it is closed is nobody's visitor (H1.3).
      if hours.refuses { return }
      visit.begin()
      touch(at: turn.now)
      if !isPrivate { visit.goOn(until: endOfGap(from: turn.now)) }
      turn.log(.visitBegan, .info, ["by": start.rawValue])
      count(.visits, &turn)
    } else {
      acted(&turn)
    }
  }

  /// Somebody has done something, or the operator to the music. If no private port is still in, the gap begins again
  /// (V2).
  mutating func acted(_ turn: inout Turn) {
    switch visit.departure {
    case .none: break
    case .waiting, .over: awaitNextVisitor(from: turn.now)
    case .without: visit.goOn(until: endOfGap(from: turn.now))
    }
  }

  /// A port is plugged in: by the same visitor within the gap, or where that brings back what an unplug holds; else by the
  /// next one, for whom nothing may be as it was left (V3).
  mutating func visited(byPlugOf port: Port, edge: Instant, _ turn: inout Turn) {
    let isPrivate = routes.setup(of: port)?.isPrivate == true
    if isPrivate {
      if case .over(let since) = visit.departure, edge >= since, !resumesOnPlug(of: port) {
        makeWay(&turn)
      }
      if case .without(let until) = visit.departure, edge >= until, configuration.settings.visitGap > .zero,
        !isWantedAloud
      {
        endVisit(because: .hungUp, &turn)
      }
      visit.stay()
    }
    visited(by: .plug, isPrivate: isPrivate || hasPrivatePort, &turn)
  }

  /// A port is unplugged. If it was the last private one, the next visitor may come.
  mutating func left(_ port: Port, edge: Instant) {
    guard visit.isUnderWay, routes.setup(of: port)?.isPrivate == true, !hasPrivatePort else { return }
    awaitNextVisitor(from: edge)
  }

  var hasPrivatePort: Bool { routes.ports.contains { $0.isPrivate && routes.connected.contains($0.port) } }

  /// From when on a plug is the next visitor's, where somebody did something last, or the music ended, at `instant`.
  func endOfGap(from instant: Instant) -> Instant { instant + configuration.settings.visitGap }

  private mutating func awaitNextVisitor(from instant: Instant) {
    guard configuration.settings.visitGap > .zero else { return }
    visit.leave(until: endOfGap(from: instant))
  }

  /// After every input: ends what has waited for a recording, page or alarm to be over (V4).
  mutating func settleVisit(_ turn: inout Turn) {
    guard isOn, !isOccupied else { return }
    if player.transport.routeLoss?.prompt == .overdue { return expirePrompt(&turn) }
    // If no private port is in, what sounds is heard at another one.
    if player.soundsOn && !player.isAttracting { visit.goOnAloud() }
    guard case .over = visit.departure, !player.transport.isPromptShown, !isPlugComing else { return }
    makeWay(&turn)
  }

  /// The gap has passed. For whoever goes on aloud, only the volumes that the next one may hear are put back (V6).
  private mutating func makeWay(_ turn: inout Turn) {
    if visit.goesOnAloud || isWantedAloud {
      reset(routes.ports.filter(\.isPrivate), because: .hungUp, &turn)
      visit.goOnPastGap()
    } else {
      // Only a plug makes way while the prompt waits.
      withPlayer(&turn) { $0.resolveLoss(answer: .plug, &$1) }
      endVisit(because: .hungUp, &turn)
    }
  }

  /// Music is wanted where it can be heard without a private port.
  private var isWantedAloud: Bool {
    player.transport.intent == .playing && !player.isAttracting && player.transport.doubt == nil
      && player.transport.routeLoss == nil
      && player.transport.unsuited == nil
  }

  /// Somebody records, pages or sounds an alarm: no visit ends meanwhile (V4).
  var isOccupied: Bool {
    recording.phase != .idle
      || player.transport.interruptions.contains { if case .client = $0.source { true } else { false } }
  }

  /// A private plug moves and is not in yet.
  private var isPlugComing: Bool {
    routes.ports.contains { port in
      if case .line(let name) = port.sense { port.isPrivate && lines.isComing(name) } else { false }
    }
  }

  /// The kiosk as the next visitor should find it (V2, Q4, K8).
  /// - Parameter keepsMusic: it is held where it is, for later (H1.5).
  mutating func endVisit(because cause: ResetCause, keepsMusic: Bool = false, _ turn: inout Turn) {
    if visit.isUnderWay { turn.log(.visitEnded, .info, ["reason": cause.endOfVisit]) }
    let category = visit.formerCategory
    visit = Visit()
    lines.stopVolumeRepeats()
    knobs.overtake(.visitEnded, at: turn.now)
    if keepsMusic { reset(routes.ports, because: cause, &turn) } else { returnToStart(because: cause, &turn) }
    if let category { change(to: category, &turn) }
  }
}
