import AudioSession
import Board

/// Choosing, opening, closing, losing and recovering outputs.
extension OutputMachine {
  /// Call only while the device does not run. Ports that share a device keep it open.
  mutating func switchOutput(to route: Destination) -> Call {
    setVolume(route.gain)
    setChannels(of: route.output)
    report(.moved(route.output))
    let left = output
    let former = left.map { setup.devices[$0] }
    output = route.output
    let isSame = (device != nil || awaited != nil) && hasOutput && output.map { setup.devices[$0] } == former
    if isSame || isReleased {
      openBy = nil
      return beginPass()
    }
    if device == nil, isAsked, awaited == nil, let left { return leaveOpening(of: left) }
    return close(for: .switching)
  }

  /// The device has not answered in time and counts as lost, and the route goes elsewhere: what it opens later is for
  /// the next try (I15).
  private mutating func leaveOpening(of left: Int) -> Call {
    let former = late
    late = Late(output: left, until: now + timing.late)
    forgetAnswer()
    return former.map { call(.closeAhead($0.output), .closing(.switching)) } ?? didClose(.switching)
  }

  /// The device of this output is wanted again, so it no longer counts as late.
  mutating func resumeOpening(of index: Int) {
    if let late, setup.devices[late.output] == setup.devices[index] { self.late = nil }
  }

  /// Closes a device that was opened late and is no longer wanted.
  mutating func forgetLate() -> Call? {
    guard let late, now >= late.until else { return nil }
    self.late = nil
    return call(.closeAhead(late.output), .closing(.forgetting))
  }

  /// Opens the device of the output, if there is an output.
  mutating func openOutput(_ opening: Opening) -> Call {
    guard let output else { return beginPass() }
    resumeOpening(of: output)
    return call(.open(output), .opening(opening))
  }

  /// Switches to the output that waited for the device to stop, if there is one.
  mutating func switchIfDue() -> Call {
    stopPreparing()
    guard let route = pendingRoute else { return beginPass() }
    pendingRoute = nil
    return switchOutput(to: route)
  }

  mutating func reopen() -> Call {
    guard hasOutput else { return beginPass() }
    isReleased = false
    isRevived = false
    hasStoodStill = false
    if device == nil { return openOutput(.reopen) }
    report(.playback(.outputRestored))
    return beginPass()
  }

  // MARK: - Closed and opened

  mutating func close(for closing: Closing) -> Call {
    guard device != nil || isAsked else { return didClose(closing) }
    device = nil
    forgetAnswer()
    return call(.close, .closing(closing))
  }

  mutating func didClose(_ closing: Closing) -> Call {
    switch closing {
    case .release:
      isReleased = true
      report(.released)
      return beginPass()
    case .switching:
      isRevived = false
      hasStoodStill = false
      return openOutput(.route)
    case .forgetting: return beginPass()
    case .leaving(let route): return switchOutput(to: route)
    case .revival(let revival): return openOutput(.revival(revival))
    case .loss(let reason): return didLose(reason)
    }
  }

  mutating func didOpen(_ result: CallResult, _ opening: Opening) -> Call {
    forgetAnswer()
    openBy = nil
    let device: Device? = if case .opened(let device) = result { device } else { nil }
    let reason: LossReason = result == .failed ? .open : .misread
    switch opening {
    case .route:
      guard let device else { return lose(reason) }
      adopt(device, formerly: nil)
    case .reopen:
      guard let device else { return lose(reason) }
      adopt(device, formerly: nil)
      report(.playback(.outputRestored))
    case .revival(let revival):
      guard let device else { return lose(revival.reason) }
      adopt(device, formerly: revival.former)
      if revival.wasPlaying && isPriming { report(.playback(.underrun(position))) }
    }
    return beginPass()
  }

