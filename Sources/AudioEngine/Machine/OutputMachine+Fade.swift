import AudioSession
import Board
import RealtimeAudio

/// Fading out.
extension OutputMachine {
  /// Takes back what was not heard yet, fades the voice out instead and remembers where to resume: at the frame heard
  /// at `edge`, or without an edge where the fade begins. If `voice` is nil, both fade and resume after the fade.
  mutating func fadeOut(_ voice: MixVoice.Name?, _ status: PCMStatus, edge: Instant?) -> Call {
    let fading = Fading(voice: voice, status: status, heard: heard(status), isDated: edge != nil)
    for name in Self.both where self[name].isSounding && fading.takes(name) {
      let resume = place(of: name, fading, at: edge)
      self[name].state = .fading(
        MixVoice.Fade(end: status.at, last: cursor, resume: resume, goesOn: voice == nil))
    }
    return takeBack(status, isUrgent: fading.isDated, for: .fading(fading))
  }

  /// The ring's index to resume from: the frame heard at the edge, or now.
  func place(of name: MixVoice.Name, _ fading: Fading, at edge: Instant?) -> Int {
    let passage = self[name].passage
    let boundaries = self[name].boundaries
    let heardNow = passage.index(at: fading.heard)
    // Never back into a track that was reported as over, before the sound began, or to frames that the ring no longer
    // has.
    let known = passage.index(at: min(fading.heard, lastTaken ?? .max))
    let earliest = max(boundaries.floor, passage.origin, known - keptFrames)
    let offset = edge.map { $0.frame(rate: rate) - fading.status.at.frame(rate: rate) } ?? 0
    // The link of a headset that goes away is silent before anybody says so.
    let latest = edge == nil ? .max : lastTaken.map { passage.index(at: $0) } ?? .max
    // In two steps: `min` of four puts those beyond the third into an array, and this thread must not allocate.
    let furthest = min(passage.index(at: cursor), boundaries.end ?? .max)
    let heard = min(heardNow + offset, latest, furthest)
    return max(earliest, self[name].resumption(at: heard, fadeFrames: fadeFrames))
  }

  mutating func didTakeBack(_ result: CallResult, _ fading: Fading) -> Call {
    guard let taken = result.count else { return fail(after: result) }
    cursor -= taken
    let kept = max(0, fading.status.queued - taken)
    // Whoever pulled a plug hears no click, and silence is better than what the device keeps. A voice that still sounds
    // is not cut: the command to silence it, too, follows at once.
    if fading.isDated && !isSounding && kept > timing.keptAtEdge.frames(rate: rate) {
      return cut(fading, edge: nil)
    }
    return fade(fading, behind: kept)
  }

  /// - Parameter kept: frames that the device plays before the fade.
  private mutating func fade(_ fading: Fading, behind kept: Int) -> Call {
    for name in Self.both where fading.takes(name) {
      if let fade = self[name].fade { beginFade(fade, of: name, kept, fading) }
    }
    // A device that cannot be rewound gets the fade in the next pass: the other voice may be silenced at the same
    // moment, and would otherwise fade after this one.
    return takesBack ? fill(Filling(purpose: .fade, room: fadeFrames, free: fadeFrames)) : beginPass()
  }

  /// At an edge, what is left of the time in which it has to be silent.
  private func fadeLength(_ fading: Fading, behind kept: Int) -> Int {
    guard fading.isDated, kept <= timing.keptAtEdge.frames(rate: rate) else { return fadeFrames }
    return min(fadeFrames, timing.silenceAtEdge.frames(rate: rate) - kept)
  }

  private mutating func beginFade(_ begun: MixVoice.Fade, of name: MixVoice.Name, _ kept: Int, _ fading: Fading) {
    var fade = begun
    let passage = self[name].passage
    let end = self[name].boundaries.end
    let index = passage.index(at: cursor)
    let resumption = self[name].resumption(at: index, fadeFrames: fadeFrames)
    // Before its first frame there is nothing to fade.
    let whole = fadeLength(fading, behind: kept)
    let length = cursor <= passage.start ? 0 : min(whole, self[name].end - index)
    // The stream's own end may come first and is not a click; the end of what is decoded would be one.
    self[name].gains.fade.move(to: 0, at: cursor, frames: end == nil ? length : whole)
    fade.last = cursor + max(0, length)
    fade.end = moment(after: kept + max(0, length), fading.status)
    // Frames that the device kept are still heard in full, and may be the silence after the stream.
    if fade.goesOn || !fading.isDated {
      fade.resume = max(passage.origin, min(resumption, end ?? .max))
    }
    self[name].state = .fading(fade)
  }
}
