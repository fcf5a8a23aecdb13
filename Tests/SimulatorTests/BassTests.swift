import AudioSession
import Board
import Glibc
import Jukebox
import Testing

@testable import KioskTestSupport
@testable import Simulator

/// The hardest case of P12: the slower a wave, the more a fade of it stands out. Full-scale tones, 30 Hz on the left and
/// 40 Hz on the right, are cut at many phases.
@Suite struct BassTests {
  private static let hertz = (left: 30.0, right: 40.0)

  private final class Tones: TrackOpener {
    func open(path: String, rate: Int) throws(TrackError) -> any TrackSource { Source() }

    /// A track of a minute, silent at both ends.
    private final class Source: TrackSource {
      private var position = 0

      var info: TrackInfo {
        TrackInfo(title: "bass", rate: ScenarioSetup.rate, channels: 2, frames: 60 * ScenarioSetup.rate)
      }

      func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
        let count = min(frames, 60 * ScenarioSetup.rate - position)
        for frame in 0..<count {
          let turn = 2 * .pi * Double((position + frame) % ScenarioSetup.rate) / Double(ScenarioSetup.rate)
          samples[2 * frame] = Int16((32_767 * sin(turn * hertz.left)).rounded())
          samples[2 * frame + 1] = Int16((32_767 * sin(turn * hertz.right)).rounded())
        }
        position += count
        return count
      }

      func seek(to frame: Int) throws(TrackError) { position = frame }

      func close() {}
    }
  }

  /// The largest step of a tone, and of a fade of 4 ms at full scale; they are a quarter of a wave apart.
  private func bound(_ hertz: Double) -> Int {
    let own = 32_767 * 2 * sin(.pi * hertz / Double(ScenarioSetup.rate))
    let fade = 32_767 / Double(Duration.milliseconds(4).frames(rate: ScenarioSetup.rate))
    return Int((own * own + fade * fade).squareRoot()) + 3
  }

  private func largestStep(_ samples: [Int16]?) -> Int {
    guard let samples else { return 0 }
    return zip(samples, samples.dropFirst()).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  static let acts = [
    ("console pause", "console play"), ("console stop", "console play"), ("press next", "press previous"),
    ("seek 20.0021s", "seek -5s"),
    ("route speaker", "route auto"), ("unplug headphones", "plug headphones"), ("line PAGE 1", "line PAGE 0"),
  ]

  @Test("P12: full-scale bass steps no further at any cut than its own step and the fade's together", arguments: acts)
  func cuts(act: String, undo: String) throws {
    var story = "at 0s plug headphones\nat 1s press play\n"
    var now = 1_500
    // The cuts are at every eighth of both waves.
    for cut in 0..<16 {
      story += "at \(now)ms \(act)\n"
      now += 397 + 4 * cut
      story += "at \(now)ms \(undo)\n"
      now += 401 + 3 * cut
    }
    let board = ScenarioSetup.board()
    let scenario = try ScenarioParser.parse(story + "at \(now)ms end", file: "bass.scenario", board: board)
    let library = ["a", "b"].map { Track(path: $0, name: $0) }
    let played = try ScenarioSetup.perform(
      scenario, board: board, settings: ScenarioSetup().settings, library: library, opener: Tones())
    #expect(played.outcome.failures == [])
    for port in [Port.headphones, .speaker] {
      let (left, right) = (largestStep(played.left[port]), largestStep(played.right[port]))
      #expect(left <= bound(Self.hertz.left) && right <= bound(Self.hertz.right))
      // Some of the cuts come close to the limit, so it is no looser than necessary.
      if port == .headphones { #expect(left > bound(Self.hertz.left) * 95 / 100) }
    }
  }
}
