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

  /// How long the recorder may take to begin or to end: a driver or a disk may hold it for longer, and the music waits.
  private static let patience = Duration.seconds(10)

  private(set) var phase = Phase.idle
  /// The recorder was told to start, and not to stop since.
  private(set) var isCommanded = false
  /// When the recorder has taken too long to do what it was told; nil: it has nothing to do.
  private(set) var answerDue: Instant?
  /// The end of a recording that it still has to report is no longer waited for.
  private(set) var isOverdue = false

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

  /// Why none can begin; nil: one can.
  var refusal: RecordingFact? { isOverdue ? Self.isLost : nil }

  static let noAnswer = "the recorder does not answer"
  private static var isLost: RecordingFact { .reported(.failed(reason: noAnswer), told: .failed) }

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
    case .started:
      guard case .starting = phase else { break }
      (phase, answerDue) = (.running(since: now), nil)
    case .failed: self = Recording()
    case .stopped:
      if case .stopping(let ending) = phase { told = ending }
      if isOverdue { told = .failed }
      self = Recording()
    case .recovered, .unrepaired, .removed: break
    }
    return .reported(report, told: told)
  }

  /// It has not answered in time. If it has begun by then, it is told to end, and if it does not do that either, it is
  /// no longer waited for. Returns what is to be logged then.
  mutating func giveUp() -> RecordingFact? {
    if case .starting = phase { return stop(.failed) }
    self = Recording()
    isOverdue = true
    return Self.isLost
  }

  /// What the recorder has still to be told.
  mutating func command(at now: Instant) -> RecorderCommand? {
    switch phase {
    case .starting where !isCommanded:
      (isCommanded, answerDue) = (true, now + Self.patience)
      return .start
    case .stopping where isCommanded:
      (isCommanded, answerDue) = (false, now + Self.patience)
      return .stop
    case .idle, .starting, .running, .stopping: return nil
    }
  }
}
