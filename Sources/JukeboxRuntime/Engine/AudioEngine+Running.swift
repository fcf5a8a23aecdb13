import AudioSession
import Board
import RealtimeAudio

/// While the device plays: fill it, watch it, tell which track is heard.
extension AudioEngine {
  /// A device that stops so often right after its start is lost.
  private static let mostFutileStarts = 3

  func serveRunning(at now: Instant) -> Step {
    guard let pcm else {
      phase = .priming
      return .again
    }
    do throws(PCMError) {
      let status = try status(of: pcm, at: now)
      switch status.state {
      case .running, .prepared: break
      case .underrun, .suspended:
        try restart(pcm, status, at: now)
        return .again
      case .disconnected: throw gone
      }
      run.note(heard(status), status.at)
      reportBoundaries(upTo: reached(status), at: status.at)
      if let command = commands.pop() {
        try obey(command, pcm, status)
        return .again
      }
      if isAtEnd && status.queued <= tail {
        try pcm.drop()
        finishStream()
        return .again
      }
      let isFull = try fill(run.isUnpaced ? pcm.format.bufferFrames - status.queued : pcm.format.bufferFrames, pcm)
      if !isFull && isStarved { return .again }
      return .wait(nextWait(pcm, try self.status(of: pcm, at: now), isFull: isFull, at: now))
    } catch {
      fail(error, at: now)
      return .again
    }
  }

  var deviceName: String { outputs.indices.contains(output) ? outputs[output].device : "none" }

  var gone: PCMError { PCMError(operation: .status, device: deviceName, code: 19, message: "device is gone") }

  /// Whether all of the stream was given to the device.
  private var isAtEnd: Bool { marks.end.map { cursor >= $0 } ?? false }

  /// Asks the decoder for more when the ring is empty; whether some came meanwhile.
  private var isStarved: Bool {
    guard !isAtEnd && ring.written <= cursor else { return false }
    askForFrames()
    return ring.written > cursor
  }

  private func obey(_ command: EngineCommand, _ pcm: any PCM, _ status: PCMStatus) throws(PCMError) {
    switch command {
    case .load(let id, let number):
      // Only sent while silent; obeyed all the same, as a cut is better than the wrong music.
      run.end()
      tail = 0
      phase = .priming
      load(id, number)
      try pcm.drop()
    case .play: break
    case .silence(let edge):
      owesSilence = true
      try beginFade(pcm, status, edge: edge < 0 ? nil : Instant(nanoseconds: edge), then: .stand)
    case .route(let index, let gain):
      try beginFade(pcm, status, edge: nil, then: .route(index, gain: gain))
    case .gain(let gain):
      _ = takeBack(pcm, status)
      gains.volume.move(to: gain, at: cursor, frames: Self.volumeRampTime.frames(rate: rate))
    case .reopen: reopen()
    }
  }

  // MARK: - Where the listener is

  /// What the device says, as of now.
  func status(of pcm: any PCM, at now: Instant) throws(PCMError) -> PCMStatus {
    var status = Run.carry(try pcm.status(), to: now, rate: rate)
    guard run.isOn && run.isUnpaced && status.state == .running else { return status }
    if status.queued > 0 {
      run.isUnpaced = false
    } else {
      status.queued = tail + max(0, cursor - run.estimate(at: now, rate: rate))
    }
    return status
  }

  /// Index of the frame that leaves the device; before the run's first one while that is on its way, and behind the
  /// stream's last one while its silence is heard.
  func reached(_ status: PCMStatus) -> Int { cursor + tail - status.queued }

  /// Index of the frame that is heard, or that was held when the run began.
  func heard(_ status: PCMStatus) -> Int { max(run.start, min(cursor, reached(status))) }

  /// Takes back what the device has not played yet; answers how much it keeps.
  func takeBack(_ pcm: any PCM, _ status: PCMStatus) -> Int {
    let taken = pcm.rewind(max(0, status.queued))
    let silence = min(tail, taken)
    tail -= silence
    cursor -= taken - silence
    return max(0, status.queued - taken)
  }

