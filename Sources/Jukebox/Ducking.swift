/// Whether the music is lowered, and who has asked for that for too long (D1, D2, D5).
struct Ducking: Hashable, Sendable {
  private(set) var isDucked = false
  /// Clients that speak no cue and duck with a limit that runs.
  private(set) var limited: Set<String> = []
  /// Clients that have ducked for longer than anybody speaks, and still would. They do not count.
  private(set) var overlong: Set<String> = []
  /// Whose limit has passed with the input at hand.
  private(set) var expired: String?

  /// Returns false where nothing changes.
  mutating func move(to isDucked: Bool) -> Bool {
    defer { self.isDucked = isDucked }
    return isDucked != self.isDucked
  }

  mutating func expire(_ client: String) {
    limited.remove(client)
    overlong.insert(client)
    expired = client
  }

  /// Whoever let go of the session may duck again.
  mutating func forgetAll(but active: [String]) { overlong.formIntersection(active) }

  /// Returns the limits that begin and end, now that these clients duck.
  mutating func updateLimits(for clients: Set<String>) -> (begun: [String], ended: [String]) {
    let (old, new) = (limited, clients.subtracting(overlong))
    limited = new
    return (new.subtracting(old).sorted(), old.subtracting(clients).sorted())
  }

  mutating func endOfInput() { expired = nil }
}
