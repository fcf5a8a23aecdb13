import AudioSession

/// When a track plays by itself in a silent room (J6).
extension Jukebox {
  private var attraction: AttractSettings? { configuration.settings.requests?.attract }

  /// When the next one begins; nil: not as things are.
  var attractDue: Instant? {
    guard let attraction, mayAttract, let playlist = library.playlist(called: attraction.playlist),
      !library.ids(in: playlist).isEmpty
    else { return nil }
    return lastUsed.map { $0 + attraction.after }
  }

  /// It is silent, nothing waits, and whoever comes by would hear it. Whoever has paused wants silence.
  private var mayAttract: Bool {
    let transport = player.transport
    return transport.intent == .stopped && transport.holds.isEmpty && !commanded.isBusy && !hours.refuses
      && !hasPrivatePort && routes.route.port != nil && accounts.ledger.requests.isEmpty
  }

  mutating func attract(_ turn: inout Turn) {
    guard let attraction, mayAttract else { return }
    let isRandom = configuration.settings.shuffle
    withPlayer(&turn) { $0.attract(by: attraction, isRandom: isRandom, &$1) }
  }

  /// The loudest volume of what plays by itself; nil: nothing does, or it has none.
  var attractCeiling: Int? { player.queue.isAttraction ? attraction?.volume : nil }
}
