import AudioSession

/// Beginning a recording, and every way in which it can end (C rows).
/// Changes: `recording`.
extension Jukebox {
  /// Begins a recording, or ends the one that runs. Returns false where the session refuses it, which is logged.
  @discardableResult
  mutating func record(_ turn: inout Turn) -> Bool {
    switch recording.phase {
    case .idle:
      guard activate(client(SessionClient.recorder.name), &turn) else { return false }
      recording.begin(at: turn.now)
      settleInterruptions(shouldResume: true, &turn)
    case .starting, .running: stopRecording(.user, &turn)
    case .stopping: break
    }
    return true
  }

  mutating func stopRecording(_ ending: RecordingEnding, _ turn: inout Turn) {
    guard recording.since != nil else { return }
    // The recorder was not told to start yet: a cue that an event triggers has come in between.
    guard recording.isCommanded else {
      turn.log(.recordingStopped, .info, ["reason": ending.rawValue])
      return recording.end()
    }
    recording.stop(ending)
  }

  mutating func heard(_ report: RecorderReport, _ turn: inout Turn) {
    switch report {
    case .started(let file):
      // A recorder that was told to stop meanwhile still reports where it had begun.
      turn.log(.recordingStarted, .info, ["file": file, "input": configuration.input?.rawValue])
      recording.started(at: turn.now)
    case .failed(let reason):
      turn.log(.recordingStopped, .error, ["reason": RecordingEnding.failed.rawValue, "error": reason])
      recording.end()
    case .stopped(let file, let frames, let lost, let fault):
      var ending = RecordingEnding.user
      if case .stopping(let reason) = recording.phase { ending = reason }
      turn.log(
        .recordingStopped, fault == nil ? .info : .error,
        [
          "reason": fault?.rawValue ?? ending.rawValue, "file": file, "frames": String(frames),
          "lost": lost > 0 ? String(lost) : nil,
        ])
      recording.end()
    case .recovered(let file, let frames):
      turn.log(
        .recordingStopped, .warn,
        [
          "reason": RecordingEnding.powerCut.rawValue, "file": file, "frames": String(frames),
          "lost": frames > 0 ? "at most the last second" : "all of it; the file was removed",
        ])
    case .unrepaired(let file, let reason): turn.log(.recordingUnrepaired, .warn, ["file": file, "error": reason])
    case .removed(let file, let error):
      turn.log(.recordingRemoved, error == nil ? .info : .warn, ["file": file, "error": error])
    }
  }

  /// Tells the recorder to start or stop, once the music has been told to be silent.
  mutating func settleRecorder(_ turn: inout Turn) {
    if let command = recording.command() { turn.append(.record(command)) }
  }
}
