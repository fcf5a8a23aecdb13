import AudioSession
import BoardFiles
import Jukebox

/// The lines as they ought to be understood: a level counts when it has held for the debounce time.
struct Contacts {
  struct Contact {
    let debounce: Duration
    /// What it is, seen or not.
    var raw = false
    /// What the system saw last, and what it takes it for.
    var seen = false
    var level = false
    var firstEdge: Instant?
    private(set) var lastEdge = Instant.powerOn

    init(debounce: Duration) { self.debounce = debounce }

    mutating func see(_ asserted: Bool, at now: Instant) {
      guard firstEdge != nil || asserted != level else { return }
      seen = asserted
      firstEdge = firstEdge ?? now
      lastEdge = now
    }

    /// What was not steady before a sleep has to be so for its whole time awake.
    mutating func wake(at now: Instant) { if firstEdge != nil { lastEdge = now } }

    /// Steady for long enough, and nobody has said so yet.
    func isDue(at now: Instant) -> Bool { firstEdge != nil && now >= lastEdge + debounce }

    mutating func settle() {
      level = seen
      firstEdge = nil
    }

    /// Asserted so far, and on its way out perhaps.
    var isInDoubt: Bool { level && firstEdge != nil }
  }

  private(set) var contacts: [String: Contact] = [:]

  init(_ board: BoardDescription) {
    for line in board.lines { contacts[line.name] = Contact(debounce: line.debounce) }
  }

  subscript(_ line: String) -> Contact {
    get { contacts[line] ?? Contact(debounce: .zero) }
    set { contacts[line] = newValue }
  }

  mutating func move(_ line: String, to asserted: Bool, isSeen: Bool, at now: Instant) {
    contacts[line]?.raw = asserted
    if isSeen { contacts[line]?.see(asserted, at: now) }
  }

  /// What they are at power on is true at once (R1).
  mutating func powerOn() {
    for name in contacts.keys {
      guard var contact = contacts[name] else { continue }
      contact.seen = contact.raw
      contact.settle()
      contacts[name] = contact
    }
  }

  /// What has moved in sleep is an edge now (R11).
  mutating func wake(at now: Instant) {
    for (name, contact) in contacts {
      if contact.raw != contact.seen {
        contacts[name]?.see(contact.raw, at: now)
      } else {
        contacts[name]?.wake(at: now)
      }
    }
  }
}
