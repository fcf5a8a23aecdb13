import AudioSession
import Board

/// One pass: takes the decoders' boundaries, reads the device's status if it runs, and obeys one command or does what
/// is due.
extension OutputMachine {
  mutating func beginPass() -> Call { ask(.music) }

  /// A voice that waits for its decoder asks to be woken. Frames and boundaries are read after this, so that what came
  /// before the request is seen.
  private mutating func ask(_ name: MixVoice.Name) -> Call {
    if self[name].isPriming && device != nil && pendingRoute == nil { return call(.ask(name), .asking(name)) }
    return ask(after: name)
  }

  mutating func ask(after name: MixVoice.Name) -> Call {
    switch name {
    case .music: return ask(.cue)
    case .cue:
      // A decoder publishes a stream's boundary before its frames, so the boundaries of these frames are taken below.
      for name in Self.both { self[name].decoded = decoded[name] }
      return gather(.music)
    }
  }

  private mutating func gather(_ name: MixVoice.Name) -> Call {
    if self[name].wantsBoundaries { return call(.takeBoundary(name), .gathering(name)) }
    return didGather(name)
  }

  mutating func gather(_ result: CallResult, _ name: MixVoice.Name) -> Call {
    guard case .boundary(let boundary?) = result else { return didGather(name) }
    let isAwaited = self[name].isAwaitingStream
    self[name].take(boundary)
    if isAwaited { releaseStale(name) }
    return gather(name)
  }

  /// Frees what the decoder wrote before the current stream: it may sleep because it found no room.
  mutating func releaseStale(_ name: MixVoice.Name) {
    guard !self[name].isAwaitingStream else { return }
    notices.add(.release(name, before: self[name].place, isLow: true))
  }

  private mutating func didGather(_ name: MixVoice.Name) -> Call {
    switch name {
    case .music: return gather(.cue)
    case .cue:
      if let forgetting = forgetLate() { return forgetting }
      if progress.isOn && device != nil { return call(.status, .looking) }
      progress.end()
      return passIdle()
    }
  }

  // MARK: - The device is idle

  private mutating func passIdle() -> Call {
    if let awaited { return call(.answer, awaited.state) }
    return proceedToCommand()
  }

  /// A device that has not answered holds up no command.
  mutating func proceedToCommand() -> Call {
    if wantsRelease && !isPriming {
      wantsRelease = false
      return close(for: .release)
    }
    return takeCommand(nil)
  }

  private mutating func proceedIdle() -> Call {
    if let awaited { return wait(.until(awaited.by)) }
    guard isPriming else { return waitIdle(until: nil) }
    if isReleased {
      isReleased = false
      return openOutput(.route)
    }
    guard let device else {
      if cue.isPriming { failCue(wasLost: hasOutput) }
      return waitIdle(until: nil)
    }
    var isReady = false
    for name in Self.both where self[name].isPriming {
      switch checkReadiness(of: name, device) {
      case .waits: break
      case .over: return beginPass()
      case .primed: isReady = true
      }
    }
    if isReady { return start(device) }
    var due: Instant?
    for name in Self.both where self[name].isPriming {
      if let startBy = self[name].startBy { due = min(due ?? startBy, startBy) }
    }
    return waitIdle(until: due)
  }

  private mutating func waitIdle(until due: Instant?) -> Call {
    var due = due
    if let late { due = min(due ?? late.until, late.until) }
    return wait(due.map { .until($0) } ?? .signal)
  }

  // MARK: - The device runs

  mutating func look(_ result: CallResult) -> Call {
    guard let raw = result.status else { return fail(after: result) }
    let status = bringUpToNow(raw)
    switch status.state {
    case .running, .prepared: break
    case .underrun, .suspended: return restart(status)
    case .disconnected:
      progress.note(heardLast(status), now)
      return fail(.gone)
    }
    progress.note(heard(status), status.at)
    noteLateness(status)
    if now - progress.movedAt > standstillLimit { return fail(.stuck) }
    if progress.heard - progress.start >= fadeFrames { isRevived = false }
    if progress.heard - progress.start >= timing.revival.frames(rate: rate) { hasStoodStill = false }
    reportBoundaries(status)
    return finishVoices(status) ?? takeCommand(status)
  }

  private mutating func proceedRunning(_ status: PCMStatus) -> Call {
    guard let device else { return beginPass() }
    if let joined = join(device, status) { return joined }
    if !device.takesBack { return fillShallow(device, status) }
    let size = device.format.bufferFrames
    let free = size - status.queued
    return fill(Filling(purpose: .keep, room: progress.isUnpaced ? free : size, free: free))
  }

  // MARK: - Commands

  /// Takes the next command. One for a voice whose fade is still heard is held back.
  private mutating func takeCommand(_ status: PCMStatus?) -> Call {
    if pendingRoute != nil { return proceed(status) }
    if let ahead, let status { return call(.openAhead(ahead.output), .preparing(status)) }
    return takeNextCommand(status)
  }

  mutating func takeNextCommand(_ status: PCMStatus?) -> Call {
    guard let command = held else { return call(.takeCommand, .commanding(status)) }
    held = nil
    return obey(.command(command), status)
  }

  mutating func obey(_ result: CallResult, _ status: PCMStatus?) -> Call {
    guard case .command(let command?) = result else { return proceed(status) }
    let waits =
      switch command {
      case .load, .play, .silence: music.fade != nil
      case .speak, .pauseCue, .resumeCue: cue.fade != nil
      case .route, .vacate, .reopen: isFading
      case .gain, .channels, .duck, .release: false
      }
    if waits { return hold(command, status) }
    return status.map { obeyRunning(command, $0) } ?? obeyIdle(command)
  }

  mutating func proceed(_ status: PCMStatus?) -> Call {
    status.map { proceedRunning($0) } ?? proceedIdle()
  }
}
