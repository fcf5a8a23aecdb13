import AudioSession

/// Readers: keypads, and bar-code and card readers that type (T5).
/// Changes: `typing`, `readings`.
extension Jukebox {
  mutating func typed(_ key: TypedKey, on reader: ReaderID, at now: Instant) {
    guard typing.indices.contains(reader.index) else { return }
    let due = now + configuration.settings.typingTimeout
    switch key {
    case .character(let character): typing[reader.index].append(character, until: due)
    case .lost: typing[reader.index].loseKeys(until: due)
    case .clear:
      typing[reader.index] = Typing()
      return touch(at: now)
    case .enter:
      let typed = typing[reader.index]
      typing[reader.index] = Typing()
      if isRepeated(typed, on: reader, at: now) { return }
      if !typed.isEmpty {
        visited(by: .token, at: now)
        obey(typed, from: configuration.readers[reader.index], at: now)
      }
      return touch(at: now)
    }
    if !mayBeRepeated(typing[reader.index], on: reader, at: now) { touch(at: now) }
  }

  /// Whether the reader has read the same token within `reader_repeat` of its last reading: a card was left on it. Of
  /// one that lacks keys nobody knows which it was.
  private mutating func isRepeated(_ typed: Typing, on reader: ReaderID, at now: Instant) -> Bool {
    if typed.isEmpty || typed.fault == .keysLost { return false }
    return readings[reader.index].note(typed.text, within: configuration.settings.readerRepeat, at: now)
  }

  private func mayBeRepeated(_ typed: Typing, on reader: ReaderID, at now: Instant) -> Bool {
    readings[reader.index].mayContinue(typed.text, within: configuration.settings.readerRepeat, at: now)
  }

  /// Nobody has ended it: the next one who types begins anew.
  mutating func typingTimedOut(on reader: ReaderID) {
    guard typing.indices.contains(reader.index) else { return }
    logUnknown(typing[reader.index], typing[reader.index].fault ?? .timeOut, from: configuration.readers[reader.index])
    typing[reader.index] = Typing()
  }

  /// The system slept: what was typed before is nobody's any more, and a card that was left on a reader is no new one.
  mutating func wakeReaders(slept: Duration) {
    for reader in typing.indices {
      typing[reader] = Typing()
      readings[reader].skip(slept)
    }
  }

  /// The private port is lost: what is half typed was not meant for the port that is left (P1).
  mutating func overtakeTyping() { for reader in typing.indices { typing[reader].overtake() } }

  private mutating func obey(_ typed: Typing, from reader: String, at now: Instant) {
    if let fault = typed.fault { return logUnknown(typed, fault, from: reader) }
    guard let choice = configuration.settings.choice(of: typed.text) else {
      return logUnknown(typed, .unknown, from: reader)
    }
    log(
      .tokenRead, .info,
      [
        "reader": reader, "token": typed.text, choice.word: choice.name,
        "ignored": typed.isOvertaken ? IgnoredPress.unplugged.rawValue : nil,
      ])
    if typed.isOvertaken { return }
    switch choice {
    case .track(let name): choose(name, at: now)
    case .playlist(let name): choose(playlist: name, at: now)
    case .cue(let name): speak(named: name, at: now)
    }
  }

  private mutating func logUnknown(_ typed: Typing, _ fault: TokenFault, from reader: String) {
    log(
      .tokenUnknown, .warn, ["reader": reader, "token": typed.text, "reason": fault.rawValue],
      mayTrigger: fault.mayTrigger)
  }
}
