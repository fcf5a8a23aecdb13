import AudioSession

/// When a track plays by itself in a silent room (J6).
extension Jukebox {
  private var attraction: AttractSettings? { configuration.settings.requests?.attract }

  /// When the next one begins; nil: not as things are.
  var attractDue: Instant? {
    // There is no playlist without a track.
    guard let attraction, mayAttract, library.playlist(called: attraction.playlist) != nil else { return nil }
    return lastUsed.map { $0 + attraction.after }
  }

  /// It is silent, nothing waits, and whoever comes by would hear it. Whoever has paused wants silence.
  private var mayAttract: Bool {
    let transport = player.transport
    return transport.intent == .stopped && transport.holds.isEmpty && !commanded.isBusy && !hours.refuses
      && !hasPrivatePort && routes.route.port != nil && accounts.ledger.requests.isEmpty
  }

  mutating func attract(_ turn: inout Turn) {
    // Whatever comes of it, the next one is as long away.
    lastUsed = turn.now
    guard let attraction, mayAttract else { return }
    let isRandom = configuration.settings.shuffle
    withPlayer(&turn) { $0.attract(by: attraction, isRandom: isRandom, &$1) }
  }

  /// After every input.
  mutating func settleAttraction(_ turn: inout Turn) {
    withPlayer(&turn) { [isCueSpoken = cues.speaker != nil] in $0.settleAttraction(isCueSpoken: isCueSpoken, &$1) }
    guard attracts != player.isAttracting else { return }
    attracts = player.isAttracting
    // It does not count as use of the kiosk, and the next one comes as long after it.
    lastUsed = turn.now
  }

  /// The loudest volume that is heard of what plays by itself; nil: nothing does.
  var attractCeiling: Int? { player.isAttracting && player.transport.isAudible ? attraction?.volume : nil }
}
