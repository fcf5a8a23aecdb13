import AudioSession

/// Beginning a recording, and every way in which it can end (C rows).
/// Changes: `recording`, `outbox`.
extension Jukebox {
  /// Begins a recording, or ends the one that runs. Returns false where the session refuses it, which is logged.
  @discardableResult
  mutating func record(at now: Instant) -> Bool {
    switch recording.phase {
    case .idle:
      guard activate(client(SessionClient.recorder.name)) else { return false }
      recording.begin(at: now)
      settleInterruptions(shouldResume: true, at: now)
    case .starting, .running: stopRecording(.user)
    case .stopping: break
    }
    return true
  }

  mutating func stopRecording(_ ending: RecordingEnding) {
    guard recording.since != nil else { return }
    // The recorder was not told to start yet: a cue that an event triggers has come in between.
    guard recording.isCommanded else {
      log(.recordingStopped, .info, ["reason": ending.rawValue])
      return recording.end()
    }
    recording.stop(ending)
  }

  mutating func heard(_ report: RecorderReport, at now: Instant) {
    switch report {
    case .started(let file):
      // A recorder that was told to stop meanwhile still reports where it had begun.
      log(.recordingStarted, .info, ["file": file, "input": configuration.input?.rawValue])
      recording.started(at: now)
    case .failed(let reason):
      log(.recordingStopped, .error, ["reason": RecordingEnding.failed.rawValue, "error": reason])
      recording.end()
    case .stopped(let file, let frames, let lost, let fault):
      var ending = RecordingEnding.user
      if case .stopping(let reason) = recording.phase { ending = reason }
      log(
        .recordingStopped, fault == nil ? .info : .error,
        [
          "reason": fault?.rawValue ?? ending.rawValue, "file": file, "frames": String(frames),
          "lost": lost > 0 ? String(lost) : nil,
        ])
      recording.end()
    case .recovered(let file, let frames):
      log(
        .recordingStopped, .warn,
        [
          "reason": RecordingEnding.powerCut.rawValue, "file": file, "frames": String(frames),
          "lost": frames > 0 ? "at most the last second" : "all of it; the file was removed",
        ])
    case .unrepaired(let file, let reason): log(.recordingUnrepaired, .warn, ["file": file, "error": reason])
    case .removed(let file, let error):
      log(.recordingRemoved, error == nil ? .info : .warn, ["file": file, "error": error])
    }
  }

  /// Tells the recorder to start or stop, once the music has been told to be silent.
  mutating func settleRecorder() {
    if let command = recording.command() { outbox.append(.record(command)) }
  }
}
