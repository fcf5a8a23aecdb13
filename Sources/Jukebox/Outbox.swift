/// What the brain asks of the world with the input at hand, in order; empty between inputs.
struct Outbox: Hashable, Sendable {
  private(set) var effects: [Effect] = []
  /// Events logged since they were last taken, that a cue may be spoken on.
  private var triggers: [EventName] = []

  var isEmpty: Bool { effects.isEmpty && triggers.isEmpty }

  mutating func append(_ effect: Effect) { effects.append(effect) }

  /// - Parameter mayTrigger: whether a cue may be spoken on the event. What a cue itself has caused has none spoken: it
  ///   would never end.
  mutating func log(_ event: Event, mayTrigger: Bool) {
    effects.append(.log(event))
    if mayTrigger { triggers.append(event.name) }
  }

  mutating func takeTriggers() -> [EventName] {
    defer { triggers = [] }
    return triggers
  }

  mutating func takeEffects() -> [Effect] {
    defer { self = Outbox() }
    return effects
  }
}
