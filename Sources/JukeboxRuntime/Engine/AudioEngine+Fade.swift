import AudioSession
import Board
import RealtimeAudio

/// The way to silence, and from one output to another.
extension AudioEngine {
  /// A device that keeps more than this after a rewind cannot take back, and is cut short instead.
  private static let keptAtMost = Duration.milliseconds(3)

  /// Takes back what was not heard, writes a fade over it and remembers where to go on: at the frame heard at `edge`
  /// or now, or, for a new output, behind the fade.
  func beginFade(
    _ pcm: any PCM, _ status: PCMStatus, edge: Instant?, then: AfterFade
  ) throws(PCMError) {
    let heardNow = heard(status)
    let late = edge.map { max(0, status.at.frame(rate: rate) - $0.frame(rate: rate)) } ?? 0
    let heardThen = max(heardNow - late, marks.floor)
    var kept = takeBack(pcm, status)
    if kept > Self.keptAtMost.frames(rate: rate) {
      try pcm.drop()
      cursor = heardNow
      tail = 0
      kept = 0
    }
    let start = cursor
    gains.fade.move(to: 0, at: start, frames: fadeFrames)
    try fill(min(fadeFrames, pcm.format.bufferFrames), pcm)
    let faded = cursor - start
    try writeTail(min(buffer.frames(rate: rate) / 4, pcm.format.bufferFrames - faded - kept), pcm)
    if try pcm.status().state == .prepared { try pcm.start() }
    let resume: Int
    switch then {
    case .stand: resume = heardThen
    case .route: resume = cursor
    }
    phase = .fading(Fade(end: moment(after: kept + faded, status), resume: resume, then: then))
  }

  func serveFading(_ fade: Fade, at now: Instant) -> Step {
    guard let pcm else {
      endFade(fade)
      return .again
    }
    do throws(PCMError) {
      let status = try pcm.status()
      if status.state == .running && (now < fade.end || status.queued > tail) {
        let left = max(status.queued - tail, 1)
        return .wait(.until(max(fade.end, moment(after: left, status))))
      }
      if status.state == .disconnected {
        throw PCMError(operation: .status, device: deviceName, code: 19, message: "device is gone")
      }
      try pcm.drop()
      endFade(fade)
    } catch {
      lastHeard = fade.resume
      lose(error)
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

  /// The device failed: stand where the listener was, say why, and wait to be told to try again.
  func lose(_ error: PCMError) {
    pcm?.close()
    pcm = nil
    phase = .silent
    // What was queued and not heard is gone with the device; the ring still has it.
    cursor = max(marks.floor, lastHeard)
    tail = 0
    failure.withLock { $0 = error }
    let position = isAwaitingStream ? nil : marks.position(at: cursor)
    report(.outputLost(stream: stream, track: position?.track ?? -1, frame: position?.frame ?? 0))
  }
}
