import AudioSession

/// The cues that wait and the one that is spoken: one voice at a time, in the order of asking.
struct Speech: Hashable, Sendable {
  /// Who pressed the button ten times hears the cue no more often than this afterwards.
  static let mostWaiting = 4

  struct Request: Hashable, Sendable {
    /// Index into `Configuration.cues`.
    var cue: Int
    /// The session client that speaks it.
    var client: String
  }

  enum Phase: Hashable, Sendable {
    /// The engine was not told yet.
    case due
    case told
    /// Its first frame was heard.
    case heard
  }

  /// Sent with every command and report; wraps.
  private(set) var clip: UInt8 = 0
  private(set) var current: Request?
  var waiting: [Request] = []
  var phase = Phase.due
  /// The engine was told to fade it out and keep its place.
  var isHushed = false
  /// Where it was heard last.
  var port: Port?

  mutating func begin(_ request: Request) {
    clip &+= 1
    current = request
    phase = .due
    isHushed = false
    port = nil
  }

  mutating func end() {
    current = nil
    isHushed = false
  }
}
