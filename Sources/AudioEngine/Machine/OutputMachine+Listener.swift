import AudioSession
import Board
import Jukebox

/// Which frame the listener hears, and which voices were heard to their end.
extension OutputMachine {
  /// Brings the device's status up to `now`.
  mutating func bringUpToNow(_ raw: PCMStatus) -> PCMStatus {
    progress.note(reported: cursor - raw.queued - raw.lag)
    var status = DeviceProgress.extrapolate(raw, to: now, rate: rate)
    guard progress.isOn && progress.isUnpaced && status.state == .running else { return status }
    if status.queued > 0 {
      progress.isUnpaced = false
    } else {
      status.queued = max(0, cursor - progress.estimate(at: now, rate: rate))
    }
    return status
  }

  /// The timeline's index of the frame that leaves the device; less than `progress.start` while the first one is on its
  /// way.
  func reached(_ status: PCMStatus) -> Int { cursor - status.queued }

  /// The frame that leaves the device as the device itself reports it, and no later one that the clock suggests: a card
  /// that passes its frames on in steps, stopped now, would lose those since the last step.
  func reachedForSure(_ status: PCMStatus) -> Int {
    progress.isUnpaced || status.state != .running ? reached(status) : progress.reported
  }

  /// The timeline's index of the frame that is heard, at least the one that the device started with.
  func heard(_ status: PCMStatus) -> Int { max(progress.start, min(cursor, reached(status))) }

  /// The last frame heard from a device that has stopped. Some devices no longer report what was queued then, but none
  /// can have played faster than real time.
  func heardLast(_ status: PCMStatus) -> Int {
    min(heard(status), max(progress.start, progress.estimate(at: now, rate: rate)))
  }

  /// The moment at which `frames` more frames will have been heard.
  func moment(after frames: Int, _ status: PCMStatus) -> Instant {
    Instant.of(frame: status.at.frame(rate: rate) + frames, rate: rate)
  }

  /// Takes back what the device has not played yet.
  mutating func takeBack(_ status: PCMStatus, isUrgent: Bool, for state: MachineState) -> Call {
    takeBack(status.queued, isUrgent: isUrgent, for: state)
  }

  /// Takes back what the device has not played yet, except the margin that a change without urgency leaves.
  mutating func takeBackAllButMargin(_ status: PCMStatus, for state: MachineState) -> Call {
    takeBack(status.queued - (device?.margin ?? 0), isUrgent: false, for: state)
  }

  private mutating func takeBack(_ frames: Int, isUrgent: Bool, for state: MachineState) -> Call {
    if takesBack { return call(.rewind(max(0, frames), isUrgent: isUrgent), state) }
    self.state = state
    return proceed(with: .count(0))
  }

  // MARK: - Voices that have ended

  /// Whether the last frame of the voice was heard.
  private func isOver(_ name: MixVoice.Name, _ status: PCMStatus) -> Bool {
    guard let fade = self[name].fade else { return self[name].isSounding && reachedForSure(status) >= self[name].stop }
    return (now >= fade.end && reachedForSure(status) >= fade.last) || now >= fade.end + timing.devicePatience
  }

  /// Finishes the voices whose end was heard, and stops the device with the last of them. Returns nil if all continue.
  mutating func finishVoices(_ status: PCMStatus) -> Call? {
    let isMusicOver = isOver(.music, status)
    let isCueOver = isOver(.cue, status)
    let isLast = (isMusicOver || !music.isOn) && (isCueOver || !cue.isOn)
    if isLast {
      guard isFading, lastTaken != nil, let device else { return endLast(status) }
      let size = device.format.bufferFrames
      return fill(Filling(purpose: .prove(status), room: size, free: size))
    }
    if isMusicOver { finish(.music) }
    if isCueOver { finish(.cue) }
    return isMusicOver || isCueOver ? beginPass() : nil
  }

  /// Stops the device, because nothing is left to be heard.
  mutating func endLast(_ status: PCMStatus) -> Call {
    holdAtTaken()
    return call(.stop, .ending(Ending(heard: heard(status), isMusicOver: music.isOn, isCueOver: cue.isOn)))
  }

  mutating func didEnd(_ result: CallResult, _ ending: Ending) -> Call {
    guard result == .done else { return fail(after: result) }
    cursor = ending.heard
    progress.end()
    stopPreparing()
    if ending.isMusicOver { finish(.music) }
    if ending.isCueOver { finish(.cue) }
    // Made ready now, for the next sound to begin at once.
    return call(.recover, .recovering(isUnderrun: false))
  }

  // MARK: - Reports

  /// Reports every track, and the cue, whose first frame is heard.
  mutating func reportBoundaries(_ status: PCMStatus) {
    let reached = reached(status)
    if music.isOn, music.fade?.goesOn != true, reached >= music.passage.start {
      let heard = music.passage.index(at: reached)
      // Frames that a device keeps are heard in full before a fade, and may be of the next track. Faded frames are
      // heard again.
      let behind = music.fade.map { max(0, heard + 1 - $0.resume) } ?? 0
      reportTracks(upTo: heard - behind, at: moment(after: -behind, status))
    }
    if cue.isSounding, !isCueReported, reached >= cue.passage.start {
      isCueReported = true
      let at = moment(after: cue.passage.start - reached, status)
      report(.playback(.cueStarted(id: cue.stream, at: at)))
    }
  }

  /// Reports every track that begins at or before the ring's index `heard`, whose frame is heard at `instant`.
  mutating func reportTracks(upTo heard: Int, at instant: Instant) {
    while let boundary = music.boundaries.next, let track = boundary.track, boundary.index <= heard {
      music.boundaries.report()
      // A track that the sound began with began at that moment, whenever a position that moves in steps shows it.
      let isFirst = music.isOn && boundary.index == music.passage.origin
      let behind = heard - boundary.index
      let at = isFirst ? music.startedAt : Instant.of(frame: instant.frame(rate: rate) - behind, rate: rate)
      report(.playback(.began(stream: music.stream, Position(track: track, frame: boardFrame(boundary.frame)), at: at)))
    }
    music.boundaries.prune()
  }
}
