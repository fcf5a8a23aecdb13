import AudioSession

/// Keypads, and bar-code and card readers that type: what is being typed at each, and what was read there a moment ago
/// (T5).
struct Readers: Hashable, Sendable {
  private struct State: Hashable {
    var name: String
    /// How many characters end a token by themselves; nil: only what `SelfEndingTokens` says.
    var length: Int?
    var typing = Typing()
    var readings = Readings()
    /// What was typed last has ended itself: an Enter that comes next belongs to it (T5.3).
    var hasEndedItself = false
  }

  private var states: [State]
  /// What is read nowhere, but given to the console.
  private var console = State(name: "console")
  private let tokens: SelfEndingTokens
  private let timeOut: Duration
  /// Within which the same token is the same reading.
  private let repeatTime: Duration

  init(_ names: [String], lengths: [String: Int] = [:], _ settings: Settings) {
    states = names.map { State(name: $0, length: lengths[$0]) }
    tokens = SelfEndingTokens(settings)
    timeOut = settings.typingTimeout
    repeatTime = settings.readerRepeat
  }

  var indices: Range<Int> { states.indices }

  /// When what was typed at a reader is forgotten.
  func due(_ reader: Int) -> Instant? { states[reader].typing.due }

  /// - Parameter tracks: how many can be named by a number.
  mutating func typed(_ key: TypedKey, on reader: ReaderID, tracks: Int, at now: Instant) -> [ContactFact] {
    guard states.indices.contains(reader.index) else { return [] }
    let isBehindEnd = states[reader.index].hasEndedItself
    states[reader.index].hasEndedItself = false
    switch key {
    case .character(let character):
      states[reader.index].typing.append(character, until: now + timeOut)
      if isComplete(reader, tracks: tracks) {
        defer { states[reader.index].hasEndedItself = true }
        return entered(on: reader, at: now)
      }
    case .lost: states[reader.index].typing.loseKeys(until: now + timeOut)
    case .clear:
      // A reader that has just been plugged in has no typed text.
      defer { states[reader.index].typing = Typing() }
      return states[reader.index].typing.isEmpty ? [] : [.typed]
    case .enter: return isBehindEnd ? [] : entered(on: reader, at: now)
    }
    let (typing, readings) = (states[reader.index].typing, states[reader.index].readings)
    return readings.mayContinue(typing.text, within: repeatTime, at: now) ? [] : [.typed]
  }

  private func isComplete(_ reader: ReaderID, tracks: Int) -> Bool {
    let state = states[reader.index]
    if let length = state.length { return state.typing.text.utf8.count >= length }
    return state.typing.fault == nil && tokens.endItself(state.typing.text, tracks: tracks)
  }

  private mutating func entered(on reader: ReaderID, at now: Instant) -> [ContactFact] {
    let typed = states[reader.index].typing
    states[reader.index].typing = Typing()
    if typed.isEmpty { return [.typed] }
    // A card was left on the reader. If keys are missing, nobody knows which card it was.
    if typed.fault != .keysLost, states[reader.index].readings.note(typed.text, within: repeatTime, at: now) {
      return []
    }
    let name = states[reader.index].name
    if let fault = typed.fault { return [.noToken(typed.text, reader: name, fault, isEntered: true), .typed] }
    return [.token(typed.text, reader: name, isIgnored: typed.isOvertaken), .typed]
  }

  /// A token as a whole, as if this reader had read it; nil: the console (K7.3). What is half typed there stays.
  mutating func read(_ token: String, on reader: String?, at now: Instant) -> [ContactFact] {
    guard let index = states.firstIndex(where: { $0.name == reader }) else {
      return Self.read(token, on: &console, within: repeatTime, at: now)
    }
    return Self.read(token, on: &states[index], within: repeatTime, at: now)
  }

  private static func read(
    _ token: String, on reader: inout State, within repeatTime: Duration, at now: Instant
  ) -> [ContactFact] {
    if reader.readings.note(token, within: repeatTime, at: now) { return [] }
    return [.token(token, reader: reader.name, isIgnored: false), .typed]
  }

  /// Nobody has ended it: the next one who types begins again.
  mutating func timedOut(_ reader: ReaderID) -> [ContactFact] {
    guard states.indices.contains(reader.index) else { return [] }
    let typed = states[reader.index].typing
    states[reader.index].typing = Typing()
    let fault = typed.fault ?? .timeOut
    return [.noToken(typed.text, reader: states[reader.index].name, fault, isEntered: false)]
  }

  /// The system slept: what was typed before is dropped, and a card that was left on a reader is not a new one.
  mutating func wake(slept: Duration) {
    for index in states.indices {
      states[index].typing = Typing()
      states[index].hasEndedItself = false
      states[index].readings.skip(slept)
    }
    console.readings.skip(slept)
  }

  /// The private port is lost: what is half typed was not meant for the port that is left (P1).
  mutating func overtake() { for index in states.indices { states[index].typing.overtake() } }
}
