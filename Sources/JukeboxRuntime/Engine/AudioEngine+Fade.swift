import AudioSession
import Board
import RealtimeAudio

/// The way to silence, and from one output to another.
extension AudioEngine {
  /// A device that keeps more than this after a rewind is cut short instead: at once when someone pulls a plug, who
  /// hears no click; else only where the wait would be felt.
  private static let keptAtEdge = Duration.milliseconds(3)
  private static let keptAtMost = Duration.milliseconds(20)
  /// How much later than it should a device may end its fade.
  private static let patience = Duration.milliseconds(100)

  /// Takes back what was not heard, writes a fade over it and remembers where to go on: at the frame heard at `edge`,
  /// without one where the fade begins, and for a new output behind the fade.
  func beginFade(
    _ pcm: any PCM, _ status: PCMStatus, edge: Instant?, then: AfterFade
  ) throws(PCMError) {
    let heardNow = heard(status)
    var fade = Fade(end: status.at, last: heardNow, resume: heardNow, then: then)
    if let edge {
      let offset = edge.frame(rate: rate) - status.at.frame(rate: rate)
      // Not into a track that was told to be over, nor before the sound began, nor to what the ring has forgotten.
      let earliest = max(marks.floor, run.start, heardNow - keptFrames)
      fade.resume = min(max(heardNow + offset, earliest), cursor)
    }
    phase = .fading(fade)
    run.end()
    var kept = takeBack(pcm, status)
    if kept > (edge == nil ? Self.keptAtMost : Self.keptAtEdge).frames(rate: rate) {
      try pcm.drop()
      cursor = heardNow
      tail = 0
      kept = 0
    }
    let length = min(fadeFrames, min(ring.written, marks.end ?? .max) - cursor)
    // The stream's own end may come first and is no click; the end of what is decoded would be one.
    gains.fade.move(to: 0, at: cursor, frames: marks.end == nil ? length : fadeFrames)
    fade.last = cursor + length
    fade.end = moment(after: kept + length, status)
    try writeFade(fade, pcm)
    if try pcm.status().state == .prepared { try pcm.start() }
    switch then {
    // What the device kept is still heard in full.
    case .stand: if edge == nil { fade.resume = fade.last - length }
    case .route: fade.resume = fade.last
    }
    phase = .fading(fade)
  }

  /// Writes what the device has not taken of it yet, and silence behind it.
  private func writeFade(_ fade: Fade, _ pcm: any PCM) throws(PCMError) {
    try fill(fade.last - cursor, pcm)
    if cursor >= fade.last && tail == 0 { try writeTail(buffer.frames(rate: rate) / 4, pcm) }
  }

  func serveFading(_ fade: Fade, at now: Instant) -> Step {
    guard let pcm else {
      endFade(fade)
      return .again
    }
    do throws(PCMError) {
      let status = try status(of: pcm, at: now)
      switch status.state {
      case .running where now < fade.end + Self.patience:
        if cursor < fade.last {
          try writeFade(fade, pcm)
          return .wait(.until(moment(after: shortestWait, status)))
        }
        let left = status.queued - tail
        if now < fade.end { return .wait(.until(max(fade.end, moment(after: left, status)))) }
        if left > 0 { return .wait(.until(moment(after: max(left, shortestWait), status))) }
      case .running, .prepared, .underrun, .suspended: break
      case .disconnected: throw gone
      }
      try pcm.drop()
      endFade(fade)
    } catch {
      fail(error, at: now)
    }
    return .again
  }

  private func endFade(_ fade: Fade) {
    cursor = fade.resume
    tail = 0
    switch fade.then {
    case .stand:
      phase = .silent
      reportSilenced()
    case .route(let index, let gain):
      phase = .priming
      switchOutput(to: index, gain: gain)
    }
  }

  // MARK: - Outputs

  /// Only while the device does not run. Ports that share a device keep it open.
  func switchOutput(to index: Int, gain: Int32) {
    gains.volume = GainRamp(gain)
    let device = outputs.indices.contains(index) ? outputs[index].device : nil
    if let device, pcm != nil, device == deviceName {
      output = index
      return
    }
    pcm?.close()
    pcm = nil
    output = index
    if device != nil { open() }
  }

  func reopen() {
    guard outputs.indices.contains(output) else { return }
    if pcm == nil { open() }
    if pcm != nil { report(.outputRestored) }
  }

  private func open() {
    let wanted = outputs[output]
    do throws(PCMError) {
      let opened = try opener.open(port: wanted.port, name: wanted.device, rate: rate, buffer: buffer)
      guard opened.format.rate == rate else {
        opened.close()
        throw PCMError(
          operation: .configure, device: wanted.device, code: 22,
          message: "runs at \(opened.format.rate) Hz, expected \(rate) Hz: set rate in the board file")
      }
      pcm = opened
    } catch {
      lose(error)
    }
  }

  /// A call on the device failed.
  func fail(_ error: PCMError, at now: Instant) {
    if case .fading(let fade) = phase {
      cursor = fade.resume
      if case .route = fade.then {
        // It is being left, dead or alive.
        pcm?.close()
        pcm = nil
        return endFade(fade)
      }
    } else if run.isOn {
      // What was queued and not heard is gone with the device; the ring still has it.
      cursor = max(marks.floor, run.start, min(cursor, run.estimate(at: now, rate: rate)))
    }
    lose(error)
  }

  /// The device failed: stand where the listener was, say why, and wait to be told to try again.
  private func lose(_ error: PCMError) {
    pcm?.close()
    pcm = nil
    phase = .silent
    startBy = nil
    futileStarts = 0
    refusals = 0
    run.end()
    tail = 0
    failure.withLock { $0 = error }
    let position = isAwaitingStream ? nil : marks.position(at: cursor)
    report(.outputLost(stream: stream, track: position?.track ?? -1, frame: position?.frame ?? 0))
    if owesSilence { reportSilenced() }
  }
}
