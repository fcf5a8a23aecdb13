/// Commands that ask for sound or for a recording: the reply names what holds it back (K7.4).
extension Jukebox {
  /// After it was carried out.
  ///
  /// - Parameter wasPromptShown: the prompt waited when the command came. A choice answers it and starts nothing (T7).
  /// - Returns: why nothing comes of it yet; nil: it is obeyed.
  func objection(to command: ConsoleCommand, wasPromptShown: Bool, _ turn: Turn) -> String? {
    switch command {
    case .question, .transport, .setting: return nil
    case .music: return objectionToMusic(wasPromptShown: wasPromptShown, turn)
    case .sound(.token(let text, _)):
      let choice = configuration.settings.choice(of: text)
      // An order is obeyed, whatever closing takes back from others (J7.3).
      if case .hours? = choice { return nil }
      return choice?.isMusic == true ? objectionToMusic(wasPromptShown: wasPromptShown, turn) : turn.objection
    case .sound(.cue(let name)) where cues.request(meantBy: name) == nil: return nil
    case .sound: return turn.objection
    }
  }

  private func objectionToMusic(wasPromptShown: Bool, _ turn: Turn) -> String? {
    let transport = player.transport
    if let objection = turn.objection { return objection }
    switch transport.intent {
    case .playing:
      // A plug that moves holds for some 30 ms, and mostly goes on by itself.
      if transport.isAudible || transport.isHeldByDoubtOnly { return nil }
      return transport.holds.first.map { RefusalReason.hold($0).reply }
    case .paused, .stopped: return wasPromptShown ? RefusalReason.hold(.routeLost).reply : nil
    }
  }
}

extension ConsoleCommand {
  /// How an error names it: as it was typed, with single blanks.
  func words(of line: String) -> String {
    line.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }
}

extension RefusalReason {
  /// What the console says of it.
  var reply: String {
    switch self {
    case .held(let name): "held by \(name)"
    case .closed: RefusalReason.hold(.closed).reply
    case .interrupted(let source): "held by \(source.word)"
    case .hold(let name): "held by \(name.rawValue)"
    case .noInput: "the board has no input"
    case .tooManyClients: "too many clients have the session"
    }
  }
}
