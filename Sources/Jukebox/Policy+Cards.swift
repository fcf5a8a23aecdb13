import AudioSession

/// The card that was lifted last, whose music waits since: laid again in time, it goes on where it was.
struct LiftedCard: Hashable, Sendable {
  /// nil: the next card was laid since.
  var token: String?
  var since: Instant
  /// What waits; nil: it waited before the lift, or is not what the card names.
  var file: String?
  var playlist: String?
  /// Where it was heard.
  var port: Port?
  /// That port was lost before, which held it (P1).
  var isLost: Bool

  /// The next card is laid.
  mutating func use() { (token, file, port, isLost) = (nil, nil, nil, false) }
}

/// What cards that lie on a reader mean: laid, one plays as T5 says; lifted, it pauses (L rows).
extension Jukebox {
  /// What a reader has seen at `at`.
  mutating func lies(_ token: String?, on reader: ReaderID, at: Instant, _ turn: inout Turn) {
    guard configuration.readers.indices.contains(reader.index) else { return }
    let name = configuration.readers[reader.index]
    guard let token else { return laidCards.lift(on: name, at: at) }
    follow(laidCards.lay(token, on: name, at: turn.now), &turn)
  }

  mutating func follow(_ facts: [CardFact], _ turn: inout Turn) {
    for (place, fact) in facts.enumerated() {
      // A card that takes another's place finds the music as the lift has left it, as if it had come a moment later.
      if place > 0 { settle(&turn) }
      switch fact {
      case .laid(let token, let reader, let isAtBoot):
        if !isAtBoot { visited(by: .token, &turn) }
        read(token, on: reader, ignored: isAtBoot ? .boot : nil, &turn)
        touch(at: turn.now)
      case .lifted(let token, let reader): lifted(token, from: reader, &turn)
      }
    }
  }

  private mutating func lifted(_ token: String, from reader: String, _ turn: inout Turn) {
    turn.log(.tokenLifted, .info, ["reader": reader, "token": token])
    acted(&turn)
    touch(at: turn.now)
    // A request belongs to whoever is there, and a cue or an order is over with its reading.
    let transport = player.transport
    guard configuration.settings.requests == nil, let choice = configuration.settings.choice(of: token), choice.isMusic
    else { return }
    // It may have chosen what is still being looked for.
    contacts.forgetDelays()
    player.forgetChoice()
    guard transport.intent != .stopped else { return }
    let isItsOwn = transport.intent == .playing && isCurrent(choice)
    let port = transport.intent == .paused ? heardAt : transport.routeLoss?.from ?? heardAt ?? routes.route.port
    withPlayer(&turn) { $0.pause(because: .lifted, &$1) }
    liftedCard = LiftedCard(
      token: token, since: turn.now, file: isItsOwn ? currentFile : nil,
      playlist: player.playlists.current, port: port,
      isLost: transport.routeLoss != nil)
  }

  /// Whoever was listening there, as through headphones, has not meant the port that is left (L8, P1).
  /// - Parameter lifted: nil: somebody has paused the music otherwise.
  func isElsewhere(_ lifted: LiftedCard?) -> Bool {
    let pausedAt = player.transport.intent == .paused ? heardAt : nil
    let port = lifted?.port ?? pausedAt
    if port == routes.route.port { return false }
    return lifted?.isLost == true || (routes.setup(of: port)?.isPrivate ?? false) && !routes.isPrivate
  }

  /// What the last card was lifted from, for the next one that chooses music; it counts once. Until that one is heard, which
  /// may be later, it is still a card that has silenced the music (H5.8).
  mutating func takeLifted(for choice: Choice) -> LiftedCard? {
    guard choice.isMusic else { return nil }
    defer { liftedCard?.use() }
    return liftedCard
  }

  /// Whether it names what is current; of what is heard most that is not asked.
  private func isCurrent(_ choice: Choice) -> Bool {
    switch choice {
    case .track(let name): (try? player.find(name)).map { $0 == player.queue.track } ?? false
    case .playlist(let name): library.playlist(called: name).map { player.playlists.isCurrent($0) } ?? false
    case .popular: true
    case .cue, .hours: false
    }
  }

  private var currentFile: String? { player.queue.track.map(player.name(of:)) }

  /// Whether the card goes on with it.
  func goesOn(_ token: String, _ lifted: LiftedCard?, at now: Instant) -> Bool {
    guard let lifted, lifted.token == token, lifted.file == currentFile,
      lifted.playlist == player.playlists.current
    else { return false }
    let window = configuration.settings.resumeWindow
    return window == .zero || now - lifted.since < window
  }

  /// Whoever lays a card wants to hear it: with `again = "pause"` it would fall silent where it plays already (L1.1).
  func playsAlready(_ choice: Choice) -> Bool {
    guard pausesAgain else { return false }
    switch choice {
    case .popular: return false
    // It waits its turn (J1).
    case .track where configuration.settings.requests != nil: return false
    case .track, .playlist, .cue, .hours: return isCurrent(choice)
    }
  }

  /// The same of all the music.
  var playsAllAlready: Bool { pausesAgain && player.playlists.isCurrent(nil) }

  /// Whether what plays would pause if it were chosen again. What invites gives way to any choice (J6.1).
  private var pausesAgain: Bool {
    let transport = player.transport
    return configuration.settings.again == .pause && transport.intent == .playing && transport.routeLoss == nil
      && !player.isAttracting
  }

  /// Music that plays, or was stopped, is no longer what a card was lifted from.
  mutating func settleCards() {
    if player.transport.intent != .paused { liftedCard = nil }
    if player.engine.isSounding { heardAt = routes.route.port }
    // Whoever comes next has heard nothing there.
    if player.transport.intent == .stopped { heardAt = nil }
  }

  /// Why a press of this button does nothing: no card lies on any reader, and nothing is to sound without one (L4).
  func cardless(_ button: Button) -> IgnoredPress? {
    if button == .play && mayBeHeard { return nil }
    guard configuration.settings.withoutCard == .silent, !laidCards.isEmpty, !laidCards.isAnyThere else { return nil }
    return button.traits.canStartSound ? .noCard : nil
  }

  /// The reader that a command means.
  func presenceReader(_ named: String?) throws(ConsoleCommand.Invalid) -> String {
    if let named, !configuration.readers.contains(named) { throw .init(message: unknown(reader: named)) }
    guard let reader = named ?? laidCards.only, laidCards.has(reader) else {
      let what = named.map { "\($0) does not say when a card is lifted" } ?? "expected a reader's name"
      throw .init(message: "token lifted: \(what)")
    }
    return reader
  }
}
