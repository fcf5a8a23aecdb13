import AudioSession

/// What contacts with manners do (O rows).
extension Jukebox {
  /// Why a press does not count; nil: it does, or its line is that of a button.
  mutating func ignored(pressOf button: Button, on line: LineID, at now: Instant) -> IgnoredPress? {
    if button == .sleep && player.transport.intent != .playing { return .silent }
    guard let choice = choice(of: button) else { return nil }
    return contacts.press(line, isBusy: isBusy(for: choice, on: line), at: now)
  }

  /// What a button chooses; nil: nothing, so that the board file gives it no manners.
  private func choice(of button: Button) -> Choice? {
    button == .cue ? .cue(configuration.settings.cueButton) : button.choice
  }

  /// A request that plays is cut by no contact with manners, and none that waits begins by one.
  private func isBusy(for choice: Choice, on line: LineID) -> Bool {
    if choice.isMusic && player.areRequestsDue { return true }
    return contacts[line]?.mode == .finish && isTaken(by: choice)
  }

  private func isTaken(by choice: Choice) -> Bool {
    switch choice {
    case .cue: cues.speaker != nil || !cues.speech.waiting.isEmpty
    case .track, .playlist: player.isTaken(selected: selection)
    case .popular, .hours: false
    }
  }

  /// What a press that counts means. Returns false where the line is that of a button.
  mutating func act(on button: Button, of line: LineID, _ turn: inout Turn) -> Bool {
    guard let manners = contacts[line], let choice = choice(of: button) else { return false }
    contacts.forgetDelays()
    if manners.delay > .zero {
      contacts.wait(line, at: routes.route.port, until: turn.now + manners.delay)
    } else {
      begin(choice, by: line, manners.mode, &turn)
    }
    return true
  }

  /// It begins where it was asked for, or not at all.
  mutating func endDelay(of line: LineID, _ turn: inout Turn) {
    guard contacts.endDelay(line, at: routes.route.port), let manners = contacts[line],
      case .button(let button) = configuration.lines[line.index].role, let choice = choice(of: button),
      !isBusy(for: choice, on: line)
    else { return }
    begin(choice, by: line, manners.mode, &turn)
  }

  private mutating func begin(_ choice: Choice, by line: LineID, _ mode: Manners.Mode, _ turn: inout Turn) {
    let wasFading = choice.isMusic && stayAwake(&turn)
    if wasFading && [.once, .finish].contains(mode) && playsAlready(choice) { return }
    switch choice {
    case .cue(let name): speak(named: name, for: line, &turn)
    case .track(let name):
      withPlayer(&turn) { $0.choose(name, by: line, mode, &$1) }
    case .playlist(let name):
      withPlayer(&turn) { $0.choose(playlist: name, by: line, mode, &$1) }
    // The board file gives them no manners.
    case .popular, .hours: break
    }
    let isCue = cues.need(for: line)
    // A refused choice has not begun, so that nothing of it ends (O5.1).
    guard isCue || player.queue.claim?.line == line else { return }
    contacts.begin(line, at: routes.route.port, isCue: isCue)
  }

  /// The contact is open.
  mutating func opened(_ line: LineID, _ turn: inout Turn) {
    if contacts.open(line, at: turn.now) { letGo(line, &turn) }
  }

  /// The contact is closed for longer than it may be.
  mutating func overlong(_ line: LineID, _ turn: inout Turn) {
    guard contacts[line]?.mode == .while, contacts.letGo(line) else { return }
    letGo(line, &turn)
  }

  private mutating func letGo(_ line: LineID, _ turn: inout Turn) {
    if contacts.isCue(line) {
      follow(cues.withdraw(for: line, .stopped), &turn)
    } else if player.queue.claim?.line == line {
      withPlayer(&turn) { $0.letGo(&$1) }
    }
  }

  /// After every input: ends what contacts have started and others have ended, and what would begin to sound elsewhere
  /// than where it was asked for (O8).
  mutating func settleContacts(_ turn: inout Turn) {
    for line in contacts.acting {
      if contacts.isCue(line) {
        settleCue(of: line, &turn)
        continue
      }
      settle(line, &turn)
      if player.queue.claim?.line != line { contacts.end(line, at: turn.now) }
    }
  }

  /// O3: never.
  var isKeptByOpenContact: Bool {
    guard let claim = player.queue.claim, claim.isHeld else { return false }
    return !lines.isAsserted(configuration.lines[claim.line.index].name)
  }

  private mutating func settle(_ line: LineID, _ turn: inout Turn) {
    guard let claim = player.queue.claim, claim.line == line, claim.isHeld else { return }
    let port = routes.route.port
    if claim.isOfTrack && !player.queue.isChosen {
      // Its track is no longer there (X1).
      letGo(line, &turn)
    } else if player.wantsSound && player.engine.isSounding {
      contacts.move(line, to: port)
    } else if player.wantsSound && !contacts.maySound(line, at: port) {
      letGo(line, &turn)
    }
  }

  private mutating func settleCue(of line: LineID, _ turn: inout Turn) {
    if let current = cues.speech.current, current.contact == line {
      if cues.isCommanded {
        contacts.move(line, to: routes.route.port)
      } else if mayCueSound && isElsewhere(current) {
        follow(cues.withdraw(for: line, .routeLost), &turn)
      }
    }
    if !cues.need(for: line) { contacts.end(line, at: turn.now) }
  }

  /// Whether a cue would begin, or go on, at another port than the one for which a `while` contact has asked for it (O8).
  func isElsewhere(_ request: Speech.Request) -> Bool {
    guard let line = request.contact, contacts[line]?.mode == .while else { return false }
    return !contacts.maySound(line, at: routes.route.port)
  }
}
