import AudioSession
import Jukebox

/// What lies on the reader that says so, and what has to come of it (L rows).
struct CardModel {
  enum Line: Equatable {
    case read(String, isAtBoot: Bool)
    case lifted(String)
  }

  /// What its card was lifted from, while the music waits there.
  struct Lifted {
    var token: String
    var since: Instant
    /// What waits.
    var file: String?
    var playlist: String?
    var port: Port?
    /// An unplug held it.
    var isLost: Bool
  }

  static let reader = "SHELF"

  let lift: Duration
  let settings: Settings
  let ports: [OutputPort]
  /// What lies there, whoever looks.
  private var lying: String?
  /// What the kiosk takes to lie there, and since when it is gone.
  private var known: String?
  private var goneSince: Instant?
  private var due: [Line] = []
  private(set) var lifted: Lifted?
  /// Where music was heard last, since it was stopped.
  private(set) var heardAt: Port?

  init?(_ kiosk: KioskSetup) {
    guard let lift = kiosk.board.readers.first(where: { $0.name == Self.reader })?.lift else { return nil }
    self.lift = lift
    settings = kiosk.settings.settings
    ports = kiosk.board.ports.map(\.output)
  }

  /// - Parameter isSeen: the kiosk has power, and does not sleep.
  mutating func lay(_ token: String?, isSeen: Bool, at now: Instant) {
    lying = token
    if isSeen { look(at: now) }
  }

  mutating func powerOn(at now: Instant) {
    (known, goneSince, lifted, heardAt, due) = (nil, nil, nil, nil, [])
    look(isAtBoot: true, at: now)
  }

  mutating func wake(at now: Instant) {
    if goneSince != nil { goneSince = now }
    look(at: now)
  }

  private mutating func look(isAtBoot: Bool = false, at now: Instant) {
    guard let lying else {
      if known != nil { goneSince = goneSince ?? now }
      return
    }
    goneSince = nil
    if lying == known { return }
    if let known { due.append(.lifted(known)) }
    due.append(.read(lying, isAtBoot: isAtBoot))
    known = lying
  }

  /// Checks that it was lifted. Returns whether it names music, which pauses then.
  mutating func checkLifted(_ event: Event, at now: Instant) -> (mismatch: Mismatch?, isOfMusic: Bool) {
    let token = event["token"] ?? ""
    if let since = goneSince, token == known, now >= since + lift {
      (known, goneSince) = (nil, nil)
    } else if due.first == .lifted(token) {
      due.removeFirst()
    } else {
      return (Mismatch("L2", "\(token) is logged as lifted"), false)
    }
    return (nil, isMusic(token))
  }

  mutating func noteHeard(at port: Port?) { heardAt = port }

  /// Its music waits from now on.
  mutating func noteLifted(_ card: Lifted) { lifted = card }

  /// Checks that it was laid. Returns what it chooses, if that is obeyed; nil also where it goes on.
  /// - Parameters:
  ///   - isPaused: the music is.
  ///   - isAsked: the prompt waits, so that a choice is silent (T7).
  mutating func checkRead(
    _ event: Event, isRefused: Bool, isPaused: Bool, isAsked: Bool, route: Port?, status: Status?, at now: Instant
  ) -> (mismatch: Mismatch?, choice: Choice?, goesOn: Bool) {
    let token = event["token"] ?? ""
    guard case .read(token, let isAtBoot)? = due.first else {
      return (Mismatch("L1", "\(token) is read, expected \(due)"), nil, false)
    }
    due.removeFirst()
    let choice = choice(of: token)
    if (event.name == .tokenRead) != (choice != nil) {
      return (Mismatch("L1", "\(token) is logged as \(event.name.rawValue)"), nil, false)
    }
    guard let choice else { return (nil, nil, false) }
    let former = isMusic(token) ? lifted : nil
    if isMusic(token) { lifted = nil }
    let port = former.map(\.port) ?? (isPaused ? heardAt : nil)
    let isLeft = former?.isLost == true || isPrivate(port) && !isPrivate(route)
    let isElsewhere = isMusic(token) && port != route && isLeft
    if isElsewhere || isMusic(token) && isAsked { heardAt = nil }
    let ignored = isAtBoot ? "boot" : isRefused ? "closed" : isElsewhere ? "unplugged" : nil
    if event["ignored"] != ignored {
      let found = event["ignored"] ?? "no"
      return (Mismatch("L8", "\(token) is ignored: \(found), expected \(ignored ?? "no")"), nil, false)
    }
    if ignored != nil { return (nil, nil, false) }
    let window = settings.resumeWindow
    let goesOn =
      former.map { card in
        card.token == token && card.file == status?.file && card.playlist == status?.playlist
          && (window == .zero || now < card.since + window)
      } ?? false
    return (nil, goesOn ? nil : choice, goesOn)
  }

  private func isPrivate(_ port: Port?) -> Bool { ports.contains { $0.port == port && $0.isPrivate } }

  private func isMusic(_ token: String) -> Bool {
    switch choice(of: token) {
    case .track, .playlist, .popular: true
    case .cue, .hours, nil: false
    }
  }

  func choice(of token: String) -> Choice? {
    let number = token.count <= 7 ? Int(token) : nil
    return settings.tokens[token] ?? number.map { .track(.number($0)) }
  }

  /// Everything of this instant is over.
  /// - Parameter heard: where music sounds now.
  mutating func settle(_ intent: Intent, heard: Port?, at now: Instant) -> Mismatch? {
    if intent != .paused { lifted = nil }
    heardAt = intent == .stopped ? nil : heard ?? heardAt
    if let line = due.first { return Mismatch("L1", "the log says nothing of \(line)") }
    let isLate = goneSince.map { now > $0 + lift + .milliseconds(1) } ?? false
    return isLate ? Mismatch("L2", "\(known ?? "") is gone, and the log says nothing") : nil
  }
}
