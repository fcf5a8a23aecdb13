import RealtimeAudio

/// Renders the mixed sound of a machine's voices. Audio thread.
final class Mixer {
  /// Three quarters of a buffer of 200 ms at 48 kHz, which is what a card takes at a time: one write. Each further write
  /// costs some thousand instructions.
  private static let maxFrames = 7_200

  /// Frames to write to the device, valid until the next call of `mix`.
  typealias Mixed = (samples: UnsafePointer<Int16>, frames: Int)

  private let first: UnsafeMutablePointer<Int16>
  /// Holds the second voice until it is added to the first.
  private let second: UnsafeMutablePointer<Int16>

  init() {
    first = .allocate(capacity: Self.maxFrames * 2)
    first.initialize(repeating: 0, count: Self.maxFrames * 2)
    second = .allocate(capacity: Self.maxFrames * 2)
    second.initialize(repeating: 0, count: Self.maxFrames * 2)
  }

  deinit {
    first.deallocate()
    second.deallocate()
  }

  /// Renders both voices from the timeline's index `time` on: up to `frames` frames, as far as the rings have them in
  /// one piece.
  func mix(
    _ music: borrowing MixVoice, _ cue: borrowing MixVoice, _ matrix: borrowing MatrixRamp, at time: Int, frames: Int,
    from rings: Rings
  ) -> Mixed {
    let mixed = mixVoices(music, cue, at: time, frames: frames, from: rings)
    if matrix.isStereo(from: time) { return mixed }
    let count = min(mixed.frames, Self.maxFrames)
    matrix.render(mixed.samples, to: first, frames: count, at: time)
    return (UnsafePointer(first), count)
  }

  private func mixVoices(
    _ music: borrowing MixVoice, _ cue: borrowing MixVoice, at time: Int, frames: Int, from rings: Rings
  ) -> Mixed {
    let piece = music.piece(at: time, limit: frames)
    let other = cue.piece(at: time, limit: frames)
    let musicSamples = samples(of: rings.music, piece)
    let cueSamples = samples(of: rings.cue, other)
    let ready = min(musicSamples?.count ?? piece.frames * 2, cueSamples?.count ?? other.frames * 2) / 2
    let count = min(ready, Self.maxFrames)
    if let base = musicSamples?.baseAddress {
      // The usual case: unchanged frames are not even copied.
      if cueSamples == nil && music.gains.isUnity(from: time) { return (base, ready) }
      music.gains.render(base, to: first, frames: count, at: time)
      guard let base = cueSamples?.baseAddress else { return (UnsafePointer(first), count) }
      cue.gains.render(base, to: second, frames: count, at: time)
      mixSamples(second, into: first, count: count * 2)
    } else if let base = cueSamples?.baseAddress {
      cue.gains.render(base, to: first, frames: count, at: time)
    } else {
      first.update(repeating: 0, count: count * 2)
    }
    return (UnsafePointer(first), count)
  }

  typealias Rings = (music: FrameRing, cue: FrameRing)

  private func samples(of ring: FrameRing, _ piece: MixVoice.Piece) -> UnsafeBufferPointer<Int16>? {
    switch piece {
    case .silence: nil
    case .sound(let index, let frames): ring.run(from: index, limit: frames)
    }
  }
}

extension OutputMachine {
  /// Renders what comes next on the device. A mutating method of the machine although it changes nothing: a class that
  /// holds the machine would otherwise copy all of it to pass it on.
  mutating func mix(frames: Int, from rings: Mixer.Rings, with mixer: Mixer) -> Mixer.Mixed {
    mixer.mix(music, cue, matrix, at: cursor, frames: frames, from: rings)
  }
}
