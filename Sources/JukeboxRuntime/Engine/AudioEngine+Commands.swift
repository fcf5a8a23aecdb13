import AudioSession
import Board
import RealtimeAudio

/// What commands do, whether the device runs or not.
extension AudioEngine {
  /// While the device stands: nothing is to be taken back or to fade.
  func obeyIdle(_ command: EngineCommand) {
    switch command {
    case .load(let id, let number, let rate): load(id, number, rate)
    case .play: music.state = .priming
    case .silence:
      music.state = .silent
      music.startBy = nil
      settleDuck()
      reportSilenced()
    case .route(let index, let gain): switchOutput(to: index, gain: gain)
    case .gain(let gain): setVolume(gain)
    case .reopen: reopen()
    case .release: wantsRelease = true
    case .duck(let gain, _): music.gains.duck = GainRamp(gain)
    case .speak(let id, let number, let rate): speak(id, number, rate)
    case .hush:
      clip.state = .silent
      clip.startBy = nil
      report(.hushed(clip: clip.stream))
    case .speakOn: speakOn()
    }
  }

  func obeyRunning(_ command: EngineCommand, _ pcm: any PCM, _ status: PCMStatus) throws(PCMError) {
    switch command {
    case .load(let id, let number, let rate):
      // Only sent while silent; obeyed all the same, as a cut is better than the wrong music.
      if music.isSounding {
        _ = takeBack(pcm, status)
        music.state = .priming
      }
      load(id, number, rate)
    case .play: if !music.isOn { music.state = .priming }
    case .silence(let edge):
      if music.isSounding { return try fadeOut(music, pcm, status, edge: moment(of: edge)) }
      obeyIdle(command)
    case .hush(let edge):
      if clip.isSounding { return try fadeOut(clip, pcm, status, edge: moment(of: edge)) }
      obeyIdle(command)
    case .route(let index, let gain):
      pendingRoute = (index, gain)
      try fadeOut(nil, pcm, status, edge: nil)
    case .gain(let gain):
      _ = takeBack(pcm, status, but: pcm.margin)
      let frames = Self.volumeRampTime.frames(rate: rate)
      music.gains.volume.move(to: gain, at: cursor, frames: frames)
      clip.gains.volume.move(to: gain, at: cursor, frames: frames)
    case .duck(let gain, let over):
      guard music.isOn else { return obeyIdle(command) }
      _ = takeBack(pcm, status, but: pcm.margin)
      music.gains.duck.move(to: gain, at: cursor, frames: Duration.nanoseconds(over).frames(rate: rate))
    case .speak(let id, let number, let rate):
      if clip.isSounding {
        // The old one has to fade before its frames are forgotten.
        hold(command)
        return try fadeOut(clip, pcm, status, edge: nil)
      }
      speak(id, number, rate)
    case .speakOn: if !clip.isOn { speakOn() }
    case .reopen, .release: obeyIdle(command)
    }
  }

  private func moment(of edge: Int64) -> Instant? { edge < 0 ? nil : Instant(nanoseconds: edge) }

  private func load(_ id: UInt8, _ number: Int, _ rate: Int) {
    music.load(id, number)
    guard rate != self.rate else { return }
    let state = music.state
    music.forget()
    music.state = state
    report(.stale(number: number, rate: self.rate))
  }

  private func speak(_ id: UInt8, _ number: Int, _ rate: Int) {
    clip.load(id, number)
    hasClip = true
    isClipTold = false
    clip.state = .priming
    guard rate != self.rate else { return }
    hasClip = false
    clip.forget()
    report(.clipStale(number: number, rate: self.rate))
  }

  /// Only a clip that was spoken and has not ended can go on.
  private func speakOn() { if hasClip { clip.state = .priming } }

  func setVolume(_ gain: Int32) {
    music.gains.volume = GainRamp(gain)
    clip.gains.volume = GainRamp(gain)
  }

  /// Nobody hears the duck move while no music sounds.
  func settleDuck() { music.gains.duck = GainRamp(music.gains.duck.gain(at: .max / 2)) }

  /// Closes the output once nothing sounds or is about to.
  func releaseIfDue() -> Bool {
    guard wantsRelease, !music.isPriming, !clip.isPriming else { return false }
    wantsRelease = false
    pcm?.close()
    pcm = nil
    isReleased = true
    report(.released)
    return true
  }
}
