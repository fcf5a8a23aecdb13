import AudioSession

/// What no type says and still holds after every input. Debug builds, explorations and the fuzzer check it.
extension Jukebox {
  /// The rule that is broken; nil: all hold.
  var brokenInvariant: String? {
    guard isOn else { return nil }
    return Self.invariants.first { !$0.holds(self) }?.rule
  }

  private static let invariants: [(rule: String, holds: @Sendable (Jukebox) -> Bool)] = [
    (
      "what is stopped stands at the start of its track",
      { $0.player.transport.intent != .stopped || $0.player.playhead.frame == 0 }
    ),
    (
      "only music that is wanted asks", { !$0.player.transport.isPromptShown || $0.player.transport.intent == .playing }
    ),
    (
      "no plug is in doubt whose loss is known",
      { $0.player.transport.routeLoss == nil || $0.player.transport.doubt == nil }
    ),
    (
      "no loss holds while a port is tried for it",
      { $0.player.transport.routeLoss == nil || $0.player.transport.trial == nil }
    ),
    (
      "its hold is there exactly without a route",
      { ($0.player.transport.unsuited != nil) == ($0.routes.route == .none) }
    ),
    (
      "nothing sounds that is held, stopped or paused",
      { !$0.player.engine.isSounding || $0.player.transport.isAudible && !$0.player.queue.isEmpty }
    ),
    (
      "what is closed is not wanted, unless it is kept, or a cue is still heard out",
      {
        !$0.player.transport.isClosed || $0.hours.keptAt != nil || $0.hours.isEnding
          || $0.player.transport.intent != .playing
      }
    ),
    ("what sounds is decoded", { !$0.player.engine.isSounding || $0.player.stream.isLoaded }),
    ("the session knows the music's category", { $0.sessions.music.category == $0.routes.category }),
    ("a contact that is open keeps nothing sounding", { !$0.isKeptByOpenContact }),
    ("the gap runs without a private port", { $0.visit.due == nil || !$0.hasPrivatePort }),
  ]
}
