import AudioSession
import Board

/// What is told of what is heard, and when to look again.
extension AudioEngine {
  /// Tells of every track, and of a clip, whose first frame is heard.
  func tellBoundaries(_ status: PCMStatus) {
    let reached = reached(status)
    if music.isSounding, reached >= music.passage.start {
      tellTracks(upTo: music.passage.index(at: reached), at: status.at)
    }
    if clip.isSounding, !isClipTold, reached >= clip.passage.start {
      isClipTold = true
      let at = Instant.of(frame: status.at.frame(rate: rate) - (reached - clip.passage.start), rate: rate)
      report(.clipStarted(clip: clip.stream, at: at.nanoseconds))
    }
  }

  /// Tells of every track whose first frame is before the ring's frame `heard`, which is heard at `now`, or is it.
  func tellTracks(upTo heard: Int, at now: Instant) {
    while let mark = music.marks.next, !mark.isEnd, mark.index <= heard {
      music.marks.report()
      let at = Instant.of(frame: now.frame(rate: rate) - (heard - mark.index), rate: rate)
      report(
        .began(stream: music.stream, track: mark.track, frame: boardFrame(mark.frame), at: at.nanoseconds))
    }
    music.marks.prune()
  }

  // MARK: - Waiting

  /// The device has room, the next track begins, or the last frame is heard: whatever comes first.
  func nextWait(_ pcm: any PCM, _ status: PCMStatus, isFull: Bool, at now: Instant) -> Wait {
    let size = pcm.format.bufferFrames
    if isFull { run.learn(queued: status.queued, bufferFrames: size) }
    let due = nextMoment(status, at: now)
    if cursor >= stop { return .until(due) }
    let stock = status.queued - run.latency
    // With half of the buffer free, the descriptors would wake us at once and for ever; neither the ring nor the
    // device had room for more just now. A decoder that has something again says so itself.
    let isDue = stock <= size / 2
    if pcm.pollDescriptors.isEmpty || isDue {
      let frames = isDue ? stock / 2 : stock - size / 2
      return .until(min(due, moment(after: max(shortestWait, frames), status)))
    }
    // The descriptors say when; the clock only guards against a device that never does.
    return .device(min(due, moment(after: max(shortestWait, size), status)))
  }

  /// When something is due that no device tells of.
  private func nextMoment(_ status: PCMStatus, at now: Instant) -> Instant {
    var due = Instant(nanoseconds: .max)
    for voice in voices {
      if let startBy = voice.startBy, voice.isPriming { due = min(due, startBy) }
      if let fade = voice.fade {
        due = min(due, self.due(fade, status, at: now))
      } else if voice.isSounding, let frames = nextBoundary(of: voice, after: reached(status)) {
        due = min(due, moment(after: max(shortestWait, frames), status))
      }
    }
    return due
  }

  private func due(_ fade: Voice.Fade, _ status: PCMStatus, at now: Instant) -> Instant {
    // The device has not taken all of it.
    if cursor < fade.last { return moment(after: shortestWait, status) }
    let left = fade.last - reached(status)
    if now < fade.end { return max(fade.end, moment(after: left, status)) }
    return moment(after: max(left, shortestWait), status)
  }

  /// Frames from the timeline's index `reached` on to the next that is told of, as far as it is known.
  private func nextBoundary(of voice: Voice, after reached: Int) -> Int? {
    var frames = Int.max
    if voice === music, let next = voice.marks.next {
      frames = voice.passage.time(of: next.index) - reached
    } else if voice === clip, !isClipTold {
      frames = voice.passage.start - reached
    }
    if voice.stop <= cursor { frames = min(frames, voice.stop - reached) }
    return frames == .max ? nil : frames
  }
}
