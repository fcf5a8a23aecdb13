import AudioSession
import Jukebox

/// When the kiosk is open, by `HoursModel` and what the log says (H rows).
struct HoursState {
  enum Phase {
    case open
    /// Nothing new begins, and what sounds comes to its end.
    case closing(since: Instant)
    case closed
  }

  let settings: HoursSettings
  var model = HoursModel()
  var phase = Phase.open
  /// Where the music waits that goes on when it opens; nil: none does.
  var keptAt: Port?
  /// It was wanted when the power was cut, and nobody knew the time at power on.
  var mayGoOn = false
  private(set) var openedAt = Instant.powerOn
  /// When the level was the music's own again at the earliest.
  private(set) var fadedUntil = Instant.powerOn

  init(_ settings: HoursSettings) { self.settings = settings }

  var isOpen: Bool { if case .open = phase { true } else { false } }
  var isClosed: Bool { if case .closed = phase { true } else { false } }
  var closingSince: Instant? { if case .closing(let since) = phase { since } else { nil } }

  mutating func powerOn() {
    model.learn()
    (phase, keptAt, mayGoOn, fadedUntil) = (.open, nil, false, .powerOn)
  }

  mutating func end(at now: Instant) { phase = .closing(since: now) }

  mutating func open(at now: Instant) {
    if !isOpen { fadedUntil = now + .seconds(3) }
    (phase, keptAt, mayGoOn, openedAt) = (.open, nil, false, now)
  }

  /// Whether the music may have another level than its own at the moment (H1.1, H1.7).
  func disturbsLevel(at now: Instant) -> Bool { closingSince != nil || now < fadedUntil }

  /// H1.3, H1.4.
  func refuses(_ button: Button, isAudible: Bool, isRecording: Bool) -> Bool {
    switch button {
    case .stop, .pair, .sleep: false
    case .record: !isOpen && !isRecording
    case .play: !isOpen && (isClosed || !isAudible)
    case .volumeUp, .volumeDown: isClosed
    case .next, .previous, .cue, .choose: !isOpen
    }
  }

  /// The same of a command.
  func refuses(_ words: [Substring], isRecording: Bool) -> Bool {
    switch words.first {
    case "play", "start", "track", "playlist", "popular", "cue": !isOpen
    case "record": !isOpen && !isRecording
    default: false
    }
  }
}

/// Opening hours: each boundary acts once, nothing begins while it is closed, and what opening does is done.
extension Oracle {
  /// What a visitor asks for is refused.
  var refusesVisitors: Bool { hours?.isOpen == false }

  func applyHours(_ event: Event) {
    guard let settings = hours?.settings, let openedAt = hours?.openedAt else { return }
    switch event.name {
    case .stateSaved: if event["error"] == nil { hours?.model.save() }
    case .hoursClosed: beginClosing()
    case .hoursOpened: applyOpening(settings)
    case .playbackPaused, .playbackStopped, .volumeChanged, .playlistChanged:
      if event["cause"] == "closed" { shut() }
    case .visitEnded, .cueEnded: if event["reason"] == "closed" { shut() }
    case .playbackStarted, .playbackResumed:
      guard event["cause"] == "opened" else { return }
      // It may be decoded only now.
      demand(openedAt == now || intentModel.intent == .playing, "H1.6", "the music begins by an opening that is none")
      intentModel.intent = .playing
    case .visitBegan: demand(!refusesVisitors, "H1.3", "a visit begins while it is closed")
    case .recordingStarted: demand(!refusesVisitors, "H1.3", "a recording begins while it is closed")
    default: break
    }
  }

  private func beginClosing() {
    demand(hours?.isOpen == true, "H2.1", "it closes twice")
    contacts.delays = [:]
    hours?.end(at: now)
    if bootedAt == now {
      // H2.2: silent from the first frame. What was wanted comes back after this.
      hours?.phase = .closed
      intentModel.isClosed = true
      persistence.isSelected = true
    }
  }

