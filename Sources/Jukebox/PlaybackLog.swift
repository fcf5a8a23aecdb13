/// What is true of the music, as finely as the log distinguishes it.
enum Playback: Hashable, Sendable {
  case stopped
  case playing
  /// Wanted, and the plug of its port moves: whether it is being pulled out will be known when its line has settled.
  case doubtful
  /// Wanted, and held back by somebody or something else than an unplug.
  case held
  /// Wanted, and its private port was pulled out.
  case unplugged
  /// Paused for good: only the operator goes on.
  case paused
}

/// What has changed of the music, and why. What comes of it in the log depends on what the log has said before.
enum PlaybackChange: Hashable, Sendable {
  /// Music is wanted: from the start, or from where it was paused.
  case asked(StartCause, isStart: Bool)
  /// Something that held it back is gone.
  case freed(StartCause)
  case paused(PauseCause)
  case stopped(StopCause)
}

/// One line of the log about the music.
enum PlaybackLine: Hashable, Sendable {
  case started(StartCause)
  case resumed(StartCause)
  case paused(PauseCause)
  case stopped(StopCause)
}

/// What the log has said of the music. Compared with what is true, it gives the line that is missing (K5).
struct PlaybackLog: Hashable, Sendable {
  /// A start that is not logged yet, because something holds the sound back or its first frame has not been heard.
  private struct Start: Hashable {
    var cause: StartCause
    /// It is logged as a start and with its own cause, whatever lets the sound go in the end.
    var isStart: Bool
  }

  /// What was true when it was last compared.
  private(set) var last = Playback.stopped
  /// A start was logged, and no stop since.
  private(set) var hasStarted = false
  private var due: Start?

  private var isNew: Bool { !hasStarted }

  /// Whether a start waits to be logged, and nothing has started before; nil: nothing waits.
  var isStartDue: Bool? { due?.isStart }

  /// The operator has asked for music, and something holds it back.
  var isAskedFor: Bool { due?.cause == .user }

  /// Power on goes on where something was paused: that it had started was logged before the power was cut.
  mutating func restore() {
    last = .paused
    hasStarted = true
  }

  /// Takes the cause of a change whose line, if there is to be one, comes with the next `takeLine`.
  mutating func note(_ change: PlaybackChange) {
    switch change {
    case .asked(let cause, let isStart): due = Start(cause: cause, isStart: isStart)
    case .freed(let cause): if due?.isStart != true { due = Start(cause: cause, isStart: false) }
    case .paused, .stopped: break
    }
  }

  /// Compares what is true with what the log has said. Returns the line that is missing, or nil.
  /// - Parameter isHeard: whether the engine has said since when, and from which frame on, the music sounds.
  mutating func takeLine(for playback: Playback, isHeard: Bool, after change: PlaybackChange?) -> PlaybackLine? {
    if let change { note(change) }
    // Somebody may go elsewhere before the first frame is heard: which one that is, only the engine knows.
    if playback == .playing && last != .playing && !isHeard { return nil }
    let old = last
    last = playback
    // Music that never began and is still held back is a start, however often it is asked for.
    if playback != .playing && isNew { due?.isStart = true }
    switch playback {
    case .playing: return start(old)
    case .doubtful:
      // Contact bounce is not a pause, and a start is logged when there is sound.
      last = old == .playing ? .playing : .held
      return nil
    case .held: return old == .playing ? pause(change) : nil
    // It may have been held already: that it has lost its port, too, is worth a line. What never began has none.
    case .unplugged: return old != .unplugged && hasStarted ? pause(change) : nil
    case .paused:
      due = nil
      // An interruption that begins now no longer pauses it.
      guard old != .paused, case .paused(let cause) = change, cause.isForGood else { return nil }
      return .paused(cause)
    case .stopped:
      let isNews = old != .stopped || due != nil
      due = nil
      hasStarted = false
      guard isNews, case .stopped(let cause) = change else { return nil }
      return .stopped(cause)
    }
  }

  private mutating func start(_ old: Playback) -> PlaybackLine? {
    guard old != .playing, let due else {
      due = nil
      return nil
    }
    let isStart = due.isStart || isNew
    self.due = nil
    hasStarted = true
    return isStart ? .started(due.cause) : .resumed(due.cause)
  }

  /// Without a cause, another line has said it: the answer to the prompt, or the end of an interruption.
  private func pause(_ change: PlaybackChange?) -> PlaybackLine? {
    guard case .paused(let cause) = change else { return nil }
    return .paused(cause)
  }
}
