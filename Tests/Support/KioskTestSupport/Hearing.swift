import AudioSession
import Jukebox

@testable import AudioEngine

/// Checks what a bench's taps recorded: in loud tracks the right channel identifies the track where the gain is 1, the
/// left one the frame.
struct Hearing {
  /// Two frames at full gain that follow each other in the tap.
  struct Joint: Hashable {
    /// Frames of the music between them; negative when some were heard twice.
    var missing: Int
    /// Frames of time between them.
    var pause: Int
  }

  private(set) var joints: [Joint] = []
  /// The first and the last frame of music heard in full, counted through all tracks.
  private(set) var first: Int?
  private(set) var last: Int
  /// Clock frames at which the sound stepped further than a fade does, where no track begins or ends.
  private(set) var clicks: [Int] = []

  /// Clock frames at which sound broke off, before `now` and not with a track's last frame.
  private(set) var cuts: [Int] = []
  private let now: Int

  /// - Parameters:
  ///   - lengths: of the tracks in the order they are heard.
  ///   - from: about where in them the sound begins; frames have the same name again after 30,000.
  init(_ taps: [FrameRecorder], lengths: [Int], from: Int, now: Int) {
    self.now = now
    last = from - 1
    var starts = [0]
    for length in lengths { starts.append((starts.last ?? 0) + length) }
    for tap in taps {
      hear(tap.frames, starts)
      listen(tap.frames, starts)
    }
  }

  private mutating func hear(_ frames: [FrameRecorder.Frame], _ starts: [Int]) {
    var at = 0
    for frame in frames {
      let track = 30_000 - Int(frame.right)
      guard track >= 0, track < starts.count - 1 else { continue }
      let length = starts[track + 1] - starts[track]
      let expected = max(0, min(length - 1, last + 1 - starts[track]))
      // The name of a frame repeats after 30,000.
      var found = Int(frame.left) - 1
      found += (expected - found + 15_000) / 30_000 * 30_000
      let position = starts[track] + found
      if first == nil {
        first = position
      } else if position != last + 1 || abs(frame.at - at - 1) > 1 {
        joints.append(Joint(missing: position - last - 1, pause: frame.at - at - 1))
      }
      last = position
      at = frame.at
    }
  }

  /// A fade's step is 1/176 of full scale; a volume ramp's is smaller.
  private mutating func listen(_ frames: [FrameRecorder.Frame], _ starts: [Int]) {
    let most = 30_000 / 170
    func isLast(_ frame: FrameRecorder.Frame) -> Bool {
      let track = 30_000 - Int(frame.right)
      guard track >= 0, track < starts.count - 1 else { return false }
      return (starts[track + 1] - starts[track] - 1) % 30_000 + 1 == Int(frame.left)
    }
    func isFirst(_ frame: FrameRecorder.Frame) -> Bool { frame.left == 1 && 30_000 - Int(frame.right) < starts.count }
    var before: FrameRecorder.Frame?
    for frame in frames {
      let isNext = before.map { abs(frame.at - $0.at - 1) <= 1 } ?? false
      let from = isNext ? Int(before?.right ?? 0) : 0
      if abs(Int(frame.right) - from) > most, !isFirst(frame) { clicks.append(frame.at) }
      if let before, !isNext, Int(before.right) > most, !isLast(before) { cuts.append(before.at) }
      before = frame
    }
    if let before, before.at < now - 2, Int(before.right) > most, !isLast(before) { cuts.append(before.at) }
  }
}

extension EngineBench {
  func hearing(_ lengths: [Int], from: Int = 0) -> Hearing {
    Hearing(
      [taps[.headphones], taps[.speaker]].compactMap { $0 }, lengths: lengths, from: from,
      now: clock.now.frame(rate: Self.rate))
  }

  var silenced: [(track: TrackID, frame: Int)] {
    reports.compactMap { report in
      guard case .playback(.silenced(_, let position)) = report else { return nil }
      return (position?.track ?? -1, position?.frame ?? 0)
    }
  }

  /// The reports' names in order.
  var reportNames: [String] {
    reports.map { report in
      switch report {
      case .moved: "moved"
      case .playback(.started(_, let position, _)): "started \(position.track)"
      case .playback(.silenced): "silenced"
      case .playback(.began(_, let position, _)): "began \(position.track)"
      case .playback(.ended): "ended"
      case .playback(.underrun): "underrun"
      case .playback(.queueGrown(let queued)): "queue \(queued)"
      case .outputLost: "lost"
      case .playback(.outputRestored): "restored"
      case .playback(.outputChanged(let rate, _, _)): "changed \(rate)"
      case .released: "released"
      case .stale: "stale"
      case .cueStale: "cue stale"
      case .playback(.cueStarted(let id, _)): "cue started \(id)"
      case .playback(.cueEnded(let id)): "cue ended \(id)"
      case .cueFailed(let id, _): "cue failed \(id)"
      case .cuePaused: "paused the cue"
      }
    }
  }
}
