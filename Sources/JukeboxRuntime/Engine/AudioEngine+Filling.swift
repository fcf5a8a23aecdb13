import AudioSession
import Board
import RealtimeAudio

/// From the rings to the device.
extension AudioEngine {
  /// Renders up to `room` frames into the device, and after the last of all voices some silence, so that a device that
  /// plays on past its data plays nothing old. Answers whether the device would take no more.
  @discardableResult
  func fill(_ room: Int, _ pcm: any PCM) throws(PCMError) -> Bool {
    let stop = stop
    var room = room
    var isFull = false
    while room > 0 && !isFull {
      var frames = min(room, Self.scratchFrames)
      if cursor < stop {
        for voice in voices { frames = min(frames, voice.piece(at: cursor, limit: min(frames, stop - cursor))) }
      } else {
        frames = min(frames, stop + buffer.frames(rate: rate) / 4 - cursor)
      }
      guard frames > 0 else { break }
      mix(frames)
      let taken = try pcm.write(scratch, frames: frames)
      cursor += taken
      room -= taken
      isFull = taken == 0
    }
    release()
    return isFull
  }

  /// What all voices sound like from the cursor on, into `scratch`.
  private func mix(_ frames: Int) {
    let isMusic = music.render(scratch, frames: frames, at: cursor)
    if !isMusic {
      if !clip.render(scratch, frames: frames, at: cursor) { scratch.update(repeating: 0, count: frames * 2) }
    } else if clip.render(second, frames: frames, at: cursor) {
      mixSamples(second, into: scratch, count: frames * 2)
    }
  }

  private func release() {
    let heard = run.isOn ? min(run.heard, cursor) : cursor
    for voice in voices { voice.release(heard: heard, kept: keptFrames, low: rate) }
  }

  /// Asks the decoders for more where they are waited for; whether some came meanwhile.
  var isStarved: Bool {
    guard cursor < stop else { return false }
    var hasCome = false
    for voice in voices where voice.piece(at: cursor, limit: 1) == 0 {
      voice.feed.askForFrames()
      if voice.piece(at: cursor, limit: 1) > 0 { hasCome = true }
    }
    return hasCome
  }
}
