import AudioSession
import Board

/// A pass: hears of the decoders' news, looks at the device if it runs, obeys one command or does what is due.
extension OutputMachine {
  mutating func again() -> Call { ask(.music) }

  /// A voice that waits for its decoder is to be told of frames. What comes before it has asked, it sees: frames and
  /// boundaries are looked at after this.
  private mutating func ask(_ name: MixVoice.Name) -> Call {
    if self[name].isPriming && device != nil && pendingRoute == nil { return call(.ask(name), .asking(name)) }
    return ask(after: name)
  }

  mutating func ask(after name: MixVoice.Name) -> Call {
    switch name {
    case .music: return ask(.clip)
    case .clip:
      // Whatever stream these frames are of, its boundary was there before them.
      for name in Self.both { self[name].decoded = decoded[name] }
      return gather(.music)
    }
  }

  private mutating func gather(_ name: MixVoice.Name) -> Call {
    if self[name].wantsBoundaries { return call(.takeBoundary(name), .gathering(name)) }
    return gathered(name)
  }

  mutating func gather(_ answer: Answer, _ name: MixVoice.Name) -> Call {
    guard case .boundary(let boundary?) = answer else { return gathered(name) }
    let isAwaited = self[name].isAwaitingStream
    self[name].take(boundary)
    if isAwaited { releaseStale(name) }
    return gather(name)
  }

  /// What the decoder wrote before the stream at hand is in its way: it may have found no room for more, and sleep.
  mutating func releaseStale(_ name: MixVoice.Name) {
    guard !self[name].isAwaitingStream else { return }
    notices.add(.release(name, before: self[name].place, isLow: true))
  }

  private mutating func gathered(_ name: MixVoice.Name) -> Call {
    switch name {
    case .music: return gather(.clip)
    case .clip:
      if progress.isOn && device != nil { return call(.status, .looking) }
      progress.end()
      return stands()
    }
  }

  // MARK: - The device stands

  private mutating func stands() -> Call {
    if wantsRelease && !isPriming {
      wantsRelease = false
      return close(for: .release)
    }
    return takeCommand(nil)
  }

  private mutating func standsWithoutCommand() -> Call {
    guard isPriming else { return wait(.signal) }
    if isReleased {
      isReleased = false
      return openOutput(.route)
    }
    guard let device else {
      if clip.isPriming { failClip(wasLost: hasOutput) }
      return wait(.signal)
    }
    var isReady = false
    for name in Self.both where self[name].isPriming {
      switch readiness(of: name, device) {
      case .waits: break
      case .over: return again()
      case .primed: isReady = true
      }
    }
    if isReady { return start(device) }
    var due: Instant?
    for name in Self.both where self[name].isPriming {
      if let startBy = self[name].startBy { due = min(due ?? startBy, startBy) }
    }
    return wait(due.map { .until($0) } ?? .signal)
  }

  // MARK: - The device runs

  mutating func look(_ answer: Answer) -> Call {
    guard let raw = answer.status else { return unread(answer) }
    let status = current(raw)
    switch status.state {
    case .running, .prepared: break
    case .underrun, .suspended: return restart(status)
    case .disconnected:
      progress.note(heardLast(status), now)
      return fail(.gone)
    }
    progress.note(heard(status), status.at)
    if now - progress.movedAt > timing.standstill { return fail(.stuck) }
    if progress.heard - progress.start >= fadeFrames { isRevived = false }
    reportBoundaries(status)
    return finishVoices(status) ?? takeCommand(status)
  }

  private mutating func runsWithoutCommand(_ status: PCMStatus) -> Call {
    guard let device else { return again() }
    if let joined = join(device, status) { return joined }
    let size = device.format.bufferFrames
    let free = size - status.queued
    return fill(Filling(purpose: .keep, room: progress.isUnpaced ? free : size, free: free))
  }

  // MARK: - Commands

  /// The next command, unless it speaks to a voice whose fade is still being heard.
  private mutating func takeCommand(_ status: PCMStatus?) -> Call {
    if pendingRoute != nil { return withoutCommand(status) }
    guard let command = held else { return call(.takeCommand, .commanding(status)) }
    held = nil
    return obey(.command(command), status)
  }

  mutating func obey(_ answer: Answer, _ status: PCMStatus?) -> Call {
    guard case .command(let command?) = answer else { return withoutCommand(status) }
    let waits =
      switch command {
      case .load, .play, .silence: music.fade != nil
      case .speak, .pauseClip, .resumeClip: clip.fade != nil
      case .route, .reopen: music.fade != nil || clip.fade != nil
      case .gain, .duck, .release: false
      }
    if waits {
      held = command
      return withoutCommand(status)
    }
    return status.map { obeyRunning(command, $0) } ?? obeyStanding(command)
  }

  private mutating func withoutCommand(_ status: PCMStatus?) -> Call {
    status.map { runsWithoutCommand($0) } ?? standsWithoutCommand()
  }
}
