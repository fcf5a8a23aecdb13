import AudioSession

/// Edges to plugs and gestures.
extension Jukebox {
  mutating func edge(_ line: LineID, asserted: Bool, at instant: Instant) {
    guard lines.indices.contains(line.index) else { return }
    let setup = configuration.lines[line.index]
    lines[line.index].debouncer.edge(asserted, at: instant)
    guard !lines[line.index].debouncer.isSettled else { return }
    outbox.append(.setTimer(.settle(line), instant + setup.debounce))
    edgeInstant = instant
    // A broken wire: no person moves a plug or a button for so long without a rest (K4).
    if let edges = lines[line.index].debouncer.endlessEdges(since: configuration.settings.stuckAfter, at: instant) {
      log(.lineStuck, .warn, ["line": setup.name, "edges": String(edges)])
    }
  }

  mutating func settled(_ line: LineID, at now: Instant) {
    guard lines.indices.contains(line.index), let outcome = lines[line.index].debouncer.settle() else { return }
    let setup = configuration.lines[line.index]
    let isAsserted = lines[line.index].debouncer.level
    switch setup.role {
    case .sense:
      guard let port = routes.port(sensedBy: setup.name)?.port else { return }
      switch outcome {
      case .bounced(let edges):
        log(.lineBounced, .info, ["line": setup.name, "edges": String(edges), "frame": frame(at: now)])
      case .changed(let edge):
        let cause = LineCause(line: setup.name, edge: edge)
        if isAsserted { connected(port, cause, at: now) } else { disconnected(port, cause, at: now) }
      }
    case .button:
      guard case .changed = outcome else { return }
      if isAsserted { pressed(line, at: now) } else { released(line) }
    case .interrupter(let name):
      guard case .changed(let edge) = outcome else { return }
      let cause = LineCause(line: setup.name, edge: edge)
      if isAsserted { begin(name, cause, at: now) } else { end(name, at: now) }
    case .mute:
      guard case .changed(let edge) = outcome else { return }
      setMute(isAsserted, LineCause(line: setup.name, edge: edge), at: now)
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
    guard let gesture = lines[line.index].gestures?.pressed(isSecond: awaitsSecondPress),
      let button = lines[line.index].gestures?.button
    else { return }
    // A second press has said all it can; holding it says nothing more.
    if gesture != .twice, let hold = lines[line.index].gestures?.firstHold {
      outbox.append(.setTimer(.held(line), now + hold))
    }
    outbox.append(.setTimer(.stuck(line), now + configuration.settings.stuckAfter))
    watchForSecondPress(of: button, gesture, at: now)
    log(
      .buttonPressed, .info,
      [
        "button": button.rawValue, "gesture": gesture == .twice ? "twice" : nil,
        "line": configuration.lines[line.index].name,
      ])
    perform(gesture, of: button, at: now)
  }

  private mutating func watchForSecondPress(of button: Button, _ gesture: Gesture, at now: Instant) {
    let isWaiting = awaitsSecondPress
    awaitsSecondPress = button == .play && gesture == .press && configuration.settings.playTwice != .nothing
    if awaitsSecondPress {
      outbox.append(.setTimer(.doublePress, now + ButtonGestures.doublePressTime))
    } else if isWaiting {
      outbox.append(.cancelTimer(.doublePress))
    }
  }

  private mutating func released(_ line: LineID) {
    lines[line.index].gestures?.released()
    outbox.append(.cancelTimer(.held(line)))
    outbox.append(.cancelTimer(.stuck(line)))
  }

  mutating func heldTimerFired(_ line: LineID, at now: Instant) {
    guard lines.indices.contains(line.index), let gesture = lines[line.index].gestures?.heldTimerFired(),
      let button = lines[line.index].gestures?.button
    else { return }
    if gesture == .held {
      log(
        .buttonPressed, .info,
        ["button": button.rawValue, "gesture": "held", "line": configuration.lines[line.index].name])
    }
    let canRepeat = perform(gesture, of: button, at: now)
    if canRepeat, let pause = lines[line.index].gestures?.nextRepeat {
      outbox.append(.setTimer(.held(line), now + pause))
    }
    touch(at: now)
  }

  mutating func stuckTimerFired(_ line: LineID) {
    guard lines.indices.contains(line.index), lines[line.index].gestures?.stuckTimerFired() == .stuck else { return }
    outbox.append(.cancelTimer(.held(line)))
    log(.lineStuck, .warn, ["line": configuration.lines[line.index].name])
  }

  /// Does what a gesture means; false when repeating it would change nothing any more.
  @discardableResult
  private mutating func perform(_ gesture: Gesture, of button: Button, at now: Instant) -> Bool {
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
    case .volumeUp: return changeVolume(by: configuration.settings.volumeStep, at: now)
    case .volumeDown: return changeVolume(by: -configuration.settings.volumeStep, at: now)
    }
    return false
  }

  /// The first press of a gesture on Play has already toggled; whichever way, who skips wants to hear the result.
  private mutating func perform(_ action: Settings.Gesture, at now: Instant) -> Bool {
    switch action {
    case .nothing: return false
    case .next: next(at: now, thenPlay: true)
    case .previous: previous(at: now, thenPlay: true)
    }
    return false
  }
}
