import AudioSession

/// What has become of the session's clients, in order.
enum SessionFact {
  case activated(SessionClient)
  case refused(ClientName, RefusalReason)
  case deactivated(ClientName, isBusy: Bool, shouldResume: Bool)
  /// Who may sound has changed; `by`: the contact, if one did it.
  case changed(by: LineCause?)
}

/// Who has the session, and what contacts and the console ask of it for as long as they do (S rows).
struct Sessions: Hashable, Sendable {
  /// How many interrupters there can be at once: the music, the recorder and whose cue is spoken always find a place.
  private static let mostStanding = SessionArbiter.mostClients - 4

  /// As the settings have them.
  private let clients: [SessionClient]
  private let hasInput: Bool
  private(set) var arbiter = SessionArbiter()
  /// Clients that a contact or the console has brought in.
  private(set) var standing: Set<ClientName> = []
  /// Clients that were refused and whose contacts are still closed: they get their turn when the session is free (S7).
  private(set) var refused: Set<ClientName> = []
  /// The mute line is asserted.
  private(set) var isMuted = false
  /// Its category changes (R10).
  private(set) var music: SessionClient

  init(_ clients: [SessionClient], hasInput: Bool) {
    self.clients = clients
    self.hasInput = hasInput
    music = Self.client(.music, of: clients)
  }

  /// As the settings have it, else as every kiosk has it, else like a page.
  private static func client(_ name: ClientName, of clients: [SessionClient]) -> SessionClient {
    var client =
      clients.first { $0.name == name } ?? SessionClient.own.first { $0.name == name } ?? .page
    client.name = name
    return client
  }

  func client(_ name: ClientName) -> SessionClient {
    name == music.name ? music : Self.client(name, of: clients)
  }

  var recorder: SessionClient { client(.recorder) }

  /// The clients that have the session, the oldest first.
  var active: [SessionClient] { arbiter.active }

  func isActive(_ name: ClientName) -> Bool { arbiter.isActive(name) }

  /// Whether others leave the session to this client.
  func isFree(for client: SessionClient) -> Bool { arbiter.interrupters(of: client).isEmpty }

  /// Who or what keeps a client from sounding: stronger ones, the mute line, or that it lacks the input that it needs.
  func interrupters(of client: SessionClient) -> [Interruption.Source] {
    var sources = arbiter.interrupters(of: client).map { Interruption.Source.client($0.name) }
    if silences(client) { sources.append(.mute) }
    if client.category == .playAndRecord && !hasInput { sources.append(.noInput) }
    return sources
  }

  /// Whether the mute line keeps this client from sounding.
  func silences(_ client: SessionClient) -> Bool { isMuted && client.category.obeysMute }

  /// The clients that duck the music and sound.
  var duckers: [ClientName] { arbiter.duckers(of: music).filter { interrupters(of: $0).isEmpty }.map(\.name) }

  // MARK: - Clients

  /// The session as it would be with a client; nil where that would be refused.
  private func with(_ client: SessionClient) -> SessionArbiter? {
    var next = arbiter
    do {
      try next.activate(client, hasInput: hasInput)
      return next
    } catch {
      return nil
    }
  }

  func mayActivate(_ client: SessionClient) -> Bool { with(client) != nil }

  /// Whether both may sound, so that the cue of one has to wait for that of the other. One that would be refused need not
  /// wait for that.
  func mustWait(_ client: SessionClient, for speaker: SessionClient) -> Bool {
    client.name == speaker.name || with(client).map { $0.interrupters(of: speaker).isEmpty } ?? false
  }

  /// Returns nil where the client was active before, and may stay so.
  mutating func activate(_ client: SessionClient) -> SessionFact? {
    let wasActive = isActive(client.name)
    do {
      try arbiter.activate(client, hasInput: hasInput)
      return wasActive ? nil : .activated(client)
    } catch {
      switch error {
      case .held(let name): return .refused(client.name, .held(by: name))
      case .noInput: return .refused(client.name, .noInput)
      case .tooMany: return .refused(client.name, .tooManyClients)
      }
    }
  }

  /// Makes a client inactive (S8, S9); nil: it was not active.
  ///
  /// - Parameters:
  ///   - isSounding: its sound is running.
  ///   - shouldResume: whether those that it interrupted should resume; nil: as the client's options say.
  mutating func deactivate(_ name: ClientName, isSounding: Bool, shouldResume: Bool? = nil) -> SessionFact? {
    arbiter.deactivate(name, isSounding: isSounding, shouldResume: shouldResume).map {
      .deactivated(name, isBusy: $0.isBusy, shouldResume: $0.shouldResume)
    }
  }

  /// The music has another category: what it meant for the others, and they for it (S1, S2).
  mutating func change(to category: SessionCategory) -> SessionFact {
    music.category = category
    arbiter.update(music)
    return .changed(by: nil)
  }

  // MARK: - Contacts and the console

  /// Begins an interruption.
  ///
  /// - Parameter cause: of the contact; nil: the console, a scenario, or a contact that was refused and has its turn.
  mutating func begin(_ name: ClientName, _ cause: LineCause?) -> [SessionFact] {
    let isContact = cause != nil || refused.contains(name)
    let client = client(name)
    var facts: [SessionFact] = []
    // One that is active already stays so, even while a stronger one would refuse it.
    if !isActive(name) || mayActivate(client) {
      let fact = hasRoom(for: name) ? activate(client) : .refused(name, .tooManyClients)
      if let fact { facts.append(fact) }
      if case .refused = fact {
        if isContact { refused.insert(name) }
        return facts
      }
    }
    refused.remove(name)
    standing.insert(name)
    return facts + [.changed(by: cause)]
  }

  private func hasRoom(for name: ClientName) -> Bool { standing.contains(name) || standing.count < Self.mostStanding }

  mutating func end(_ name: ClientName) {
    refused.remove(name)
    standing.remove(name)
  }

  mutating func mute(_ isMuted: Bool, _ cause: LineCause?) -> SessionFact {
    self.isMuted = isMuted
    return .changed(by: cause)
  }
}
