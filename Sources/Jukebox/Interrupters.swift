/// What contacts and the console ask of the session, for as long as they do.
struct Interrupters: Hashable, Sendable {
  /// Clients that a contact or the console has brought in.
  private(set) var standing: Set<String> = []
  /// Clients that were refused and whose contacts are still closed: they get their turn when the session is free (S7).
  private(set) var refused: Set<String> = []
  /// The mute line is asserted.
  private(set) var isMuted = false

  mutating func begin(_ name: String) {
    refused.remove(name)
    standing.insert(name)
  }

  mutating func refuse(_ name: String) { refused.insert(name) }

  mutating func end(_ name: String) {
    refused.remove(name)
    standing.remove(name)
  }

  mutating func mute(_ isMuted: Bool) { self.isMuted = isMuted }
}
