import AudioSession
import Board
import RealtimeAudio

/// The way to silence.
extension OutputMachine {
  /// Takes back what was not heard, writes a fade of the voice over it and remembers where to go on: at the frame heard
  /// at `edge`, without one where the fade begins. Without a voice, all of them fade and go on behind the fade.
  mutating func fadeOut(_ voice: MixVoice.Name?, _ status: PCMStatus, edge: Instant?) -> Call {
    let fading = Fading(voice: voice, status: status, heard: heard(status), isDated: edge != nil)
    for name in Self.both where self[name].isSounding && fading.takes(name) {
      let resume = place(of: name, fading, at: edge)
      self[name].state = .fading(
        MixVoice.Fade(end: status.at, last: cursor, resume: resume, goesOn: voice == nil))
    }
    return takeBack(status, for: .fading(fading))
  }

  /// The ring's frame to go on from that was heard at the edge, or is heard now.
  private func place(of name: MixVoice.Name, _ fading: Fading, at edge: Instant?) -> Int {
    let passage = self[name].passage
    let boundaries = self[name].boundaries
    let heardNow = passage.index(at: fading.heard)
    // Not into a track that was told to be over, nor before the sound began, nor to what the ring has forgotten.
    let earliest = max(boundaries.floor, passage.origin, heardNow - keptFrames)
    let offset = edge.map { $0.frame(rate: rate) - fading.status.at.frame(rate: rate) } ?? 0
    return max(earliest, min(heardNow + offset, passage.index(at: cursor), boundaries.end ?? .max))
  }

  mutating func takenBack(_ answer: Answer, _ fading: Fading) -> Call {
    guard let taken = answer.count else { return unread(answer) }
    cursor -= taken
    let kept = max(0, fading.status.queued - taken)
    let limit = fading.isDated ? timing.keptAtEdge : timing.keptAtMost
    // A voice that stays is not to be cut for one that may as well leave a little later.
    let mayCut = fading.isDated || !isSounding
    if mayCut && kept > limit.frames(rate: rate) { return call(.drop, .cutting(fading)) }
    return fade(fading, behind: kept)
  }

  mutating func cut(_ answer: Answer, _ fading: Fading) -> Call {
    guard answer == .done else { return unread(answer) }
    cursor = fading.heard
    progress.begin(at: cursor, isUnpaced: progress.isUnpaced, fading.status.at)
    // What is written now is heard behind the device's latency: after a plug was pulled, better nothing at all.

    let isTooLate = fading.isDated && progress.latency > timing.keptAtEdge.frames(rate: rate)
    return isTooLate ? silence(fading) : fade(fading, behind: 0)
  }

  /// All is silent already, and is told so at the next look.
  private mutating func silence(_ fading: Fading) -> Call {
    for name in Self.both where fading.takes(name) {
      guard var fade = self[name].fade else { continue }
      fade.last = cursor
      fade.end = now
      self[name].state = .fading(fade)
    }
    return again()
  }

  /// - Parameter kept: frames that the device plays before the fade.
  private mutating func fade(_ fading: Fading, behind kept: Int) -> Call {
    for name in Self.both where fading.takes(name) {
      if let fade = self[name].fade { beginFade(fade, of: name, kept, fading) }
    }
    return fill(Filling(purpose: .fade, room: fadeFrames, free: fadeFrames))
  }

  private mutating func beginFade(_ begun: MixVoice.Fade, of name: MixVoice.Name, _ kept: Int, _ fading: Fading) {
    var fade = begun
    let passage = self[name].passage
    let end = self[name].boundaries.end
    let index = passage.index(at: cursor)
    // Before its first frame there is nothing to fade.
    let length = cursor <= passage.start ? 0 : min(fadeFrames, self[name].end - index)
    // The stream's own end may come first and is no click; the end of what is decoded would be one.
    self[name].gains.fade.move(to: 0, at: cursor, frames: end == nil ? length : fadeFrames)
    fade.last = cursor + max(0, length)
    fade.end = moment(after: kept + max(0, length), fading.status)
    // What the device kept is still heard in full, and may be the silence behind the stream.
    if fade.goesOn {
      fade.resume = max(passage.origin, min(passage.index(at: fade.last), end ?? .max))
    } else if !fading.isDated {
      fade.resume = max(passage.origin, min(index, end ?? .max))
    }
    self[name].state = .fading(fade)
  }

  mutating func goOnFading(_ answer: Answer) -> Call {
    guard let status = answer.status else { return unread(answer) }
    // It was cut short, or had run dry.
    return status.state == .prepared ? call(.start, .restarting) : again()
  }
}
