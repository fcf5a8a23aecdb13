import AudioSession

/// The outputs of role `signal`: which of them are asserted, and which wait to be asserted or released (E rows).
struct Signals: Hashable, Sendable {
  fileprivate enum Phase: Hashable, Sendable {
    case off
    /// What it waits for holds; it is asserted from then on.
    case rising(due: Instant)
    case on
    /// Still asserted, until then.
    case falling(due: Instant)

    var isAsserted: Bool {
      switch self {
      case .off, .rising: false
      case .on, .falling: true
      }
    }

    /// Its conditions held when they were looked at last.
    var isTrue: Bool {
      switch self {
      case .off, .falling: false
      case .on, .rising: true
      }
    }
  }

  fileprivate struct Output: Hashable, Sendable {
    let line: LineID
    let name: String
    let signal: OutputSignal
    var phase = Phase.off
  }

  private var outputs: [Output]
  /// What of the music is heard, for their conditions.
  var hearing = Hearing()
  /// Other ports of a multi-route whose cards are lost.
  var lostPorts: Set<Port> = []

  init(_ lines: [Line]) {
    outputs = lines.enumerated().compactMap { index, line in
      guard case .signal(let signal) = line.role else { return nil }
      return Output(line: LineID(index), name: line.name, signal: signal)
    }
  }

  var isEmpty: Bool { outputs.isEmpty }

  var shown: [ShownSignal] {
    outputs.map { ShownSignal(name: $0.name, pattern: $0.phase.isAsserted ? $0.signal.pattern : .off) }
  }

  /// The lines that change by themselves, and when.
  var deadlines: [(line: LineID, due: Instant)] {
    outputs.compactMap { output in
      switch output.phase {
      case .off, .on: nil
      case .rising(let due), .falling(let due): (output.line, due)
      }
    }
  }

  /// Takes what is true now and what has just been logged. Returns the outputs that change, and what each shows then.
  /// - Parameters:
  ///   - holds: whether a condition does; it is asked only for those that signals name.
  ///   - goesOver: whether the music goes over to what the signal follows as well.
  mutating func settle(
    _ events: Set<EventName>, at now: Instant, holds: (OutputSignal.Condition) -> Bool,
    goesOver: (OutputSignal) -> Bool
  ) -> [(line: LineID, pattern: LampPattern)] {
    var changes: [(line: LineID, pattern: LampPattern)] = []
    for index in outputs.indices {
      let signal = outputs[index].signal
      let wasAsserted = outputs[index].phase.isAsserted
      if signal.whileAny.isEmpty {
        outputs[index].pulse(isDue: signal.events.contains { events.contains($0) }, at: now)
      } else {
        let goesOn = signal.whileAny.contains(where: holds) || outputs[index].phase.isTrue && goesOver(signal)
        let isTrue = goesOn && signal.alsoWhile.allSatisfy(holds)
        outputs[index].follow(isTrue, since: max(now, hearing.beginning(of: signal)), at: now)
      }
      let isAsserted = outputs[index].phase.isAsserted
      if isAsserted != wasAsserted { changes.append((outputs[index].line, isAsserted ? signal.pattern : .off)) }
    }
    return changes
  }

  /// The board is switched off: all are released (E5).
  mutating func end() -> [(line: LineID, pattern: LampPattern)] {
    let asserted = outputs.filter(\.phase.isAsserted).map { (line: $0.line, pattern: LampPattern.off) }
    for index in outputs.indices { outputs[index].phase = .off }
    return asserted
  }
}

extension Signals.Output {
  /// A condition that comes back while the signal stays asserted makes no edge (E3), nor does one that ends before it
  /// was.
  /// - Parameter begin: what is heard first may still be on its way through the card.
  fileprivate mutating func follow(_ isTrue: Bool, since begin: Instant, at now: Instant) {
    if case .falling(let due) = phase {
      let isBackInTime = isTrue && begin <= now
      if isBackInTime { phase = .on } else if due <= now { phase = .off }
    }
    if isTrue && phase == .off { phase = .rising(due: begin + signal.onDelay) }
    if !isTrue && phase == .on { phase = .falling(due: now + signal.offDelay) }
    switch phase {
    case .off, .on: break
    case .rising(let due): phase = !isTrue ? .off : due <= now ? .on : phase
    case .falling(let due): if due <= now { phase = .off }
    }
  }

  /// An event within a pulse restarts it (E8).
  fileprivate mutating func pulse(isDue: Bool, at now: Instant) {
    if case .falling(let due) = phase, due <= now { phase = .off }
    if isDue { phase = .falling(due: now + signal.pulse) }
  }
}
