import AudioSession
import Board
import Jukebox

/// Starting to sound: waits for the decoder, fills the device and starts it.
extension OutputMachine {
  enum Readiness: Hashable, Sendable {
    case waits
    case primed
    /// The stream has ended: there is nothing left to play.
    case over
  }

  mutating func checkReadiness(of name: MixVoice.Name, _ device: Device) -> Readiness {
    guard !self[name].isAwaitingStream else { return .waits }
    if let end = self[name].boundaries.end, self[name].place >= end {
      if name == .music { reportTracks(upTo: music.place, at: now) }
      finish(name)
      return .over
    }
    return checkPrimed(name, device) ? .primed : .waits
  }

  private mutating func checkPrimed(_ name: MixVoice.Name, _ device: Device) -> Bool {
    self[name].checkPrimed(for: depth(of: device), patience: timing.decoderPatience, at: now)
  }

  // MARK: - Beside a voice that sounds

  /// Puts a voice that is ready on the running device's timeline, ahead of what is queued. Returns nil if none is
  /// ready.
  mutating func join(_ device: Device, _ status: PCMStatus) -> Call? {
    guard pendingRoute == nil else { return nil }
    for name in Self.both where self[name].isPriming && !self[name].awaitsSilence {
      // Music that did not sound here begins at the output that is being opened: here it may be nobody's (B1).
      if name == .music && ahead != nil { continue }
      switch checkReadiness(of: name, device) {
      case .waits: continue
      case .over: return beginPass()
      case .primed: return takeBackAllButMargin(status, for: .joining(name, status))
      }
    }
    return nil
  }

  mutating func join(_ result: CallResult, _ name: MixVoice.Name, _ status: PCMStatus) -> Call {
    guard let taken = result.count else { return fail(after: result) }
    cursor -= taken
    begin(name)
    if name == .music {
      var left = status
      left.queued -= taken
      reportStart(of: music.passage.start, left)
    }
    return beginPass()
  }

  /// Starts a voice at the cursor; a cue only when the music has been ducked or has faded out.
  private mutating func begin(_ name: MixVoice.Name) {
    var time = cursor
    if name == .cue, music.isOn { time = max(time, music.gains.duck.steady(), music.fade?.last ?? time) }
    self[name].begin(at: time, fadeFrames: fadeFrames)
  }

  /// - Parameter time: the timeline's index of the first frame of the music.
  private mutating func reportStart(of time: Int, _ status: PCMStatus) {
    guard let position = music.boundaries.position(at: music.passage.origin) else { return }
    let instant = status.at + .covering(frames: max(0, time - reached(status)), rate: rate)
    let heard = Position(track: position.track, frame: boardFrame(position.frame))
    music.startedAt = instant
    report(.playback(.started(stream: music.stream, heard, at: instant)))
  }

  // MARK: - With the device

  mutating func start(_ device: Device) -> Call {
    for name in Self.both {
      // The volume can jump to its target, because nothing was heard of the ramp.
      self[name].gains.volume.settle()
      if self[name].isPriming && !self[name].isAwaitingStream && checkPrimed(name, device) { begin(name) }
    }
    progress.begin(at: cursor, now)
    let size = depth(of: device)
    return fill(Filling(purpose: .start, room: size, free: size))
  }

  mutating func didStart(_ result: CallResult) -> Call {
    guard result == .done else { return fail(after: result) }
    refusals = 0
    return call(.status, .started)
  }

  mutating func checkStart(_ result: CallResult) -> Call {
    guard let status = result.status else { return fail(after: result) }
    progress.isUnpaced = status.state == .running && status.queued <= 0 && cursor - progress.start > fadeFrames
    // Before it has played much, also where it is not filled: a cue may be shorter than the buffer.
    progress.measureLatency(queued: status.queued, written: cursor - progress.start)
    if music.isSounding { reportStart(of: progress.start, status) }
    return beginPass()
  }

  /// The device took no frames: reads its status to find out why.
  mutating func handleRefusal() -> Call {
    haltVoices(at: progress.start)
    refusals += 1
    return call(.status, .refused)
  }

  mutating func emptyDevice(_ result: CallResult) -> Call {
    guard let status = result.status else { return fail(after: result) }
    switch status.state {
    case .prepared: return tryLater()
    case .running: return call(.stop, .stopping)
    case .underrun, .suspended: return call(.recover, .emptying)
    case .disconnected: return fail(.gone)
    }
  }

  mutating func didStop(_ result: CallResult) -> Call {
    result == .done ? call(.recover, .emptying) : fail(after: result)
  }

  mutating func didEmpty(_ result: CallResult) -> Call {
    forgetAnswer()
    return result == .done ? tryLater() : fail(after: result)
  }

  private mutating func tryLater() -> Call {
    refusals > timing.maxRetries ? lose(.refuses) : wait(.until(now + timing.retry))
  }
}
