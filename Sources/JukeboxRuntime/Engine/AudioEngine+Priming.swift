import AudioSession
import Board
import RealtimeAudio

/// From the wish to play to the first frame: waits for the decoder, fills the device, starts it.
extension AudioEngine {
  /// How long a decoder may leave us with less than the device can hold; tracks of a few frames do for ever.
  private static let patience = Duration.milliseconds(250)
  /// When a device that takes nothing is tried again, and how often.
  private static let retryTime = Duration.milliseconds(10)
  private static let mostRetries = 100

  func servePriming(at now: Instant) -> Step {
    if let command = commands.pop() {
      switch command {
      case .load(let id, let number): load(id, number)
      case .play: break
      case .silence:
        phase = .silent
        startBy = nil
        reportSilenced()
      case .route(let index, let gain): switchOutput(to: index, gain: gain)
      case .gain(let gain): gains.volume = GainRamp(gain)
      case .reopen: reopen()
      }
      return .again
    }
    guard let pcm else { return .wait(.signal) }
    askForFrames()
    takeMarkers()
    guard !isAwaitingStream else { return .wait(.signal) }
    if let end = marks.end, cursor >= end {
      reportBoundaries(upTo: cursor, at: now)
      finishStream()
      return .again
    }
    return isPrimed(pcm, at: now) ? start(pcm, at: now) : .wait(startBy.map { .until($0) } ?? .signal)
  }

  private func isPrimed(_ pcm: any PCM, at now: Instant) -> Bool {
    let ready = ring.written - cursor
    if ready >= min(pcm.format.bufferFrames, ring.capacity / 4) || marks.end != nil { return true }
    guard ready > 0 else { return false }
    let startBy = startBy ?? now + Self.patience
    self.startBy = startBy
    return now >= startBy
  }

  private func start(_ pcm: any PCM, at now: Instant) -> Step {
    let position = marks.position(at: cursor)
    // From a track's first frame the music rises by itself; from anywhere else it has to be faded in.
    if position?.frame == 0 {
      gains.fade = GainRamp(GainRamp.unity)
    } else {
      gains.fade = GainRamp(0)
      gains.fade.move(to: GainRamp.unity, at: cursor, frames: fadeFrames)
    }
    run.begin(at: cursor, now)
    do throws(PCMError) {
      try fill(pcm.format.bufferFrames, pcm)
      if cursor == run.start { return .wait(.until(try retry(pcm, at: now))) }
      try pcm.start()
      phase = .running
      startBy = nil
      refusals = 0
      let status = try pcm.status()
      run.isUnpaced = status.state == .running && status.queued <= 0 && cursor - run.start > fadeFrames
      if let position {
        let at = status.at + .covering(frames: max(0, run.start - reached(status)), rate: rate)
        report(.started(stream: stream, track: position.track, frame: position.frame, at: at.nanoseconds))
      }
    } catch {
      fail(error, at: now)
    }
    return .again
  }

  /// The device took nothing: makes it ready if it was not, and answers when to try again.
  private func retry(_ pcm: any PCM, at now: Instant) throws(PCMError) -> Instant {
    run.end()
    refusals += 1
    switch try pcm.status().state {
    case .prepared: break
    case .running: try pcm.drop()
    case .underrun, .suspended: try pcm.recover()
    case .disconnected: throw gone
    }
    if refusals > Self.mostRetries {
      throw PCMError(operation: .write, device: deviceName, code: 110, message: "takes no frames")
    }
    return now + Self.retryTime
  }
}
