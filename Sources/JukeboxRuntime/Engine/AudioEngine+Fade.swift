import AudioSession
import Board
import RealtimeAudio

/// The way to silence.
extension AudioEngine {
  /// A device that keeps more than this after a rewind is cut short instead: at once when someone pulls a plug, who
  /// hears no click; else only where the wait would be felt.
  private static let keptAtEdge = Duration.milliseconds(3)
  private static let keptAtMost = Duration.milliseconds(20)

  /// Takes back what was not heard, writes a fade of the voice over it and remembers where to go on: at the frame heard
  /// at `edge`, without one where the fade begins. Without a voice, all of them fade and go on behind the fade.
  func fadeOut(_ leaving: Voice?, _ pcm: any PCM, _ status: PCMStatus, edge: Instant?) throws(PCMError) {
    let heardNow = heard(status)
    for voice in voices where voice.isSounding && (leaving == nil || voice === leaving) {
      let resume = place(of: voice, heard: heardNow, status, at: edge)
      voice.state = .fading(Voice.Fade(end: status.at, last: cursor, resume: resume, goesOn: leaving == nil))
    }
    var kept = takeBack(pcm, status)
    let limit = edge == nil ? Self.keptAtMost : Self.keptAtEdge
    // A voice that stays is not to be cut for one that may as well leave a little later.
    let mayCut = edge != nil || !(music.isSounding || clip.isSounding)
    if mayCut && kept > limit.frames(rate: rate) {
      try pcm.drop()
      cursor = heardNow
      run.begin(at: cursor, isUnpaced: run.isUnpaced, status.at)
      kept = 0
    }
    for voice in voices where leaving == nil || voice === leaving {
      if let fade = voice.fade { beginFade(fade, of: voice, kept, status, isDated: edge != nil) }
    }
    try fill(fadeFrames, pcm)
    if try pcm.status().state == .prepared { try pcm.start() }
  }

  /// The ring's frame to go on from that was heard at the edge, or is heard now.
  private func place(of voice: Voice, heard: Int, _ status: PCMStatus, at edge: Instant?) -> Int {
    let heardNow = voice.passage.index(at: heard)
    // Not into a track that was told to be over, nor before the sound began, nor to what the ring has forgotten.
    let earliest = max(voice.marks.floor, voice.passage.origin, heardNow - keptFrames)
    let offset = edge.map { $0.frame(rate: rate) - status.at.frame(rate: rate) } ?? 0
    return max(earliest, min(heardNow + offset, voice.passage.index(at: cursor), voice.marks.end ?? .max))
  }

  private func beginFade(_ begun: Voice.Fade, of voice: Voice, _ kept: Int, _ status: PCMStatus, isDated: Bool) {
    var fade = begun
    let index = voice.passage.index(at: cursor)
    // Before its first frame there is nothing to fade.
    let length =
      cursor <= voice.passage.start ? 0 : min(fadeFrames, min(voice.feed.ring.written, voice.marks.end ?? .max) - index)
    // The stream's own end may come first and is no click; the end of what is decoded would be one.
    voice.gains.fade.move(to: 0, at: cursor, frames: voice.marks.end == nil ? length : fadeFrames)
    fade.last = cursor + max(0, length)
    fade.end = moment(after: kept + max(0, length), status)
    if fade.goesOn {
      fade.resume = max(voice.passage.origin, voice.passage.index(at: fade.last))
    } else if !isDated {
      // What the device kept is still heard in full.
      fade.resume = max(voice.passage.origin, index)
    }
    voice.state = .fading(fade)
  }
}
