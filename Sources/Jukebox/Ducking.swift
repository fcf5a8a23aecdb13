import AudioSession

/// Whether the music is lowered, and who has asked for that for too long (D1, D2, D5).
struct Ducking: Hashable, Sendable {
  private(set) var isDucked = false
  /// Until when clients that speak no cue may duck.
  private(set) var limits: [ClientName: Instant] = [:]
  /// Clients that have ducked for longer than anybody speaks, and still would. They do not count.
  private(set) var overlong: Set<ClientName> = []

  /// Returns false where nothing changes.
  mutating func move(to isDucked: Bool) -> Bool {
    defer { self.isDucked = isDucked }
    return isDucked != self.isDucked
  }

  mutating func expire(_ client: ClientName) {
    limits[client] = nil
    overlong.insert(client)
  }

  /// Whoever let go of the session may duck again.
  mutating func forgetAll(but active: [ClientName]) { overlong.formIntersection(active) }

  /// These clients duck, and speak no cue; one that has just begun may until this instant.
  mutating func limit(_ clients: Set<ClientName>, until instant: Instant) {
    limits = limits.filter { clients.contains($0.key) }
    for client in clients.subtracting(overlong) where limits[client] == nil { limits[client] = instant }
  }
}
