import AudioSession
import Board
import RealtimeAudio

/// Outputs that are chosen, opened, closed, lost and found again.
extension AudioEngine {
  /// Only while the device does not run. Ports that share a device keep it open.
  func switchOutput(to index: Int, gain: Int32) {
    setVolume(gain)
    let device = outputs.indices.contains(index) ? outputs[index].device : nil
    let isSame = device != nil && pcm != nil && device == deviceName
    output = index
    if isSame || isReleased { return }
    pcm?.close()
    pcm = nil
    isRevived = false
    if device != nil { open() }
  }

  func reopen() {
    guard outputs.indices.contains(output) else { return }
    isReleased = false
    isRevived = false
    if pcm == nil { open() }
    if pcm != nil { report(.outputRestored) }
  }

  func open() {
    let wanted = outputs[output]
    do throws(PCMError) {
      adopt(try opener.open(port: wanted.port, name: wanted.device, rate: boardRate, buffer: buffer), formerly: nil)
    } catch {
      lose(error)
    }
  }

  /// - Parameter former: what the device was like before it had to be opened anew.
  private func adopt(_ opened: any PCM, formerly former: PCMFormat?) {
    pcm = opened
    let format = opened.format
    if format.rate == rate && format.bufferFrames == former?.bufferFrames ?? format.bufferFrames { return }
    let position = music.position
    let frame = boardFrame(position?.frame ?? 0)
    // What the rings hold is of another rate.
    for voice in voices {
      voice.forget()
      voice.gains.volume = GainRamp(voice.gains.volume.gain(at: .max / 2))
    }
    settleDuck()
    hasClip = false
    rate = format.rate
    report(
      .outputChanged(
        rate: format.rate, bufferFrames: format.bufferFrames, track: position?.track ?? -1, frame: frame))
  }

  /// A call on the device failed.
  func fail(_ cause: PCMError, at now: Instant) {
    let wasPlaying = music.isSounding || clip.isSounding
    // What was queued and not heard is gone with the device; the rings still have it.
    if run.isOn { stand(at: max(run.start, min(cursor, run.estimate(at: now, rate: rate)))) }
    if let route = pendingRoute {
      // It is being left, dead or alive.
      pcm?.close()
      pcm = nil
      pendingRoute = nil
      return switchOutput(to: route.index, gain: route.gain)
    }
    guard let former = pcm?.format, !isRevived, outputs.indices.contains(output) else { return lose(cause) }
    // It may have come back at once, as a plug-in server or a card whose format changes does (R12).
    isRevived = true
    pcm?.close()
    pcm = nil
    let wanted = outputs[output]
    do throws(PCMError) {
      let opened = try opener.open(port: wanted.port, name: wanted.device, rate: boardRate, buffer: buffer)
      adopt(opened, formerly: former)
    } catch {
      return lose(cause)
    }
    if wasPlaying && (music.isPriming || clip.isPriming) { report(.underrun) }
  }

  /// The device failed: stand where the listener was, say why, and wait to be told to try again.
  func lose(_ error: PCMError) {
    pcm?.close()
    pcm = nil
    if run.isOn { stand(at: cursor) }
    music.state = .silent
    music.startBy = nil
    settleDuck()
    futileStarts = 0
    refusals = 0
    isRevived = false
    failure.withLock { $0 = error }
    if clip.isPriming { failClip(wasLost: true) }
    let position = music.position
    report(
      .outputLost(stream: music.stream, track: position?.track ?? -1, frame: boardFrame(position?.frame ?? 0)))
  }

  func failClip(wasLost: Bool) {
    hasClip = false
    clip.state = .silent
    clip.startBy = nil
    report(.clipFailed(clip: clip.stream, wasLost: wasLost))
  }
}
