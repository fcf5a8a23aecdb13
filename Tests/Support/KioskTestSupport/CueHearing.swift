import AudioSession

@testable import AudioEngine

/// The recorded sound of a bench with split channels: the music on the left, cues on the right, each frame its own
/// number.
struct CueHearing {
  /// By clock frame, from power on.
  private(set) var music: [Int]
  private(set) var cue: [Int]

  init(_ tap: FrameRecorder, until end: Int) {
    music = [Int](repeating: 0, count: end)
    cue = [Int](repeating: 0, count: end)
    for frame in tap.frames where frame.at < end {
      music[frame.at] = Int(frame.left)
      cue[frame.at] = Int(frame.right)
    }
  }

  /// The music's gain at a clock frame, if it began with its first frame at 0 and never stopped.
  func gain(at time: Int) -> Double { Double(music[time]) / Double(time % 30_000 + 1) }

  /// The ranges of clock frames at which the channel sounds.
  static func runs(_ channel: [Int]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for (time, sample) in channel.enumerated() {
      if sample == 0, let first = start {
        runs.append(first..<time)
        start = nil
      } else if sample != 0 && start == nil {
        start = time
      }
    }
    if let start { runs.append(start..<channel.count) }
    return runs
  }
}

extension EngineBench {
  func cueHearing(_ port: Port = .headphones) -> CueHearing {
    CueHearing(taps[port] ?? FrameRecorder(), until: clock.now.frame(rate: Self.rate))
  }

  /// Clock frame of the report that the cue began.
  var cueStart: Int? {
    reports.lazy.compactMap { report in
      guard case .playback(.cueStarted(_, let at)) = report else { return nil }
      return at.frame(rate: Self.rate)
    }.first
  }
}