  /// - Parameter former: the device's format before it had to be reopened.
  private mutating func adopt(_ opened: Device, formerly former: PCMFormat?) {
    device = opened
    startMargin(of: opened)
    let format = opened.format
    if format.rate == rate && format.bufferFrames == former?.bufferFrames ?? format.bufferFrames { return }
    let position = position
    // The rings may hold frames of another rate.
    for name in Self.both { self[name].forget() }
    settleDuck()
    hasCue = false
    rate = format.rate
    report(.playback(.outputChanged(rate: format.rate, bufferFrames: format.bufferFrames, position)))
  }

  // MARK: - Failures

  /// Whether the device is being filled and started: nothing of it was heard.
  private var isStarting: Bool {
    switch state {
    case .filling(let filling): filling.purpose == .start
    case .starting, .started, .refused, .stopping, .emptying: true
    case .waiting, .asking, .gathering, .commanding, .hastening, .closing, .opening, .looking, .ending, .recovering,
      .joining, .changing, .fading, .cutting, .starving, .resting, .preparing, .abandoning:
      false
    }
  }

  /// A call on the device failed.
  mutating func fail(_ reason: LossReason) -> Call {
    let wasPlaying = isSounding && !isStarting
    // Frames that were queued and not heard are gone with the device; the rings still have them.
    if progress.isOn { haltVoices(at: lastKnown) }
    if let leaving = leaveAtOnce() { return leaving }
    let isStillAgain = reason == .stuck && hasStoodStill
    guard let former = device?.format, !isRevived, !isStillAgain, hasOutput else { return lose(reason) }
    // It may have come back at once, as a plug-in server or a card whose format changes does (R12).
    isRevived = true
    if reason == .stuck { hasStoodStill = true }
    return close(for: .revival(Revival(former: former, wasPlaying: wasPlaying, reason: reason)))
  }

  /// The device is no longer of use: goes to the next output, if it was being left anyway.
  mutating func leaveAtOnce() -> Call? {
    stopPreparing()
    guard let route = pendingRoute else { return nil }
    pendingRoute = nil
    return close(for: .leaving(route))
  }

  /// The device failed: holds the listener's position, reports why, and waits for the command to try again.
  mutating func lose(_ reason: LossReason) -> Call { close(for: .loss(reason)) }

  private mutating func didLose(_ reason: LossReason) -> Call {
    if progress.isOn { haltVoices(at: cursor) }
    music.silence()
    settleDuck()
    futileStarts = 0
    refusals = 0
    isRevived = false
    hasStoodStill = false
    notices.add(.failure(reason))
    if cue.isPriming { failCue(wasLost: true) }
    report(.outputLost(position))
    return beginPass()
  }

  mutating func failCue(wasLost: Bool) {
    hasCue = false
    cue.silence()
    report(.cueFailed(id: cue.stream, wasLost: wasLost))
  }

  // MARK: - Stopped by itself

  /// Recovers the device, to continue at the frame heard last.
  mutating func restart(_ status: PCMStatus) -> Call {
    let heard = heardLast(status)
    stopPreparing()
    let isFutile = isSounding && heard < cursor && heard - progress.start < shortestWait
    futileStarts = isFutile ? futileStarts + 1 : 0
    // With nothing left to play it was the end, not an underrun.
    let isUnderrun = isSounding && cursor < stop
    // A system that slept was not late.
    if isUnderrun && status.state == .underrun { noteUnderrun() }
    haltVoices(at: heard)
    if futileStarts > timing.maxFutileStarts { return leaveAtOnce() ?? lose(.dies) }
    return call(.recover, .recovering(isUnderrun: isUnderrun))
  }

  mutating func didRecover(_ result: CallResult, _ isUnderrun: Bool) -> Call {
    forgetAnswer()
    guard result == .done else { return fail(after: result) }
    if isUnderrun { report(.playback(.underrun(position))) }
    return switchIfDue()
  }

  /// The device no longer runs: ends the fades, and primes the voices that sounded to resume where the listener was.
  mutating func haltVoices(at time: Int) {
    holdAtTaken()
    for name in Self.both {
      if self[name].fade != nil { finish(name) }
      self[name].halt(at: time, fadeFrames: fadeFrames)
    }
    cursor = time
    progress.end()
  }
}
