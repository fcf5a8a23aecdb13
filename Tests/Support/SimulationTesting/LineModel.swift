import AudioSession
import BoardFiles

/// The levels that the firmware has to take the lines for: one counts once it has been steady for the debounce time.
struct LineModel {
  struct Contact {
    let debounce: Duration
    /// The real level, whether or not the system could see it.
    var raw = false
    /// The level that the system saw last, and the debounced one.
    var seen = false
    var level = false
    var firstEdge: Instant?
    private(set) var lastEdge = Instant.powerOn

    init(debounce: Duration) { self.debounce = debounce }

    mutating func noteEdge(_ asserted: Bool, at now: Instant) {
      guard firstEdge != nil || asserted != level else { return }
      seen = asserted
      firstEdge = firstEdge ?? now
      lastEdge = now
    }

    /// A contact that was not steady before the sleep has to be steady for the whole debounce time awake.
    mutating func wake(at now: Instant) { if firstEdge != nil { lastEdge = now } }

    /// Steady for long enough, and not settled yet.
    func isDue(at now: Instant) -> Bool { firstEdge != nil && now >= lastEdge + debounce }

    mutating func settle() {
      level = seen
      firstEdge = nil
    }

    /// Asserted so far, and perhaps about to be released.
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
    if isSeen { contacts[line]?.noteEdge(asserted, at: now) }
  }

  /// The levels at power on count at once (R1).
  mutating func powerOn() {
    for name in contacts.keys {
      guard var contact = contacts[name] else { continue }
      contact.seen = contact.raw
      contact.settle()
      contacts[name] = contact
    }
  }

  /// A line that moved in sleep has its edge at the wake (R11).
  mutating func wake(at now: Instant) {
    for (name, contact) in contacts {
      if contact.raw != contact.seen {
        contacts[name]?.noteEdge(contact.raw, at: now)
      } else {
        contacts[name]?.wake(at: now)
      }
    }
  }
}
