import AudioSession
import Board
import RealtimeAudio

/// What each command does, while the device is idle and while it runs.
extension OutputMachine {
  /// While the device is idle, nothing has to be rewound or faded.
  mutating func obeyIdle(_ command: EngineCommand) -> Call {
    switch command {
    case .load(let id, let number, let rate): load(id, number, rate)
    case .play: music.state = .priming
    case .silence:
      music.silence()
      music.awaitsSilence = false
      settleDuck()
      reportSilenced()
    case .route(let index, let gain): return switchOutput(to: Destination(output: index, gain: gain))
    case .vacate: break
    case .gain(let gain): setVolume(gain)
    case .channels(let index, let matrix):
      note(matrix, of: index)
      if index == output { self.matrix = MatrixRamp(matrix) }
    case .reopen: return reopen()
    case .release: wantsRelease = true
    case .duck(let gain, _): music.gains.duck = GainRamp(gain)
    case .speak(let id, let number, let rate): speak(id, number, rate)
    case .pauseCue:
      cue.silence()
      cue.awaitsSilence = false
      report(.cuePaused(id: cue.stream))
    case .resumeCue: resumeCue()
    }
    return beginPass()
  }

  mutating func obeyRunning(_ command: EngineCommand, _ status: PCMStatus) -> Call {
    switch command {
    case .load(let id, let number, let rate):
      // Only sent while silent; obeyed in any case, because a cut is better than the wrong music.
      if music.isSounding { return takeBack(status, isUrgent: false, for: .changing(command)) }
      load(id, number, rate)
    case .play: if !music.isOn { music.state = .priming }
    case .silence(let edge):
      if music.isSounding { return fadeOut(.music, status, edge: here(edge)) }
      return obeyIdle(command)
    case .pauseCue(let edge):
      if cue.isSounding { return fadeOut(.cue, status, edge: here(edge)) }
      return obeyIdle(command)
    case .route(let index, let gain): return move(to: Destination(output: index, gain: gain), status)
    case .vacate(let index): if ahead != nil && index == output { return leave(status) }
    // The volume is that of the output that the sound moves to.
    case .gain(let gain) where ahead != nil: ahead?.gain = gain
    case .gain: return takeBackAllButMargin(status, for: .changing(command))
    case .channels(let index, let matrix):
      note(matrix, of: index)
      if index == output { return takeBackAllButMargin(status, for: .changing(command)) }
    case .duck:
      if music.isOn { return takeBackAllButMargin(status, for: .changing(command)) }
      return obeyIdle(command)
    case .speak(let id, let number, let rate):
      if cue.isSounding {
        // The old cue has to fade before its frames are forgotten.
        held = command
        return fadeOut(.cue, status, edge: nil)
      }
      speak(id, number, rate)
    case .resumeCue: if !cue.isOn { resumeCue() }
    case .reopen, .release: return obeyIdle(command)
    }
    return beginPass()
  }

  /// The edge, unless it is of a plug at which nothing sounds yet.
  func here(_ edge: Instant?) -> Instant? { isLeaving ? nil : edge }

  /// The queued frames were rewound: applies the change to what is written in their place.
  mutating func change(_ result: CallResult, _ command: EngineCommand) -> Call {
    guard let taken = result.count else { return fail(after: result) }
    cursor -= taken
    switch command {
    case .load(let id, let number, let rate):
      music.state = .priming
      load(id, number, rate)
    case .gain(let gain):
      let frames = timing.volumeRamp.frames(rate: rate)
      music.gains.volume.move(to: gain, at: cursor, frames: frames)
      cue.gains.volume.move(to: gain, at: cursor, frames: frames)
    case .duck(let gain, let over):
      // Nor does a setting of 0 make it a click.
      music.gains.duck.move(to: gain, at: cursor, frames: max(over.frames(rate: rate), fadeFrames))
    case .channels(_, let matrix):
      self.matrix.move(to: matrix, at: cursor, frames: timing.volumeRamp.frames(rate: rate))
    case .play, .silence, .route, .vacate, .reopen, .release, .speak, .pauseCue, .resumeCue: break
    }
    return beginPass()
  }

  private mutating func load(_ id: UInt8, _ number: Int, _ rate: Int) {
    music.load(id, number)
    releaseStale(.music)
    guard rate != self.rate else { return }
    let state = music.state
    music.forget()
    music.state = state
    report(.stale(number: number, rate: self.rate))
  }

  private mutating func speak(_ id: UInt8, _ number: Int, _ rate: Int) {
    cue.load(id, number)
    releaseStale(.cue)
    hasCue = true
    isCueReported = false
    cue.state = .priming
    guard rate != self.rate else { return }
    hasCue = false
    cue.forget()
    report(.cueStale(number: number, rate: self.rate))
  }

  /// Only a cue that was spoken and has not ended can be resumed.
  private mutating func resumeCue() { if hasCue { cue.state = .priming } }

  mutating func setVolume(_ gain: Int32) {
    music.gains.volume = GainRamp(gain)
    cue.gains.volume = GainRamp(gain)
  }

  private mutating func note(_ matrix: StereoMatrix, of index: Int) {
    if matrices.indices.contains(index) { matrices[index] = matrix }
  }

  /// What the sides of the output play, from its first frame on (M3).
  mutating func setChannels(of index: Int?) {
    guard let index, matrices.indices.contains(index) else { return matrix = MatrixRamp(.stereo) }
    matrix = MatrixRamp(matrices[index])
  }

  /// Moves the duck to its target at once: while no music sounds, nobody hears the step.
  mutating func settleDuck() { music.gains.duck.settle() }

  private mutating func reportSilenced() { report(.playback(.silenced(stream: music.stream, position))) }

  /// Called when the last frame of the voice's fade, or of its stream, was heard.
  mutating func finish(_ name: MixVoice.Name) {
    if let fade = self[name].fade {
      self[name].place = fade.resume
      let isOver = !fade.goesOn && !self[name].awaitsSilence
      self[name].state = isOver ? .silent : .priming
      guard isOver else { return }
      switch name {
      case .cue: report(.cuePaused(id: cue.stream))
      case .music:
        settleDuck()
        reportSilenced()
      }
      return
    }
    if self[name].isSounding { self[name].place = self[name].boundaries.end ?? self[name].place }
    self[name].silence()
    switch name {
    case .cue:
      hasCue = false
      report(.playback(.cueEnded(id: cue.stream)))
    case .music:
      settleDuck()
      report(.playback(.ended(stream: music.stream)))
    }
  }
}
