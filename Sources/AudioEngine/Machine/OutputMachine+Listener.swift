import AudioSession
import Board
import Jukebox

/// Where the listener is, and what was heard to its end.
extension OutputMachine {
  /// What the device has said, as of now.
  mutating func current(_ raw: PCMStatus) -> PCMStatus {
    var status = DeviceProgress.carry(raw, to: now, rate: rate)
    guard progress.isOn && progress.isUnpaced && status.state == .running else { return status }
    if status.queued > 0 {
      progress.isUnpaced = false
    } else {
      status.queued = max(0, cursor - progress.estimate(at: now, rate: rate))
    }
    return status
  }

  /// The timeline's index of the frame that leaves the device; before the run's first one while that is on its way.
  func reached(_ status: PCMStatus) -> Int { cursor - status.queued }

  /// The timeline's index of the frame that is heard, or that was held when the run began.
  func heard(_ status: PCMStatus) -> Int { max(progress.start, min(cursor, reached(status))) }

  /// The frame heard last of a device that has stopped. Of what was queued, some say nothing then; they cannot have
  /// played it faster than time.
  func heardLast(_ status: PCMStatus) -> Int {
    min(heard(status), max(progress.start, progress.estimate(at: now, rate: rate)))
  }

  /// The moment at which `frames` more frames than now have been heard.
  func moment(after frames: Int, _ status: PCMStatus) -> Instant {
    Instant.of(frame: status.at.frame(rate: rate) + frames, rate: rate)
  }

  /// Takes back what the device has not played yet.
  mutating func takeBack(_ status: PCMStatus, for state: State) -> Call {
    call(.rewind(max(0, status.queued)), state)
  }

  /// The same, but for what a change that may wait a moment leaves.
  mutating func takeBackLater(_ status: PCMStatus, for state: State) -> Call {
    call(.rewind(max(0, status.queued - (device?.margin ?? 0))), state)
  }

  // MARK: - What has ended

  /// Whether the last frame of the voice was heard.
  private func isOver(_ name: MixVoice.Name, _ status: PCMStatus) -> Bool {
    guard let fade = self[name].fade else { return self[name].isSounding && reached(status) >= self[name].stop }
    return (now >= fade.end && reached(status) >= fade.last) || now >= fade.end + timing.devicePatience
  }

  /// Lets go of voices whose end was heard, and of the device with the last of them; nil if all go on.
  mutating func finishVoices(_ status: PCMStatus) -> Call? {
    let isMusicOver = isOver(.music, status)
    let isClipOver = isOver(.clip, status)
    let isLast = (isMusicOver || !music.isOn) && (isClipOver || !clip.isOn)
    if isLast {
      let ending = Ending(heard: heard(status), isMusicOver: isMusicOver, isClipOver: isClipOver)
      return call(.drop, .ending(ending))
    }
    if isMusicOver { finish(.music) }
    if isClipOver { finish(.clip) }
    return isMusicOver || isClipOver ? again() : nil
  }

  mutating func end(_ answer: Answer, _ ending: Ending) -> Call {
    guard answer == .done else { return unread(answer) }
    cursor = ending.heard
    progress.end()
    if ending.isMusicOver { finish(.music) }
    if ending.isClipOver { finish(.clip) }
    return switchIfDue()
  }

  // MARK: - What is told

  /// Tells of every track, and of a clip, whose first frame is heard.
  mutating func reportBoundaries(_ status: PCMStatus) {
    let reached = reached(status)
    if music.isSounding, reached >= music.passage.start {
      reportTracks(upTo: music.passage.index(at: reached), at: status.at)
    }
    if clip.isSounding, !isClipReported, reached >= clip.passage.start {
      isClipReported = true
      let at = moment(after: clip.passage.start - reached, status)
      report(.clipStarted(clip: clip.stream, at: at))
    }
  }

  /// Tells of every track whose first frame is before the ring's frame `heard`, which is heard at `instant`, or is it.
  mutating func reportTracks(upTo heard: Int, at instant: Instant) {
    while let mark = music.boundaries.next, let track = mark.track, mark.index <= heard {
      music.boundaries.report()
      let at = Instant.of(frame: instant.frame(rate: rate) - (heard - mark.index), rate: rate)
      report(.began(stream: music.stream, Position(track: track, frame: boardFrame(mark.frame)), at: at))
    }
    music.boundaries.prune()
  }
}
