import AudioSession

/// The recording, and what the recorder was told of it (C rows). `Jukebox+Recording` acts on it.
struct Recording: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    case idle
    /// It is to begin: the recorder is told once the music has been told to be silent.
    case starting(since: Instant)
    case running(since: Instant)
    case stopping(RecordingEnding)
  }

  private(set) var phase = Phase.idle
  /// The recorder was told to start, and not to stop since.
  private(set) var isCommanded = false

  /// Since when the operator sees it as running.
  var since: Instant? {
    switch phase {
    case .starting(let since), .running(let since): since
    case .idle, .stopping: nil
    }
  }

  mutating func begin(at now: Instant) { phase = .starting(since: now) }

  /// The recorder captures; it may have been told to stop meanwhile.
  mutating func started(at now: Instant) { if case .starting = phase { phase = .running(since: now) } }

  /// Since when the recorder captures.
  var runningSince: Instant? { if case .running(let since) = phase { since } else { nil } }

  mutating func stop(_ ending: RecordingEnding) { phase = .stopping(ending) }

  mutating func end() { self = Recording() }

  /// What the recorder has still to be told.
  mutating func command() -> RecorderCommand? {
    switch phase {
    case .starting where !isCommanded:
      isCommanded = true
      return .start
    case .stopping where isCommanded:
      isCommanded = false
      return .stop
    case .idle, .starting, .running, .stopping: return nil
    }
  }
}
