import AudioSession

/// The outputs of role `signal`: which of them are asserted, and which wait to be or not to be any more (E rows).
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
  /// - Parameter holds: whether a condition does; it is asked only for those that signals name.
  mutating func settle(
    _ events: Set<EventName>, at now: Instant, holds: (OutputSignal.Condition) -> Bool
  ) -> [(line: LineID, pattern: LampPattern)] {
    var changes: [(line: LineID, pattern: LampPattern)] = []
    for index in outputs.indices {
      let signal = outputs[index].signal
      let wasAsserted = outputs[index].phase.isAsserted
      if signal.whileAny.isEmpty {
        outputs[index].pulse(isDue: signal.events.contains { events.contains($0) }, at: now)
      } else {
        let isTrue = signal.whileAny.contains(where: holds) && signal.alsoWhile.allSatisfy(holds)
        outputs[index].follow(isTrue, since: max(now, hearing.beginning(of: signal)), at: now)
      }
      let isAsserted = outputs[index].phase.isAsserted
      if isAsserted != wasAsserted { changes.append((outputs[index].line, isAsserted ? signal.pattern : .off)) }
    }
    return changes
  }

  /// The board is switched off: nothing is asserted any more (E5).
  mutating func end() -> [(line: LineID, pattern: LampPattern)] {
    let asserted = outputs.filter(\.phase.isAsserted).map { (line: $0.line, pattern: LampPattern.off) }
    for index in outputs.indices { outputs[index].phase = .off }
    return asserted
  }
}

extension Signals.Output {
  /// What comes back within the time for which it stays asserted makes no edge (E3), nor does what ends before it was.
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

  /// An event within a pulse begins it anew (E8).
  fileprivate mutating func pulse(isDue: Bool, at now: Instant) {
    if case .falling(let due) = phase, due <= now { phase = .off }
    if isDue { phase = .falling(due: now + signal.pulse) }
  }
}

/// What of the music is heard, by the reports of the engine: from the first frame heard to the last one, not from command
/// to command (E1).
struct Hearing: Hashable, Sendable {
  /// Frames of this stream are heard.
  private(set) var stream: UInt8?
  /// Music is heard, or goes on in a moment: after a skip, a seek, contact bounce, or a switch of the route.
  private(set) var isPlaying = false
  /// The track that was heard last, until that listen is over. A hold and a pause are no end of it (E4).
  private(set) var track: TrackID?
  /// The playlist of what was heard last, as long as it is not left; nil: none.
  private(set) var playlist: String?

  /// When the music and the cue began, which the engine knows before they are heard.
  private var (musicBegan, cueBegan) = (Instant.powerOn, Instant.powerOn)

  /// A frame of the track is heard from this instant on.
  mutating func hear(_ track: TrackID, of playlist: String?, in stream: UInt8, at instant: Instant) {
    if self.stream != stream { musicBegan = instant }
    (self.stream, self.track, self.playlist) = (stream, track, playlist)
  }

  mutating func hearCue(at instant: Instant) { cueBegan = instant }

  /// When what a signal follows is heard at the earliest.
  func beginning(of signal: OutputSignal) -> Instant {
    signal.conditions.reduce(.powerOn) { latest, condition in
      switch condition {
      case .playing, .track, .playlist: max(latest, musicBegan)
      case .cue: max(latest, cueBegan)
      case .port, .visit, .prompt, .recording, .page, .noMusic, .fault: latest
      }
    }
  }

  /// The last frame of this stream was heard; nil: of any.
  mutating func fallSilent(_ stream: UInt8?) { if stream == nil || stream == self.stream { self.stream = nil } }

  /// - Parameters:
  ///   - goesOn: music is wanted, and nothing but contact bounce may hold it.
  ///   - track: the current one; nil: it is stopped, and so it has no playlist.
  mutating func settle(goesOn: Bool, track: TrackID?, playlist: String?) {
    if stream != nil { isPlaying = true } else if !goesOn { isPlaying = false }
    if stream != nil { return }
    if track != self.track { self.track = nil }
    if playlist != self.playlist { self.playlist = nil }
  }
}
