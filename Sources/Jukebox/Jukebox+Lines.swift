import AudioSession

/// From edges to plugs and gestures, and to what a plug, a contact or a gesture means.
/// Changes: `lines`, `edgeInstant`.
extension Jukebox {
  mutating func edge(_ line: LineID, asserted: Bool, at instant: Instant) {
    guard lines.contains(line) else { return }
    let setup = configuration.lines[line.index]
    let isFirst = lines[line].debouncer.isSettled
    lines.noteEdge(line, asserted: asserted, at: instant)
    guard !lines[line].debouncer.isSettled else { return }
    if isFirst && !asserted { vacate(setup) }
    // What is no contact does not bounce: a press and its end may come in one instant (B5).
    if setup.debounce == .zero { return settled(line, at: instant) }
    edgeInstant = instant
    // The wire is broken: nobody moves a plug or a button for so long without a rest (K4).
    if let edges = lines.endlessEdges(of: line, since: configuration.settings.stuckAfter, at: instant) {
      log(.lineStuck, .warn, ["line": setup.name, "edges": String(edges)])
    }
  }

  mutating func settled(_ line: LineID, at now: Instant) {
    guard lines.contains(line), let outcome = lines.settle(line) else { return }
    let setup = configuration.lines[line.index]
    let isAsserted = lines[line].debouncer.level
    switch setup.role {
    case .sense:
      guard let port = routes.port(sensedBy: setup.name)?.port else { return }
      switch outcome {
      case .bounced(let edges):
        log(.lineBounced, .info, ["line": setup.name, "edges": String(edges), "frame": frame(at: now)])
      case .changed(let edge):
        let cause = LineCause(line: setup.name, edge: edge)
        forgetRetries(of: port)
        if isAsserted { connected(port, cause, at: now) } else { disconnected(port, cause, at: now) }
      }
    case .button:
      guard case .changed = outcome else { return lines.bounced(line, at: now) }
      if isAsserted { pressed(line, at: now) } else { lines.released(line) }
    case .interrupter(let name):
      guard case .changed(let edge) = outcome else { return }
      let cause = LineCause(line: setup.name, edge: edge)
      if isAsserted { begin(name, cause, at: now) } else { end(name, at: now) }
    case .mute:
      guard case .changed(let edge) = outcome else { return }
      setMute(isAsserted, LineCause(line: setup.name, edge: edge), at: now)
    case .selector(let playlist, let released):
      guard case .changed = outcome, let name = isAsserted ? playlist : released else { return }
      visited(by: .selector, at: now)
      select(playlist: name, at: now)
    case .lamp, .ampMute: break
    }
  }

  /// The line and first edge behind a route change, for the log.
  struct LineCause {
    var line: String
    var edge: Instant
  }

  // MARK: - Buttons

  private mutating func pressed(_ line: LineID, at now: Instant) {
    guard let gesture = lines.pressed(line, at: now), let button = lines[line].gestures?.button else { return }
    watchForSecondPress(of: button, gesture, on: line, at: now)
    perform(gesture, of: button, on: line, at: now)
  }

  private mutating func watchForSecondPress(of button: Button, _ gesture: Gesture, on line: LineID, at now: Instant) {
    let isAwaited = button == .play && gesture == .press && configuration.settings.playTwice != .nothing
    if isAwaited {
      lines.awaitSecondPress(on: line, until: now + ButtonGestures.doublePressTime)
    } else {
      lines.forgetSecondPress()
    }
  }

  mutating func heldTimerFired(_ line: LineID, at now: Instant) {
    guard lines.contains(line), let gesture = lines.heldTimerFired(line, at: now),
      let button = lines[line].gestures?.button
    else { return }
    let canRepeat = perform(gesture, of: button, on: line, at: now)
    if !canRepeat { lines.stopHolding(line) }
    touch(at: now)
  }

  mutating func stuckTimerFired(_ line: LineID) {
    guard lines.contains(line), lines.stuckTimerFired(line) == .stuck else { return }
    log(.lineStuck, .warn, ["line": configuration.lines[line.index].name])
  }

  /// Logs a gesture and does what it means; false when repeating it would change nothing any more.
  @discardableResult
  private mutating func perform(_ gesture: Gesture, of button: Button, on line: LineID, at now: Instant) -> Bool {
    let isOvertaken = lines[line].gestures?.isOvertaken == true && button.canStartSound
    if gesture.isLogged {
      visited(by: .press, at: now)
      log(
        .buttonPressed, .info,
        [
          "button": button.word, button.word: button.choice, "gesture": gesture == .press ? nil : gesture.rawValue,
          "line": configuration.lines[line.index].name, "ignored": isOvertaken ? IgnoredPress.unplugged.rawValue : nil,
        ])
    }
    if isOvertaken { return false }
    switch gesture {
    case .stuck: return false
    case .held: return perform(configuration.settings.playHeld, at: now)
    case .twice: return perform(configuration.settings.playTwice, at: now)
    case .press, .repeated: break
    }
    switch button {
    case .play: play(at: now)
    case .stop: stop(at: now)
    case .next: next(at: now)
    case .previous: previous(at: now)
    case .record: record(at: now)
    case .cue: speak(named: configuration.settings.cueButton, at: now)
    case .pair: pair(at: now)
    case .track(let name): choose(name, at: now)
    case .playlist(let name): choose(playlist: name, at: now)
    case .volumeUp: return changeVolume(by: configuration.settings.volumeStep)
    case .volumeDown: return changeVolume(by: -configuration.settings.volumeStep)
    }
    return false
  }

  /// The first press of a gesture on Play has already toggled; whichever way, who skips wants to hear the result.
  private mutating func perform(_ action: Settings.GestureAction, at now: Instant) -> Bool {
    switch action {
    case .nothing: return false
    case .next: next(at: now, thenPlay: true)
    case .previous: previous(at: now, thenPlay: true)
    }
    return false
  }
}
