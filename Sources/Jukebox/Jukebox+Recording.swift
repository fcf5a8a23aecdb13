import AudioSession

/// Recording, and every way it can end (C rows).
enum Recording: Hashable, Sendable {
  case idle
  /// The recorder was told and has not answered; it may have to be told once the music is silent.
  case starting(since: Instant)
  case running(since: Instant)
  /// It is to end, for this reason.
  case stopping(RecordingEnding)

  /// Since when a person sees it as running.
  var since: Instant? {
    switch self {
    case .starting(let since), .running(let since): since
    case .idle, .stopping: nil
    }
  }
}

extension Jukebox {
  /// The Record button begins and ends; false where the session refuses a recording, which the log says.
  @discardableResult
  mutating func record(at now: Instant) -> Bool {
    switch recording {
    case .idle:
      guard activate(client(SessionClient.recorder.name)) else { return false }
      recording = .starting(since: now)
      settleInterruptions(shouldResume: true, at: now)
    case .starting, .running: stopRecording(.user)
    case .stopping: break
    }
    return true
  }

  mutating func stopRecording(_ ending: RecordingEnding) {
    guard recording.since != nil else { return }
    // Nobody has told the recorder yet: a cue that an event had spoken came first.
    guard commanded.isRecording else {
      log(.recordingStopped, .info, ["reason": ending.rawValue])
      return endRecording()
    }
    recording = .stopping(ending)
    outbox.append(.cancelTimer(.recordingLimit))
  }

  mutating func heard(_ report: RecorderReport, at now: Instant) {
    switch report {
    case .started(let file):
      // One that was told to stop meanwhile only says where it had begun.
      log(.recordingStarted, .info, ["file": file, "input": configuration.input?.rawValue])
      guard case .starting = recording else { return }
      recording = .running(since: now)
      let limit = configuration.settings.recordingLimit
      if limit > .zero { outbox.append(.setTimer(.recordingLimit, now + limit)) }
    case .failed(let reason):
      log(.recordingStopped, .error, ["reason": RecordingEnding.failed.rawValue, "error": reason])
      endRecording()
    case .stopped(let file, let frames, let lost, let fault):
      var ending = RecordingEnding.user
      if case .stopping(let reason) = recording { ending = reason }
      log(
        .recordingStopped, fault == nil ? .info : .error,
        [
          "reason": fault?.rawValue ?? ending.rawValue, "file": file, "frames": String(frames),
          "lost": lost > 0 ? String(lost) : nil,
        ])
      endRecording()
    case .recovered(let file, let frames):
      log(
        .recordingStopped, .warn,
        [
          "reason": RecordingEnding.powerCut.rawValue, "file": file, "frames": String(frames),
          "lost": frames > 0 ? "at most the last second" : "all of it; the file was removed",
        ])
    }
  }

  private mutating func endRecording() {
    recording = .idle
    commanded.isRecording = false
    outbox.append(.cancelTimer(.recordingLimit))
  }

  /// Tells the recorder what is wanted, once the music has been told to be silent.
  mutating func settleRecorder() {
    switch recording {
    case .starting where !commanded.isRecording:
      commanded.isRecording = true
      outbox.append(.record(.start))
    case .stopping where commanded.isRecording:
      commanded.isRecording = false
      outbox.append(.record(.stop))
    case .idle, .starting, .running, .stopping: break
    }
  }
}
