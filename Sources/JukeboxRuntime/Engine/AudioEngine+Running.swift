import AudioSession
import Board
import RealtimeAudio

/// While the device plays: fill it, watch it, tell what is heard.
extension AudioEngine {
  /// A device that stops so often right after its start is lost.
  private static let mostFutileStarts = 3
  /// How much later than it should a device may end its fade.
  private static let patience = Duration.milliseconds(100)

  func serveRunning(at now: Instant) -> Step {
    guard let pcm else {
      run.end()
      return .again
    }
    do throws(PCMError) {
      let status = try status(of: pcm, at: now)
      switch status.state {
      case .running, .prepared: break
      case .underrun, .suspended:
        try restart(pcm, status, at: now)
        return .again
      case .disconnected:
        run.note(heardLast(status, at: now), now)
        throw gone
      }
      run.note(heard(status), status.at)
      if run.heard - run.start >= fadeFrames { isRevived = false }
      tellBoundaries(status)
      if try finishVoices(pcm, status, at: now) { return .again }
      if let command = nextCommand() {
        try obeyRunning(command, pcm, status)
        return .again
      }
      if join(pcm, status, at: now) { return .again }
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

  /// The timeline's index from which on all is silent; `.max` while that is not known.
  var stop: Int { max(music.stop, clip.stop) }

  // MARK: - Where the listener is

  /// What the device says, as of now.
  func status(of pcm: any PCM, at now: Instant) throws(PCMError) -> PCMStatus {
    var status = Run.carry(try pcm.status(), to: now, rate: rate)
    guard run.isOn && run.isUnpaced && status.state == .running else { return status }
    if status.queued > 0 {
      run.isUnpaced = false
    } else {
      status.queued = max(0, cursor - run.estimate(at: now, rate: rate))
    }
    return status
  }

  /// The timeline's index of the frame that leaves the device; before the run's first one while that is on its way.
  func reached(_ status: PCMStatus) -> Int { cursor - status.queued }

  /// The timeline's index of the frame that is heard, or that was held when the run began.
  func heard(_ status: PCMStatus) -> Int { max(run.start, min(cursor, reached(status))) }

  /// The frame heard last of a device that has stopped. Of what was queued, some say nothing then; they cannot have
  /// played it faster than time.
  private func heardLast(_ status: PCMStatus, at now: Instant) -> Int {
    min(heard(status), max(run.start, run.estimate(at: now, rate: rate)))
  }

  /// Takes back what the device has not played yet, but for `margin` frames; answers how much it keeps.
  func takeBack(_ pcm: any PCM, _ status: PCMStatus, but margin: Int = 0) -> Int {
    let taken = pcm.rewind(max(0, status.queued - margin))
    cursor -= taken
    return max(0, status.queued - taken)
  }

  /// The moment at which `frames` more frames than now have been heard.
  func moment(after frames: Int, _ status: PCMStatus) -> Instant {
    Instant.of(frame: status.at.frame(rate: rate) + frames, rate: rate)
  }

  /// The shortest wait: a device that should be due and is not is looked at again this soon.
  var shortestWait: Int { rate / 1_000 }

  // MARK: - What has ended

  /// Whether the last frame of the voice was heard.
  private func isOver(_ voice: Voice, _ status: PCMStatus, at now: Instant) -> Bool {
    guard let fade = voice.fade else { return voice.isSounding && reached(status) >= voice.stop }
    return (now >= fade.end && reached(status) >= fade.last) || now >= fade.end + Self.patience
  }

  /// Lets go of voices whose end was heard, and of the device with the last of them.
  private func finishVoices(_ pcm: any PCM, _ status: PCMStatus, at now: Instant) throws(PCMError) -> Bool {
    let isMusicOver = isOver(music, status, at: now)
    let isClipOver = isOver(clip, status, at: now)
    let isLast = (isMusicOver || !music.isOn) && (isClipOver || !clip.isOn)
    if isLast {
      try pcm.drop()
      cursor = heard(status)
      run.end()
    }
    if isMusicOver { finish(music) }
    if isClipOver { finish(clip) }
    if isLast, let route = pendingRoute {
      pendingRoute = nil
      switchOutput(to: route.index, gain: route.gain)
    }
    return isMusicOver || isClipOver || isLast
  }

  /// The last frame of its fade, or its very last, was heard.
  func finish(_ voice: Voice) {
    if let fade = voice.fade {
      voice.place = fade.resume
      voice.state = fade.goesOn ? .priming : .silent
      if fade.goesOn { return }
      if voice === clip { return report(.hushed(clip: clip.stream)) }
      settleDuck()
      return reportSilenced()
    }
    if voice.isSounding { voice.place = voice.marks.end ?? voice.place }
    voice.state = .silent
    voice.startBy = nil
    if voice === clip {
      hasClip = false
      report(.clipEnded(clip: clip.stream))
    } else {
      settleDuck()
      report(.ended(stream: music.stream))
    }
  }

  /// The device stopped by itself: makes it ready to go on at the frame heard last.
  private func restart(_ pcm: any PCM, _ status: PCMStatus, at now: Instant) throws(PCMError) {
    let heard = heardLast(status, at: now)
    let wasPlaying = music.isSounding || clip.isSounding
    let isFutile = wasPlaying && heard < cursor && heard - run.start < shortestWait
    futileStarts = isFutile ? futileStarts + 1 : 0
    // With nothing left to play it was no underrun but the end.
    let isUnderrun = wasPlaying && cursor < stop
    stand(at: heard)
    if futileStarts > Self.mostFutileStarts {
      return lose(PCMError(operation: .start, device: deviceName, code: 5, message: "stops as soon as it starts"))
    }
    try pcm.recover()
    if isUnderrun { report(.underrun) }
    if let route = pendingRoute {
      pendingRoute = nil
      switchOutput(to: route.index, gain: route.gain)
    }
  }

  /// The device does not run any more: fades are over, and what sounded waits to go on where the listener was.
  func stand(at time: Int) {
    for voice in voices {
      if voice.fade != nil { finish(voice) }
      voice.halt(at: time)
    }
    cursor = time
    run.end()
  }
}
