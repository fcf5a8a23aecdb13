@testable import Jukebox
@testable import JukeboxTestSupport

/// The rules on visits (V rows): what the next visitor finds, and when.
extension World {
  /// Whether the kiosk was put back for the next visitor.
  func endsVisit(_ logged: [Event]) -> Bool {
    logged.contains { $0.name == .visitEnded || $0.name == .promptExpired }
  }

  /// Whether somebody records, pages or sounds an alarm (V4).
  var isOccupied: Bool {
    brain.recording.phase != .idle
      || brain.player.transport.interruptions.contains { if case .client = $0.source { true } else { false } }
  }

  private var hasPrivatePort: Bool {
    brain.configuration.ports.contains { $0.isPrivate && brain.routes.connected.contains($0.port) }
  }

  private func isLoud(_ port: OutputPort) -> Bool {
    brain.volumes.volume(of: port.port) > min(brain.configuration.settings.startVolume, port.ceiling)
  }

  mutating func noteVisit(_ input: Input, _ before: World, _ logged: [Event], _ setup: Setup) {
    if case .powerOn = input { return }
    for event in logged where event.name == .visitBegan || event.name == .visitEnded {
      let isBegin = event.name == .visitBegan
      demand(observed.isVisited != isBegin, "V1 \(event.name.rawValue) twice", &violations)
      observed.isVisited = isBegin
      if !isBegin { (observed.isGapOver, observed.isVolumeSet) = (false, false) }
    }
    if case .console(let command) = input, command.hasPrefix("volume"), !observed.isVisited {
      observed.isVolumeSet = true
    }
    if input == .timer(.idleReset) || endsVisit(logged) { observed.isVolumeSet = false }
    if input == .timer(.visitGap), before.observed.isVisited, observed.isVisited { observed.isGapOver = true }
    let done: Set<EventName> = [.buttonPressed, .tokenRead, .tokenUnknown, .portConnected]
    let isTurned = if case .timer(.settle(let line)) = input { line.index == setup.selectorLine } else { false }
    let isTyped = if case .console(let command) = input { isOfMusic(command) } else { false }
    if hasPrivatePort || isTurned || isTyped || logged.contains(where: { done.contains($0.name) }) {
      observed.isGapOver = false
    }
  }

  private func isOfMusic(_ command: String) -> Bool {
    ["play", "pause", "stop", "next", "previous", "track", "seek"].contains(where: command.hasPrefix)
  }

  func checkVisit(
    _ input: Input, _ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup
  ) {
    demand(brain.visit.isUnderWay == observed.isVisited, "V1 a visit, and the log says otherwise", &found)
    let isWaiting = if case .waiting = brain.visit.departure { true } else { false }
    demand(isWaiting == (timers[.visitGap] != nil), "V2 the timer of the gap", &found)
    demand(!isWaiting || !hasPrivatePort, "V3 the gap runs, and a private port is in", &found)
    let ports = setup.ports
    // W1: with no gap, what was set before a power cut still applies.
    if !observed.isVisited && !observed.isVolumeSet && setup.settings.visitGap > .zero {
      demand(!ports.contains(where: isLoud), "V2 nobody is there, and a port is above its start", &found)
    }
    if observed.isGapOver && observed.isVisited {
      let isMovingIn = setup.senseLines.contains {
        setup.sensedPorts[$0].isPrivate && !brain.lines[$0].debouncer.level && !brain.lines[$0].debouncer.isSettled
      }
      let isKept = brain.player.transport.isPromptShown || isOccupied || isMovingIn
      demand(
        isKept || !ports.contains { $0.isPrivate && isLoud($0) },
        "V6 the gap has passed, and a private port is above its start", &found)
      let isWanted = brain.player.transport.intent == .playing && brain.player.transport.holds.isEmpty
      let isOver = if case .over = brain.visit.departure { true } else { false }
      demand(isKept || isWanted || !isOver, "V2 nothing keeps the visit", &found)
    }
    checkVisitEnd(input, before, logged, &found, setup)
    let isTold = logged.contains { [.promptAnswered, .promptExpired, .queueEnded].contains($0.name) }
    // Set aside while a port is tried, it may be there again (B2).
    let isGone =
      before.brain.player.transport.isPromptShown && !brain.player.transport.isPromptShown
      && brain.player.transport.trial == nil
    demand(!isGone || isTold || input == .timer(.idleReset), "K5 the prompt goes away without a line", &found)
  }

  private func checkVisitEnd(
    _ input: Input, _ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup
  ) {
    guard let index = logged.firstIndex(where: { $0.name == .visitEnded }) else { return }
    let isPlug = logged[index...].contains { $0.name == .portConnected }
    // V3: a plug may start the music for the next one, and a token or a press at once, too.
    demand(
      isPlug || brain.player.transport.intent == .stopped,
      "V2 a visit ends, and it is \(brain.player.transport.intent)", &found)
    demand(brain.player.playhead.frame == 0, "V2 a visit ends within a track", &found)
    demand(!setup.ports.contains(where: isLoud), "V2 a visit ends, and a port is above its start", &found)
    // What ends the visit may let somebody else have the session, or trigger a page; and so may the end of a page.
    let isAnother = logged[..<index].contains { $0.name == .interruptionEnded }
    // Music of another category may no longer be interrupted; that category goes back with the visit.
    let isCategory =
      switch input {
      case .category: true
      case .console(let command): command.hasPrefix("category")
      default: false
      }
    demand(
      isPlug || isCategory || isAnother || !isOccupied || !before.isOccupied,
      "V4 a visit ends under a recording, page or alarm",
      &found)
    guard logged[index]["reason"] == "hung-up" else { return }
    demand(!before.hasPrivatePort, "V2 hung up, and a private port was in", &found)
    let isAnswered = logged[..<index].contains { $0.name == .promptAnswered }
    demand(
      isPlug || isAnswered || !before.brain.player.transport.isPromptShown, "V5 hung up, and the prompt waits", &found)
  }
}
