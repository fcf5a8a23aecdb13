import AudioSession

/// The line and the first edge behind what a contact has done, for the log.
struct LineCause: Hashable, Sendable {
  var line: String
  var edge: Instant
}

/// What the lines and readers of the board have found. `Policy` says what it means.
enum ContactFact: Hashable, Sendable {
  /// An edge of a line that has to rest before it counts.
  case moved(at: Instant)
  /// The first edge of a plug on its way out.
  case leaving(line: String)
  case bounced(line: String, edges: Int)
  /// The wire is broken, or the button is. `edges`: of a line that does not come to rest; nil: of one that stays down.
  case stuck(line: String, edges: Int?)
  case plug(isIn: Bool, LineCause)
  /// The contact of a session client.
  case client(ClientName, isClosed: Bool, LineCause)
  case mute(Bool, LineCause)
  /// The contact that closes the kiosk, for this long at most.
  case silence(Bool, backAfter: Duration)
  /// A selector names this playlist.
  case selected(playlist: String)
  /// `isIgnored`: it began before the private port was lost, and would start sound (P1, Q2).
  case gesture(Gesture, of: Button, on: LineID, isIgnored: Bool)
  case token(String, reader: String, isIgnored: Bool)
  /// `isEntered`: it was ended by Enter; false: by the time-out.
  case noToken(String, reader: String, TokenFault, isEntered: Bool)
  /// A contact with manners is open; or closed for longer than it may be (O3).
  case opened(LineID)
  case overlong(LineID)
  /// A coin of this many pulses; or pulses that are none.
  case coin(line: LineID, pulses: Int)
  case noCoin(line: LineID, reason: CoinRefusal)
  /// Somebody uses a reader.
  case typed
}
