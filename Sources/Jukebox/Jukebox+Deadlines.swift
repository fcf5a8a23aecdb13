import AudioSession

/// When a timer is due.
struct DueTimer: Hashable, Sendable {
  var timer: TimerID
  var at: Instant
}

/// What has to happen although nothing else does. Each deadline follows from what is true: nothing sets a timer or
/// cancels one, and none runs on for what is over.
extension Jukebox {
  /// After every input. Of two timers that are set now for the same instant, the first one fires first.
  mutating func settleDeadlines(_ turn: inout Turn) {
    var deadlines: [DueTimer] = []
    if isOn {
      addContacts(to: &deadlines)
      addMusic(to: &deadlines)
      addPorts(to: &deadlines)
      addOthers(to: &deadlines)
    }
    for effect in commanded.runOnly(deadlines) { turn.append(effect) }
  }

  private func addContacts(to deadlines: inout [DueTimer]) {
    for index in lines.indices {
      let line = LineID(index)
      deadlines.add(.settle(line), lines[index].debouncer.due)
      deadlines.add(.contact(line), contacts.due(index))
      guard let gestures = lines[index].gestures else { continue }
      deadlines.add(.held(line), gestures.heldDue)
      deadlines.add(.stuck(line), gestures.stuckDue)
    }
    for (line, due) in coins.deadlines { deadlines.add(.coin(line), due) }
    deadlines.add(.coinBoot, coins.bootDue)
    deadlines.add(.doublePress, lines.secondPressDue)
    for index in readers.indices { deadlines.add(.typing(ReaderID(index)), readers.due(index)) }
    for (index, due) in laidCards.deadlines { deadlines.add(.lift(index), due) }
    for index in knobs.indices { deadlines.add(.knob(KnobID(index)), knobs.due(index)) }
  }

  private func addMusic(to deadlines: inout [DueTimer]) {
    deadlines.add(.visitGap, visit.due)
    // The times run from the unplug on, also while a wireless port is tried (B2).
    let (window, timeout) = (configuration.settings.resumeWindow, configuration.settings.promptTimeout)
    let losses = [player.transport.routeLoss, player.transport.trial?.loss].compactMap(\.self)
    if window > .zero, let loss = losses.first(where: \.isResumable) {
      deadlines.add(.resumeWindow, loss.hold.since + window)
    }
    if timeout > .zero, let loss = losses.first(where: { $0.prompt == .shown }) {
      deadlines.add(.promptTimeout, loss.hold.since + timeout)
    }
    deadlines.add(.trial, player.transport.trial?.due)
    deadlines.add(.outputRetry, player.transport.outputLoss?.retryDue)
    deadlines.add(.storageRetry, player.transport.storageLoss?.retryDue)
    deadlines.add(.interruptionLimit, player.transport.limit)
    deadlines.add(.sleep, sleep.due)
  }

  private func addPorts(to deadlines: inout [DueTimer]) {
    for port in configuration.ports.map(\.port) {
      deadlines.add(.portRetry(port), portRetries[port]?.due)
      deadlines.add(.headsetVolume(port), headsets.answerDue(of: port))
    }
    deadlines.add(.pairingWindow, headsets.pairing.due)
    deadlines.add(.refusals, headsets.pairing.refusals?.due)
    deadlines.add(.headsetCall, mayDisturbRadio ? headsets.callDue : nil)
  }

  private func addOthers(to deadlines: inout [DueTimer]) {
    deadlines.add(.cueLimit, cues.speech.limit)
    for (client, limit) in ducking.limits.sorted(by: { $0.key < $1.key }) {
      deadlines.add(.duckLimit(client: client), limit)
    }
    let longest = configuration.settings.recordingLimit
    if longest > .zero { deadlines.add(.recordingLimit, recording.runningSince.map { $0 + longest }) }
    deadlines.add(.closing, hours.fadeDue)
    deadlines.add(.silence, hours.backDue)
    deadlines.add(.quiet, quiet.due)
    deadlines.add(.notice, noticeDue)
    deadlines.add(.ledger, accounts.due)
    // Nothing counts towards the idle reset while somebody is there (K8).
    let idle = configuration.settings.idleReset
    if idle > .zero && !commanded.isBusy && !player.isAttracting && accounts.ledger.requests.isEmpty {
      deadlines.add(.idleReset, touched.map { $0 + idle })
    }
    deadlines.add(.save, saving.due)
    deadlines.add(.ranking, contacts.popular.due)
    deadlines.add(.attract, attractDue)
    for (line, due) in signals.deadlines { deadlines.add(.signal(line), due) }
  }
}

extension [DueTimer] {
  fileprivate mutating func add(_ timer: TimerID, _ due: Instant?) {
    if let due { append(DueTimer(timer: timer, at: due)) }
  }
}
