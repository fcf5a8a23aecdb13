/// Decides which clients of the session may sound, and together with whom.
///
/// A client that does not mix *holds* the session: it interrupts whoever does not mix either, and weaker ones are refused
/// while it does. A stronger holder also silences weaker ones that would mix: what may not begin may not go on. Between
/// equals the newer wins.
public struct SessionArbiter: Hashable, Sendable {
  /// More than any board has: what a console can add must not grow for ever.
  public static let mostClients = 20

  /// The clients that are active, the one activated last at the end. An interrupted client stays active: it sounds again
  /// when its interrupters are gone.
  public private(set) var active: [SessionClient] = []

  public init() {}

  public func isActive(_ name: String) -> Bool { active.contains { $0.name == name } }

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

  /// What a deactivation did.
  public struct Deactivation: Hashable, Sendable {
    /// Its sound was running and has to be stopped (S9).
    public var isBusy: Bool
    /// What those hear that it interrupted and nobody else does (S8).
    public var shouldResume: Bool
  }

  /// Makes a client inactive; nil when it was not active.
  ///
  /// - Parameters:
  ///   - isSounding: whether its sound is running.
  ///   - shouldResume: what it says to those it interrupted; nil: what its option `notify-others` says.
  public mutating func deactivate(_ name: String, isSounding: Bool, shouldResume: Bool? = nil) -> Deactivation? {
    guard let client = active.first(where: { $0.name == name }) else { return nil }
    active.removeAll { $0.name == name }
    return Deactivation(
      isBusy: isSounding, shouldResume: shouldResume ?? client.options.contains(.notifyOthers))
  }

  /// An active client has another category or other options from now on (R10).
  public mutating func update(_ client: SessionClient) {
    guard let index = active.firstIndex(where: { $0.name == client.name }) else { return }
    active[index] = client
  }

  /// Those that keep a client from sounding, the oldest first. One that is not active counts as older than all.
  public func interrupters(of client: SessionClient) -> [SessionClient] {
    let place = active.firstIndex { $0.name == client.name } ?? -1
    return active.indices.filter { excludes(active[$0], client, isNewer: $0 > place) }.map { active[$0] }
  }

  /// Those who want a client to be lowered and are not interrupted themselves, the oldest first.
  public func duckers(of client: SessionClient) -> [SessionClient] {
    active.filter { $0.name != client.name && $0.options.contains(.duckOthers) && interrupters(of: $0).isEmpty }
  }

  private func excludes(_ holder: SessionClient, _ other: SessionClient, isNewer: Bool) -> Bool {
    guard holder.name != other.name else { return false }
    if holder.mixes {
      // Two voices at once cannot be understood (D6).
      return holder.options.contains(.duckOthers) && other.isSpeech && holder.priority >= other.priority
    }
    guard holder.priority == other.priority else { return holder.priority > other.priority }
    return isNewer && (!other.mixes || holder.category == .record)
  }
}

/// Why a client may not be active.
public enum SessionRefusal: Error, Hashable, Sendable {
  case held(by: String)
  case noInput
  case tooMany
}
