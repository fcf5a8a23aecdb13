import AudioSession
import Board
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// A device whose radio link falls silent: it goes on running, reports that it plays, and takes nothing (B3).
@Suite struct StallTests {
  typealias Quirks = HardDevice.Quirks

  static let kinds: [(name: String, quirks: Quirks)] = [
    ("plain", Quirks()),
    ("polls", Quirks(polls: true)),
    ("headset's delay", Quirks(latency: 6_615)),
    ("takes nothing back", Quirks(takesBack: false, latency: 6_615)),
    ("large buffer", Quirks(buffer: .milliseconds(500), polls: true)),
    ("slow", Quirks(drift: -200)),
  ]

  private func bench(_ kind: Int) -> EngineBench {
    let bench = EngineBench(Self.kinds[kind].quirks, stall: .milliseconds(250))
    bench.play(then: .milliseconds(2_000))
    return bench
  }

  /// Frames that the listener has heard.
  private func heard(_ bench: EngineBench) -> Int { bench.hearing([600 * EngineBench.rate]).last + 1 }

  private func lost(_ bench: EngineBench) -> Int? {
    for case .outputLost(let position?) in bench.reports { return position.frame }
    return nil
  }

  @Test(
    "B3: a link that falls silent is lost within the limit, and nothing that was not heard is skipped",
    arguments: kinds.indices)
  func stalls(kind: Int) throws {
    for milliseconds: Int64 in [0, 13, 50, 77, 101] {
      let bench = bench(kind)
      bench.pass(.milliseconds(milliseconds))
      let silentFrom = bench.clock.now
      bench.device?.quirks.silentFrom = silentFrom
      let before = bench.services
      bench.pass(.milliseconds(kind == 4 ? 1_050 : kind == 3 ? 700 : 455))
      let held = try #require(lost(bench), "\(bench.reportNames)")
      // A device that cannot be rewound is looked at by the clock.
      #expect(bench.services - before <= (kind == 3 ? 600 : 60))
      #expect(!bench.reportNames.contains("underrun"))
      let last = heard(bench)
      // What is heard twice: what was heard since it took frames last, by a buffer at most.
      let twice = EngineBench.rate * (kind == 4 ? 500 : 200) / 1_000
      #expect((last - twice...last + 1).contains(held), "\(held) of \(last)")
    }
  }

  @Test(
    "B3: whatever limit is set, the link is lost once when it has passed, and never runs dry before",
    arguments: [250, 1_000, 1_999, 2_000, 2_001, 2_900, 3_000, 5_000, 9_999, 10_000])
  func limits(limit: Int64) throws {
    for kind in Self.kinds.indices {
      let bench = EngineBench(Self.kinds[kind].quirks, stall: .milliseconds(limit))
      bench.play(then: .milliseconds(2_000))
      bench.device?.quirks.silentFrom = bench.clock.now
      bench.pass(.milliseconds(limit / 2))
      #expect(lost(bench) == nil || limit < 1_000, "\(Self.kinds[kind].name)")
      bench.pass(.milliseconds(limit / 2 + 1_100))
      #expect(lost(bench) != nil, "\(Self.kinds[kind].name): \(bench.reportNames)")
      #expect(!bench.reportNames.contains("underrun"), "\(Self.kinds[kind].name)")
    }
  }

  @Test("B3: volumes turned while the link is silent show no sign of life", arguments: kinds.indices)
  func turned(kind: Int) throws {
    let bench = bench(kind)
    bench.device?.quirks.silentFrom = bench.clock.now
    for step in 0..<(kind == 4 ? 40 : 25) {
      bench.send(.gain(Int32(20_000 + step)), then: .milliseconds(31))
    }
    let held = try #require(lost(bench), "\(bench.reportNames)")
    #expect(held <= heard(bench))
  }

  @Test("B4: unplugged while the link is silent, nothing is skipped", arguments: kinds.indices)
  func unplugged(kind: Int) throws {
    let bench = bench(kind)
    bench.device?.quirks.silentFrom = bench.clock.now
    bench.pass(.milliseconds(150))
    let edge = bench.clock.now - .milliseconds(1)
    bench.silence(edge: edge, then: .milliseconds(50))
    bench.device?.stop(as: .disconnected)
    bench.pass(.milliseconds(500))
    let held = try #require(bench.silenced.first).frame
    #expect(held <= heard(bench))
  }

  @Test("B3: nothing stalls that plays, pauses, ends or waits for its decoder", arguments: kinds.indices)
  func goesOn(kind: Int) {
    let bench = bench(kind)
    bench.silence(then: .seconds(2))
    bench.send(.play, then: .seconds(3))
    bench.decoderDelay = .milliseconds(700)
    bench.pass(.seconds(5))
    bench.decoderDelay = .zero
    bench.pass(.seconds(2))
    bench.load(at: 599 * EngineBench.rate, then: .seconds(3))
    #expect(!bench.reportNames.contains("lost"), "\(bench.reportNames)")
    #expect(bench.reportNames.contains("ended"))
  }

  @Test("B3: an output without a radio link waits for its device as before")
  func cable() {
    let bench = EngineBench()
    bench.play(then: .seconds(1))
    bench.device?.quirks.silentFrom = bench.clock.now
    bench.pass(.milliseconds(900))
    #expect(!bench.reportNames.contains("lost"))
  }
}
