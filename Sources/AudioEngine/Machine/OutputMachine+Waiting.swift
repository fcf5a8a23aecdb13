import AudioSession
import Board

/// When to look again at a device that runs.
extension OutputMachine {
  mutating func rest(_ result: CallResult, isFull: Bool) -> Call {
    guard let raw = result.status, let device else { return fail(after: result) }
    let status = bringUpToNow(raw)
    return wait(
      device.takesBack ? planWait(device, status, isFull: isFull) : .until(planShallowWait(device, status)))
  }

  /// The device has room, the next track begins, or the last frame is heard: whatever comes first.
  private mutating func planWait(_ device: Device, _ status: PCMStatus, isFull: Bool) -> EngineWait {
    let size = device.format.bufferFrames
    // It counts as full by its own position, which may be behind it.
    if isFull { progress.measureLatency(queued: status.queued + status.lag, written: size) }
    let due = nextMoment(status)
    // The silence counts: a card that fetches more than a frame at a time would run dry before the last one.
    if cursor >= end { return .until(due) }
    let stock = stock(status)
    // With half of the buffer free, the descriptors would wake us again and again, although there was nothing more to
    // write just now. A decoder that has frames again wakes us itself.
    let isDue = stock <= size / 2
    if !device.polls || isDue {
      let frames = isDue ? stock / 2 : stock - size / 2
      // A device with a radio link that takes nothing although it should is given time.
      let least = isFull && stallsAt != nil ? timing.retry.frames(rate: rate) : shortestWait
      return .until(min(due, moment(after: max(least, frames), status)))
    }
    // The descriptors wake us; the clock only guards against a device that never does.
    return .device(min(due, moment(after: max(shortestWait, size), status)))
  }

  /// When something is due that the device does not signal.
  func nextMoment(_ status: PCMStatus) -> Instant {
    var due = Instant(nanoseconds: .max)
    // Without frames to offer there is nothing to find out: the decoder wakes this thread.
    if let stallsAt, stallsAt > now { due = stallsAt }
    if let ahead, ahead.by > now { due = min(due, ahead.by) }
    for name in Self.both {
      if let startBy = self[name].startBy, self[name].isPriming { due = min(due, startBy) }
      if let fade = self[name].fade {
        due = min(due, self.due(fade, status))
      } else if self[name].isSounding, let frames = nextBoundary(of: name, after: reached(status)) {
        due = min(due, moment(after: max(shortestWait, frames), status))
      }
    }
    return due
  }

  private func due(_ fade: MixVoice.Fade, _ status: PCMStatus) -> Instant {
    // The device has not taken all of the fade. One that holds little is not offered it at once.
    if cursor < fade.last { return takesBack ? moment(after: shortestWait, status) : Instant(nanoseconds: .max) }
    let left = fade.last - reachedForSure(status)
    if now < fade.end { return max(fade.end, moment(after: left, status)) }
    return moment(after: max(left, shortestWait), status)
  }

  /// Frames from the timeline's index `reached` to the next event to report, as far as it is known.
  private func nextBoundary(of name: MixVoice.Name, after reached: Int) -> Int? {
    var frames = Int.max
    switch name {
    case .music: if let next = music.boundaries.next { frames = music.passage.time(of: next.index) - reached }
    case .cue: if !isCueReported { frames = cue.passage.start - reached }
    }
    if self[name].stop <= cursor { frames = min(frames, self[name].stop - reached) }
    return frames == .max ? nil : frames
  }
}
