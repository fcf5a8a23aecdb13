import RealtimeAudio

/// Renders what a machine's voices sound like. Audio thread.
final class Mixer {
  /// What is mixed still fits into the cache of a small processor, next to all else.
  private static let mostFrames = 2_000

  /// Frames to be written to a device at once: they stay as they are until the next are mixed.
  typealias Mixed = (samples: UnsafePointer<Int16>, frames: Int)

  private let first: UnsafeMutablePointer<Int16>
  /// For the voice that is added.
  private let second: UnsafeMutablePointer<Int16>

  init() {
    first = .allocate(capacity: Self.mostFrames * 2)
    first.initialize(repeating: 0, count: Self.mostFrames * 2)
    second = .allocate(capacity: Self.mostFrames * 2)
    second.initialize(repeating: 0, count: Self.mostFrames * 2)
  }

  deinit {
    first.deallocate()
    second.deallocate()
  }

  /// Renders both voices from the timeline's index `time` on: up to `frames` frames, as far as the rings have them in one
  /// piece.
  func mix(_ music: borrowing MixVoice, _ clip: borrowing MixVoice, at time: Int, frames: Int, from rings: Rings)
    -> Mixed
  {
    let most = min(frames, Self.mostFrames)
    let piece = music.piece(at: time, limit: most)
    let other = clip.piece(at: time, limit: most)
    let musicRun = run(of: rings.music, piece)
    let clipRun = run(of: rings.clip, other)
    let count = min(musicRun?.count ?? piece.frames * 2, clipRun?.count ?? other.frames * 2) / 2
    if let base = musicRun?.baseAddress {
      // Most of the time: what is not changed need not be copied either.
      if clipRun == nil && music.gains.isUnity(from: time) { return (base, count) }
      music.gains.render(base, to: first, frames: count, at: time)
      guard let base = clipRun?.baseAddress else { return (UnsafePointer(first), count) }
      clip.gains.render(base, to: second, frames: count, at: time)
      mixSamples(second, into: first, count: count * 2)
    } else if let base = clipRun?.baseAddress {
      clip.gains.render(base, to: first, frames: count, at: time)
    } else {
      first.update(repeating: 0, count: count * 2)
    }
    return (UnsafePointer(first), count)
  }

  typealias Rings = (music: FrameRing, clip: FrameRing)

  private func run(of ring: FrameRing, _ piece: MixVoice.Piece) -> UnsafeBufferPointer<Int16>? {
    switch piece {
    case .silence: nil
    case .sound(let index, let frames): ring.run(from: index, limit: frames)
    }
  }
}

extension OutputMachine {
  /// What comes next on the device. A method of the machine, and mutating, though it changes nothing: whoever holds the
  /// machine in a class would copy all of it to hand it on, or to be safe from a change meanwhile.
  mutating func mix(frames: Int, from rings: Mixer.Rings, with mixer: Mixer) -> Mixer.Mixed {
    mixer.mix(music, clip, at: cursor, frames: frames, from: rings)
  }
}
