import AudioSession
import Board
import RealtimeAudio

/// While the device plays: fill it, watch it, tell which track is heard.
extension AudioEngine {
  func serveRunning(at now: Instant) -> Step {
    guard let pcm else {
      phase = .priming
      return .again
    }
    do throws(PCMError) {
      let status = try pcm.status()
      lastHeard = heard(status)
      switch status.state {
      case .running, .prepared: break
      case .underrun, .suspended:
        try restart(pcm, status)
        return .again
      case .disconnected:
        throw PCMError(operation: .status, device: deviceName, code: 19, message: "device is gone")
      }
      reportBoundaries(status)
      if let command = commands.pop() {
        try obey(command, pcm, status)
        return .again
      }
      if let end = marks.end, cursor >= end, status.queued <= tail {
        try pcm.drop()
        finishStream(at: now)
        return .again
      }
      let before = cursor
      try fill(pcm.format.bufferFrames - status.queued, pcm)
      return .wait(nextWait(pcm, try pcm.status(), written: cursor - before))
    } catch {
      lose(error)
      return .again
    }
  }

  var deviceName: String { outputs.indices.contains(output) ? outputs[output].device : "none" }

  private func obey(_ command: EngineCommand, _ pcm: any PCM, _ status: PCMStatus) throws(PCMError) {
    switch command {
    case .load(let id):
      // Only sent while silent; obeyed all the same, as a cut is better than the wrong music.
      try pcm.drop()
      phase = .priming
      stream = id
      isAwaitingStream = true
      marks.removeAll()
    case .play: break
    case .silence(let edge):
      try beginFade(pcm, status, edge: edge < 0 ? nil : Instant(nanoseconds: edge), then: .stand)
    case .route(let index, let gain):
      try beginFade(pcm, status, edge: nil, then: .route(index, gain: gain))
    case .gain(let gain):
      _ = takeBack(pcm, status)
      gains.volume.move(to: gain, at: cursor, frames: Self.volumeRampTime.frames(rate: rate))
    case .reopen: reopen()
    }
  }

  /// Index of the frame that is heard while `queued` frames are not.
  func heard(_ status: PCMStatus) -> Int { cursor - max(0, status.queued - tail) }

  /// Takes back what the device has not played yet; answers how much it keeps.
  func takeBack(_ pcm: any PCM, _ status: PCMStatus) -> Int {
    let taken = pcm.rewind(max(0, status.queued))
    let silence = min(tail, taken)
    tail -= silence
    cursor -= taken - silence
    return max(0, status.queued) - taken
  }

  /// Renders up to `room` frames of the ring into the device, and after the stream's last frame some silence, so that
  /// a device that plays on past its data plays nothing old.
  func fill(_ room: Int, _ pcm: any PCM) throws(PCMError) {
    var room = room
    while room > 0 {
      let limit = min(room, Self.scratchFrames)
      let run = ring.run(from: cursor, limit: min(limit, (marks.end ?? .max) - cursor))
      let frames = run.count / 2
      guard frames > 0, let input = run.baseAddress else { break }
      gains.render(input, to: scratch, frames: frames, at: cursor)
      let taken = try pcm.write(scratch, frames: frames)
      cursor += taken
      room -= taken
      if taken < frames { break }
    }
    if let end = marks.end, cursor >= end, tail == 0 {
      try writeTail(min(room, buffer.frames(rate: rate) / 4), pcm)
    }
    release()
  }

  func writeTail(_ frames: Int, _ pcm: any PCM) throws(PCMError) {
    scratch.update(repeating: 0, count: Self.scratchFrames * 2)
    var left = frames
    while left > 0 {
      let taken = try pcm.write(scratch, frames: min(left, Self.scratchFrames))
      if taken == 0 { return }
      tail += taken
      left -= taken
    }
  }

  /// Tells of every track whose first frame has been heard.
  private func reportBoundaries(_ status: PCMStatus) {
    let heard = heard(status)
    while let mark = marks.next, !mark.isEnd, mark.index <= heard {
      marks.report()
      let at = Instant.of(frame: status.at.frame(rate: rate) - (heard - mark.index), rate: rate)
      report(.began(stream: stream, track: mark.track, frame: mark.frame, at: at.nanoseconds))
    }
    marks.prune()
  }

  /// The moment at which `frames` more frames than now have been heard.
  func moment(after frames: Int, _ status: PCMStatus) -> Instant {
    Instant.of(frame: status.at.frame(rate: rate) + frames, rate: rate)
  }

  /// Half of the buffer is free, the next track begins, or the last frame is heard: whatever comes first.
  private func nextWait(_ pcm: any PCM, _ status: PCMStatus, written: Int) -> Wait {
    // ALSA's `null` and `file` have played everything at once; what they took paces them instead.
    if status.queued <= 0 && written > 0 { return .until(moment(after: written, status)) }
    let heard = heard(status)
    let isLast = marks.end.map { cursor >= $0 } ?? false
    var frames = isLast ? status.queued - tail : status.queued - pcm.format.bufferFrames / 2
    // A device that time alone tells about is looked at again soon when it should be due and is not.
    frames = max(frames, rate / 1_000)
    let boundary = marks.next.map { $0.index - heard } ?? .max
    if pcm.pollDescriptors.isEmpty || isLast { return .until(moment(after: min(frames, max(1, boundary)), status)) }
    // The descriptors say when; the clock only guards against a device that never does.
    return .device(moment(after: min(pcm.format.bufferFrames, max(1, boundary)), status))
  }

  private func restart(_ pcm: any PCM, _ status: PCMStatus) throws(PCMError) {
    cursor = heard(status)
    tail = 0
    try pcm.recover()
    phase = .priming
    report(.underrun)
  }

  /// The last frame was heard.
  func finishStream(at now: Instant) {
    phase = .silent
    tail = 0
    report(.ended(stream: stream))
  }
}
