import RealtimeAudio

/// Renders what a machine's voices sound like. Audio thread.
final class Mixer {
  private static let mostFrames = 1_024

  /// What was mixed last.
  let samples: UnsafeMutablePointer<Int16>
  /// For the voice that is added.
  private let second: UnsafeMutablePointer<Int16>

  init() {
    samples = .allocate(capacity: Self.mostFrames * 2)
    samples.initialize(repeating: 0, count: Self.mostFrames * 2)
    second = .allocate(capacity: Self.mostFrames * 2)
    second.initialize(repeating: 0, count: Self.mostFrames * 2)
  }

  deinit {
    samples.deallocate()
    second.deallocate()
  }

  /// Renders both voices from the machine's cursor on into `samples` and answers how many frames: up to `frames`, as
  /// far as the rings have them in one piece.
  func mix(_ machine: borrowing OutputMachine, frames: Int, music: FrameRing, clip: FrameRing) -> Int {
    let time = machine.cursor
    let most = min(frames, Self.mostFrames)
    let first = machine.music.piece(at: time, limit: most)
    let other = machine.clip.piece(at: time, limit: most)
    let musicRun = run(of: music, first)
    let clipRun = run(of: clip, other)
    let count = min(musicRun?.count ?? first.frames * 2, clipRun?.count ?? other.frames * 2) / 2
    if let base = musicRun?.baseAddress {
      machine.music.gains.render(base, to: samples, frames: count, at: time)
      guard let base = clipRun?.baseAddress else { return count }
      machine.clip.gains.render(base, to: second, frames: count, at: time)
      mixSamples(second, into: samples, count: count * 2)
    } else if let base = clipRun?.baseAddress {
      machine.clip.gains.render(base, to: samples, frames: count, at: time)
    } else {
      samples.update(repeating: 0, count: count * 2)
    }
    return count
  }

  private func run(of ring: FrameRing, _ piece: Voice.Piece) -> UnsafeBufferPointer<Int16>? {
    switch piece {
    case .silence: nil
    case .sound(let index, let frames): ring.run(from: index, limit: frames)
    }
  }
}