  /// All is silent (H1.5).
  func shut() {
    guard let state = hours, let since = state.closingSince else { return }
    let isAudible = intentModel.isAudible
    let isEarly = state.settings.closing == .now && isAudible && now < since + state.settings.fade
    demand(!isEarly, "H1.1", "it closes before the fade is over")
    hours?.phase = .closed
    let isAwaited = state.mayGoOn && intentModel.intent == .paused && !visit.isUnderWay
    let isWanted = intentModel.intent == .playing && intentModel.loss == nil && intentModel.doubt == nil
    let isKept = state.settings.opening == .resume && (isWanted || isAwaited) && !routes.isPrivate(route)
    if let route, isKept, contacts.claim?.isHeld != true {
      hours?.keptAt = route
      intentModel.intent = .playing
    } else {
      intentModel.stopAtEnd()
      contacts.end(at: now)
    }
    intentModel.isClosed = true
    playingSince = nil
  }

  private func applyOpening(_ settings: HoursSettings) {
    let (wasOpen, isClosed, keptAt) = (hours?.isOpen == true, hours?.isClosed == true, hours?.keptAt)
    hours?.open(at: now)
    intentModel.isClosed = false
    if wasOpen {
      // H2.3: it has opened while the board was off, or did not know the time.
      let isMissed = settings.opening != .nothing && !visit.isUnderWay && intentModel.intent != .playing
      demand(isMissed, "H2.3", "it opens once more")
    } else if !isClosed {
      return
    } else if keptAt == nil || keptAt != route || intentModel.intent != .playing {
      intentModel.stopAtEnd()
      contacts.end(at: now)
    }
    let isBegun = settings.opening == .play || wasOpen
    if isBegun && !music.listed.isEmpty {
      intentModel.intent = .playing
      if bootedAt == now { resumesAtBoot = true }
    }
  }

  /// What stood elsewhere stops at opening, and begins again, perhaps after a page.
  func beginAtOpening() {
    guard let state = hours, state.isOpen, state.openedAt == now, state.settings.opening == .play else { return }
    if !music.listed.isEmpty { intentModel.intent = .playing }
  }

  /// What was wanted at power on, while it is closed (H2.2).
  func restoreHours() {
    guard let state = hours, state.settings.opening == .resume else { return }
    if state.isClosed && resumesAtBoot { hours?.keptAt = route }
    hours?.mayGoOn = !state.model.isKnown
  }

  /// Whether music may be wanted at power on though the settings do not say so (H2.2, H2.3).
  var mayOpenAtBoot: Bool {
    guard let opening = hours?.settings.opening else { return false }
    return opening == .play || opening == .resume && persistence.mayPlayAtBoot
  }

  /// - Parameter status: when everything of this instant is over.
  func checkHours(_ status: Status) {
    guard let shown = status.hours, hours != nil else { return }
    hours?.model.learn()
    if shown.state == .closed { shut() }
    // Nobody waits for what is closed.
    if hours?.isClosed == true { usedAt = now }
    guard let state = hours, let isOpen = hours?.model.isOpen(at: now) else { return }
    let isRight =
      isOpen ? state.isOpen && [.open, .unknown].contains(shown.state) : !state.isOpen && shown.state != .open
    demand(isRight, "H1", "it is \(shown.state.rawValue), expected \(isOpen ? "open" : "closed")")
    demand(
      state.isClosed == (shown.state == .closed), "H1", "it is \(shown.state.rawValue), and the log says otherwise")
    guard let since = state.closingSince else { return }
    let isSpeaking = status.cue != nil && status.sessions.contains(ClientName.cue.text)
    demand(intentModel.isAudible || isSpeaking, "H1.1", "all is silent, and it does not close")
    let due = latest(since, wokeAt).map { $0 + state.settings.fade + .milliseconds(20) } ?? now
    demand(state.settings.closing == .track || now <= due, "H1.1", "the fade does not end")
  }
}
