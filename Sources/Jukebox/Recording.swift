import AudioSession

/// What has become of a recording.
enum RecordingFact {
  /// - Parameter told: why it was told to stop, if it was.
  case reported(RecorderReport, told: RecordingEnding)
  /// It was to begin, and the recorder was not told so yet.
  case cancelled(RecordingEnding)
}

/// The recording, and what the recorder was told of it (C rows).
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

  /// Since when the recorder captures.
  var runningSince: Instant? { if case .running(let since) = phase { since } else { nil } }

  mutating func begin(at now: Instant) { phase = .starting(since: now) }

  /// Returns nil where the recorder has still to report how the recording ends, or none runs.
  mutating func stop(_ ending: RecordingEnding) -> RecordingFact? {
    guard since != nil else { return nil }
    if isCommanded {
      phase = .stopping(ending)
      return nil
    }
    // A cue that an event triggers has come in between.
    self = Recording()
    return .cancelled(ending)
  }

  mutating func take(_ report: RecorderReport, at now: Instant) -> RecordingFact {
    var told = RecordingEnding.user
    switch report {
    // A recorder that was told to stop meanwhile still reports where it had begun.
    case .started: if case .starting = phase { phase = .running(since: now) }
    case .failed: self = Recording()
    case .stopped:
      if case .stopping(let ending) = phase { told = ending }
      self = Recording()
    case .recovered, .unrepaired, .removed: break
    }
    return .reported(report, told: told)
  }

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