  // MARK: - Filling

  /// Renders up to `room` frames of the ring into the device, and after the stream's last frame some silence, so that
  /// a device that plays on past its data plays nothing old. Answers whether the device would take no more.
  @discardableResult
  func fill(_ room: Int, _ pcm: any PCM) throws(PCMError) -> Bool {
    var room = room
    var isFull = false
    while room > 0 && !isFull {
      let limit = min(room, Self.scratchFrames)
      let run = ring.run(from: cursor, limit: min(limit, (marks.end ?? .max) - cursor))
      let frames = run.count / 2
      guard frames > 0, let input = run.baseAddress else { break }
      gains.render(input, to: scratch, frames: frames, at: cursor)
      let taken = try pcm.write(scratch, frames: frames)
      cursor += taken
      room -= taken
      isFull = taken == 0
    }
    if isAtEnd && tail == 0 { try writeTail(min(room, buffer.frames(rate: rate) / 4), pcm) }
    release()
    return isFull
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

  // MARK: - Watching

  /// Tells of every track whose first frame is before the frame `heard`, which is heard at `now`, or is it.
  func reportBoundaries(upTo heard: Int, at now: Instant) {
    while let mark = marks.next, !mark.isEnd, mark.index <= heard {
      marks.report()
      let at = Instant.of(frame: now.frame(rate: rate) - (heard - mark.index), rate: rate)
      report(.began(stream: stream, track: mark.track, frame: mark.frame, at: at.nanoseconds))
    }
    marks.prune()
  }

  /// The moment at which `frames` more frames than now have been heard.
  func moment(after frames: Int, _ status: PCMStatus) -> Instant {
    Instant.of(frame: status.at.frame(rate: rate) + frames, rate: rate)
  }

  /// The shortest wait: a device that should be due and is not is looked at again this soon.
  var shortestWait: Int { rate / 1_000 }

  /// Half of the buffer is free, the next track begins, or the last frame is heard: whatever comes first.
  private func nextWait(_ pcm: any PCM, _ status: PCMStatus, isFull: Bool, at now: Instant) -> Wait {
    let size = pcm.format.bufferFrames
    if isFull { run.learn(queued: status.queued, bufferFrames: size) }
    let stock = status.queued - run.latency
    // With half of the buffer free, the descriptors would wake us at once and for ever; neither the ring nor the
    // device had room for more just now. A decoder that has something again says so itself.
    let isDue = stock <= size / 2
    let frames = isAtEnd ? status.queued - tail : isDue ? stock / 2 : stock - size / 2
    let boundary = marks.next.map { $0.index - reached(status) } ?? .max
    if pcm.pollDescriptors.isEmpty || isAtEnd || isDue {
      return .until(moment(after: max(shortestWait, min(frames, boundary)), status))
    }
    // The descriptors say when; the clock only guards against a device that never does.
    return .device(moment(after: max(shortestWait, min(size, boundary)), status))
  }

  /// The device stopped by itself: makes it ready to go on at the frame heard last.
  private func restart(_ pcm: any PCM, _ status: PCMStatus, at now: Instant) throws(PCMError) {
    // Of what was queued, some devices say nothing once they have stopped; they cannot have played it faster than time.
    let heard = min(heard(status), max(run.start, run.estimate(at: now, rate: rate)))
    let isFutile = heard < cursor && heard - run.start < shortestWait
    futileStarts = isFutile ? futileStarts + 1 : 0
    cursor = heard
    tail = 0
    run.end()
    if futileStarts > Self.mostFutileStarts {
      throw PCMError(operation: .start, device: deviceName, code: 5, message: "stops as soon as it starts")
    }
    try pcm.recover()
    phase = .priming
    // With nothing left to play it was no underrun but the end.
    if !isAtEnd { report(.underrun) }
  }

  /// The last frame was heard.
  func finishStream() {
    phase = .silent
    startBy = nil
    run.end()
    tail = 0
    report(.ended(stream: stream))
  }
}
