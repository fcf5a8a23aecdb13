import AudioSession

/// The cues that wait and the one that is spoken: one voice at a time, in the order of asking.
struct Speech: Hashable, Sendable {
  /// The maximum number of queued cues.
  static let mostWaiting = 4

  struct Request: Hashable, Sendable {
    /// Index into `Configuration.cues`.
    var cue: Int
    /// The session client that speaks it.
    var client: ClientName
    /// The time of the timetable that asks for it; nil: somebody or something else asks.
    var moment: TimetableMoment?
    /// The contact with manners that asks for it (O rows); nil: somebody or something else does.
    var contact: LineID?
  }

  enum Phase: Hashable, Sendable {
    /// The engine has no command for it yet.
    case due
    case told
    /// Its first frame was heard.
    case heard
  }

  /// Sent with every command and report; wraps.
  private(set) var id: UInt8 = 0
  private(set) var current: Request?
  private(set) var waiting: [Request] = []
  private(set) var phase = Phase.due
  /// The engine has the command to fade it out and keep its place.
  private(set) var isPaused = false
  /// Where it was heard last.
  private(set) var port: Port?
  /// When it has spoken for longer than any cue should.
  private(set) var limit: Instant?

  var isFull: Bool { waiting.count >= Self.mostWaiting }

  mutating func begin(_ request: Request, until instant: Instant) {
    current = request
    limit = instant
    renew()
  }

  /// The current one is spoken from its start, within the same limit.
  mutating func renew() {
    id &+= 1
    phase = .due
    isPaused = false
    port = nil
  }

  mutating func end() {
    current = nil
    isPaused = false
    limit = nil
  }

  mutating func wait(_ request: Request) { waiting.append(request) }

  /// The one that has waited longest, once no cue is spoken.
  mutating func takeNext() -> Request? { current == nil && !waiting.isEmpty ? waiting.removeFirst() : nil }

  /// Returns those that wait no longer: all of a client, or all.
  mutating func drop(of client: ClientName?) -> [Request] {
    let dropped = waiting.filter { client == nil || $0.client == client }
    waiting.removeAll { client == nil || $0.client == client }
    return dropped
  }

  /// Drops those that wait for a contact.
  mutating func drop(for contact: LineID) -> [Request] {
    let dropped = waiting.filter { $0.contact == contact }
    waiting.removeAll { $0.contact == contact }
    return dropped
  }

  /// The engine gets the command to speak it.
  mutating func command() { phase = .told }

  mutating func started() { phase = .heard }

  mutating func pause() { isPaused = true }

  mutating func resume() { isPaused = false }

  mutating func move(to port: Port?) { self.port = port }
}
