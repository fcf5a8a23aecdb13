import AudioSession

/// One input at hand: when it came, and what the brain asks of the world for it, in order.
struct Turn {
  /// When the input came; while the facts of an edge are followed, when that happened.
  var now: Instant
  /// When the edge at hand happened: what follows from it dates back to it.
  var edge: Instant?
  /// The client whose duck has lasted so long that it no longer counts, with this input.
  var expiredDuck: ClientName?
  /// Music was heard to fade for the sleep timer until this input: what is chosen with it pauses nothing (H5.3).
  var wasFading = false
  private(set) var effects: [Effect] = []
  /// Events logged since they were last taken, that a cue may be spoken on.
  private var triggers: [EventName] = []
  /// Why what was asked for with this input is not done, as the log says last; nil: nothing was refused.
  private(set) var objection: String?

  init(now: Instant) { self.now = now }

  mutating func append(_ effect: Effect) { effects.append(effect) }

  /// - Parameter mayTrigger: whether a cue may be spoken on the event. What a cue itself has caused has none spoken: it
  ///   would never end.
  mutating func log(
    _ name: EventName, _ level: Event.Level = .info, _ fields: KeyValuePairs<String, String?> = [:],
    _ health: Health? = nil, mayTrigger: Bool = true
  ) {
    var event = Event(name, level, fields)
    event.fields += health?.fields ?? []
    effects.append(.log(event))
    if mayTrigger { triggers.append(name) }
  }

  mutating func object(_ reason: String?) { objection = reason ?? objection }

  mutating func takeTriggers() -> [EventName] {
    defer { triggers = [] }
    return triggers
  }
}

// MARK: - The console

extension Turn {
  mutating func reply(_ text: String) { append(.reply(text)) }

  mutating func replyError(_ message: String) { reply("error: \(Self.plain(message))") }

  /// Escapes what could end the line or move a terminal's cursor: a cue's file name may hold anything.
  static func plain(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { plain, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: plain += "\\u{\(String(scalar.value, radix: 16))}"
      default: plain.unicodeScalars.append(scalar)
      }
    }
  }
}
