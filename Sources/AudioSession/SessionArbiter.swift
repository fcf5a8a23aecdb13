/// Decides which clients of the session may sound, and together with whom.
///
/// A client that does not mix *holds* the session: it interrupts other clients that do not mix, and weaker clients are
/// refused meanwhile. A stronger holder also interrupts weaker clients that mix, because it would refuse them if they
/// began now. Between clients of the same priority the newer one wins.
public struct SessionArbiter: Hashable, Sendable {
  /// More than any board has. The bound is for clients that the console adds by name.
  public static let mostClients = 20

  /// The clients that are active, the one activated last at the end. An interrupted client stays active: it sounds
  /// again when its interrupters are gone.
  public private(set) var active: [SessionClient] = []

  public init() {}

  public func isActive(_ name: ClientName) -> Bool { active.contains { $0.name == name } }

  /// Activates a client, or makes an active one the newest.
  ///
  /// - Parameter hasInput: whether there is an input port to record from.
  public mutating func activate(_ client: SessionClient, hasInput: Bool) throws(SessionRefusal) {
    if client.category.needsInput && !hasInput { throw .noInput }
    if let holder = active.first(where: { excludes($0, client, isNewer: false) }) { throw .held(by: holder.name) }
    let others = active.filter { $0.name != client.name }
    if others.count >= Self.mostClients { throw .tooMany }
    active = others + [client]
  }

  /// The result of a deactivation.
  public struct Deactivation: Hashable, Sendable {
    /// Whether its sound was running, so that it has to be stopped (S9).
    public var isBusy: Bool
    /// Whether the clients that only this one interrupted should resume (S8).
    public var shouldResume: Bool
  }

  /// Makes a client inactive; nil when it was not active.
  ///
  /// - Parameters:
  ///   - isSounding: whether its sound is running.
  ///   - shouldResume: whether the clients that it interrupted should resume; nil: as its option `notify-others` says.
  public mutating func deactivate(_ name: ClientName, isSounding: Bool, shouldResume: Bool? = nil) -> Deactivation? {
    guard let client = active.first(where: { $0.name == name }) else { return nil }
    active.removeAll { $0.name == name }
    return Deactivation(
      isBusy: isSounding, shouldResume: shouldResume ?? client.options.contains(.notifyOthers))
  }

  /// Changes the category or options of an active client (R10).
  public mutating func update(_ client: SessionClient) {
    guard let index = active.firstIndex(where: { $0.name == client.name }) else { return }
    active[index] = client
  }

  /// The clients that keep a client from sounding, the oldest first. A client that is not active counts as the oldest.
  public func interrupters(of client: SessionClient) -> [SessionClient] {
    let place = active.firstIndex { $0.name == client.name } ?? -1
    return active.indices.filter { excludes(active[$0], client, isNewer: $0 > place) }.map { active[$0] }
  }

  /// The clients that duck a client and are not interrupted themselves, the oldest first.
  public func duckers(of client: SessionClient) -> [SessionClient] {
    active.filter { $0.name != client.name && $0.options.contains(.duckOthers) && interrupters(of: $0).isEmpty }
  }

  private func excludes(_ holder: SessionClient, _ other: SessionClient, isNewer: Bool) -> Bool {
    guard holder.name != other.name else { return false }
    if holder.mixes {
      // Two voices at once cannot be understood, so speech pauses for a cue (D6).
      return holder.options.contains(.duckOthers) && other.isSpeech && holder.priority >= other.priority
    }
    guard holder.priority == other.priority else { return holder.priority > other.priority }
    return isNewer && (!other.mixes || holder.category == .record)
  }
}

/// Why a client may not be active.
public enum SessionRefusal: Error, Hashable, Sendable {
  case held(by: ClientName)
  case noInput
  case tooMany
}
