import AudioSession
import RealtimeAudio
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// What the two sides of an output play. The bench's music is the frame's number on the left and 30,000 on the right.
@Suite struct ChannelTests {
  private static let rate = EngineBench.rate

  private static func heard(_ port: Port, _ bench: EngineBench) -> [(left: Int, right: Int)] {
    bench.taps[port]?.frames.map { (Int($0.left), Int($0.right)) } ?? []
  }

  @Test(
    "M1, M2: each mode plays what it says of each channel",
    arguments: PortChannels.Mode.allCases)
  func modes(mode: PortChannels.Mode) throws {
    let (bench, plain) = (EngineBench(), EngineBench())
    bench.send(.channels(0, StereoMatrix(PortChannels(mode))))
    for bench in [bench, plain] {
      bench.play(then: .milliseconds(300))
    }
    let (heard, from) = (Self.heard(.headphones, bench), Self.heard(.headphones, plain))
    #expect(heard.count == from.count && heard.count > 10_000)
    for (heard, from) in zip(heard, from) {
      let mean = (from.left + from.right + 1) >> 1
      let expected =
        switch mode {
        case .stereo: from
        case .mono: (mean, mean)
        case .left: (from.left, from.left)
        case .right: (from.right, from.right)
        case .swap: (from.right, from.left)
        }
      try #require(heard == expected)
    }
  }

  @Test("M2.1: the balance makes one side softer by the volume's own curve, and leaves the other as it is")
  func balance() {
    for (balance, left, right) in [(100, 0, 1 << 15), (-100, 1 << 15, 0), (40, 3_277, 1 << 15), (0, 1 << 15, 1 << 15)] {
      let matrix = StereoMatrix(PortChannels(balance: balance))
      #expect(matrix.left == .init(left: Int32(left), right: 0) && matrix.right == .init(left: 0, right: Int32(right)))
    }
  }

  @Test("M3: each output has its own from its first frame, also what was set while another one sounded")
  func ofTheRoute() {
    let bench = EngineBench()
    bench.send(.channels(0, StereoMatrix(PortChannels(.right))))
    bench.play(then: .milliseconds(300))
    bench.send(.channels(1, StereoMatrix(PortChannels(balance: 100))), then: .milliseconds(300))
    bench.send(.route(1, gain: 1 << 15), then: .milliseconds(500))
    #expect(Self.heard(.headphones, bench).allSatisfy { $0.left == $0.right })
    let speaker = Self.heard(.speaker, bench)
    #expect(speaker.allSatisfy { $0.left == 0 } && speaker.contains { $0.right == 30_000 })
    bench.send(.route(0, gain: 1 << 15), then: .milliseconds(500))
    #expect(Self.heard(.headphones, bench).allSatisfy { $0.left == $0.right })
  }

  @Test("M4: a change is heard at once, not behind what is queued, and takes 20 ms; also of a cue")
  func atOnce() throws {
    let bench = EngineBench(tracks: [600 * Self.rate], cues: [20_000], isSplit: true)
    bench.play(then: .milliseconds(330))
    bench.speak(then: .milliseconds(100))
    bench.send(.channels(0, StereoMatrix(PortChannels(.swap))), then: .milliseconds(30))
    // The cue has come 130 ms far, on the right; the music, on the left, more than 400.
    let last = try #require(Self.heard(.headphones, bench).last)
    #expect((5_000..<6_000).contains(last.left) && last.right > 15_000)
  }

  @Test("M4, P12: a change moves every frame by no more than its share of 20 ms, whatever else is changed with it")
  func withoutClick() {
    for mode in PortChannels.Mode.allCases {
      let bench = EngineBench()
      bench.play(at: 30_000, then: .milliseconds(400))
      for step in 0..<20 {
        bench.send(.channels(0, StereoMatrix(step % 2 == 0 ? PortChannels(mode, balance: 60) : .stereo)))
        bench.pass(.milliseconds(step))
        if step % 5 == 4 { bench.silence() }
        if step % 5 == 4 { bench.send(.play) }
      }
      bench.pass(.milliseconds(300))
      let left = Self.heard(.headphones, bench).map(\.left)
      // The fade of 4 ms, the change, and the step from the last frame number to the first.
      let most = 30_000 / 176 + 2 * 30_000 / 882 + 2
      let clicks = zip(left.dropFirst(), left).filter { abs($0 - $1) > most && abs($0 - $1) < 29_000 }
      #expect(clicks.isEmpty, "\(mode): \(clicks.map { $0.0 - $0.1 })")
      #expect(bench.reportNames.filter { $0 == "silenced" }.count == 4)
    }
  }
}
