import AudioSession

/// What no type says and holds all the same after every input. Debug builds, explorations and the fuzzer check it.
extension Jukebox {
  /// The rule that is broken; nil: all hold.
  var brokenInvariant: String? {
    guard isOn else { return nil }
    return Self.invariants.first { !$0.holds(self) }?.rule
  }

  private static let invariants: [(rule: String, holds: @Sendable (Jukebox) -> Bool)] = [
    ("what is stopped stands at the start of its track", { $0.transport.intent != .stopped || $0.playhead.frame == 0 }),
    ("only music that is wanted asks", { !$0.transport.isPromptShown || $0.transport.intent == .playing }),
    ("no plug is in doubt whose loss is known", { $0.transport.routeLoss == nil || $0.transport.doubt == nil }),
    ("no loss holds while a port is tried for it", { $0.transport.routeLoss == nil || $0.transport.trial == nil }),
    ("its hold is there exactly without a route", { ($0.transport.unsuited != nil) == ($0.routes.route == .none) }),
    (
      "nothing sounds that is held, stopped or paused",
      { !$0.commanded.isSounding || $0.transport.isAudible && !$0.queue.isEmpty }
    ),
    ("what sounds is decoded", { !$0.commanded.isSounding || $0.stream.isLoaded }),
    ("the session knows the music's category", { $0.sessions.music.category == $0.routes.category }),
    ("the gap runs without a private port", { $0.visit.due == nil || !$0.hasPrivatePort }),
  ]
}
