import AudioSession
import Board
import RealtimeAudio

/// From the wish to sound to the first frame: waits for the decoder, fills the device, starts it.
extension AudioEngine {
  /// When a device that takes nothing is tried again, and how often.
  private static let retryTime = Duration.milliseconds(10)
  private static let mostRetries = 100

  /// The device does not run.
  func serveIdle(at now: Instant) -> Step {
    if releaseIfDue() { return .again }
    if let command = nextCommand() {
      obeyIdle(command)
      return .again
    }
    guard music.isPriming || clip.isPriming else { return .wait(.signal) }
    if isReleased {
      isReleased = false
      if outputs.indices.contains(output) { open() }
      return .again
    }
    guard let pcm else {
      if clip.isPriming { failClip(wasLost: outputs.indices.contains(output)) }
      return .wait(.signal)
    }
    var isReady = false
    for voice in voices where voice.isPriming {
      switch look(at: voice, pcm, at: now) {
      case .waits: break
      case .over: return .again
      case .primed: isReady = true
      }
    }
    if isReady { return start(pcm, at: now) }
    var due: Instant?
    for voice in voices where voice.isPriming {
      if let startBy = voice.startBy { due = min(due ?? startBy, startBy) }
    }
    return .wait(due.map { .until($0) } ?? .signal)
  }

  private enum Readiness {
    case waits
    case primed
    /// Nothing was left to sound.
    case over
  }

  private func look(at voice: Voice, _ pcm: any PCM, at now: Instant) -> Readiness {
    voice.feed.askForFrames()
    voice.takeMarkers()
    guard !voice.isAwaitingStream else { return .waits }
    if let end = voice.marks.end, voice.place >= end {
      if voice === music { tellTracks(upTo: voice.place, at: now) }
      finish(voice)
      return .over
    }
    return voice.isPrimed(for: pcm.format.bufferFrames, at: now) ? .primed : .waits
  }

  /// Puts a voice that is ready on the timeline of the running device, before what is queued; whether there was one.
  func join(_ pcm: any PCM, _ status: PCMStatus, at now: Instant) -> Bool {
    guard pendingRoute == nil else { return false }
    for voice in voices where voice.isPriming {
      switch look(at: voice, pcm, at: now) {
      case .waits: continue
      case .over: return true
      case .primed: break
      }
      _ = takeBack(pcm, status, but: pcm.margin)
      begin(voice)
      if voice === music {
        tellStart(at: status.at + .covering(frames: max(0, music.passage.start - reached(status)), rate: rate))
      }
      return true
    }
    return false
  }

  /// A clip comes in when the music has made way for it.
  private func begin(_ voice: Voice) {
    var time = cursor
    if voice === clip, music.isOn { time = max(time, music.gains.duck.steady(), music.fade?.last ?? time) }
    voice.begin(at: time, fadeFrames: fadeFrames)
  }

  private func tellStart(at instant: Instant) {
    guard let position = music.marks.position(at: music.passage.origin) else { return }
    report(
      .started(
        stream: music.stream, track: position.track, frame: boardFrame(position.frame), at: instant.nanoseconds))
  }

  private func start(_ pcm: any PCM, at now: Instant) -> Step {
    for voice in voices where voice.isPriming && !voice.isAwaitingStream {
      if voice.isPrimed(for: pcm.format.bufferFrames, at: now) { begin(voice) }
    }
    run.begin(at: cursor, now)
    do throws(PCMError) {
      try fill(pcm.format.bufferFrames, pcm)
      if cursor == run.start { return .wait(.until(try retry(pcm, at: now))) }
      try pcm.start()
      refusals = 0
      let status = try pcm.status()
      run.isUnpaced = status.state == .running && status.queued <= 0 && cursor - run.start > fadeFrames
      if music.isSounding {
        tellStart(at: status.at + .covering(frames: max(0, run.start - reached(status)), rate: rate))
      }
    } catch {
      fail(error, at: now)
    }
    return .again
  }

  /// The device took nothing: makes it ready if it was not, and answers when to try again.
  private func retry(_ pcm: any PCM, at now: Instant) throws(PCMError) -> Instant {
    stand(at: run.start)
    refusals += 1
    switch try pcm.status().state {
    case .prepared: break
    case .running: try pcm.drop()
    case .underrun, .suspended: try pcm.recover()
    case .disconnected: throw gone
    }
    if refusals > Self.mostRetries {
      lose(PCMError(operation: .write, device: deviceName, code: 110, message: "takes no frames"))
    }
    return now + Self.retryTime
  }
}
