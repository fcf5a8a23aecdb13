import AudioSession
import Board
import RealtimeAudio
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// A switch of the route to a device that takes its time to be opened: the port before sounds until then.
@Suite struct OpeningAheadTests {
  private static let rate = EngineBench.rate

  @Test("B1, P2: the old port sounds until the new one is open, and then the new one goes on without a gap")
  func waits() throws {
    let bench = EngineBench.playing()
    bench.route(.speaker, then: .milliseconds(1_400))
    #expect(bench.heard(.headphones) > Self.rate * 239 / 100)
    #expect(bench.heard(.speaker) == 0)
    bench.speaker.work()
    bench.pass(.zero)
    bench.pass(.milliseconds(10))
    // The devices' threads recover and close the one that is left.
    bench.headphones.work()
    bench.pass(.seconds(1))
    let gap = try #require(bench.gap)
    #expect((1...Self.rate * 12 / 1_000).contains(gap), "\(gap)")
    #expect(bench.opened.map(\.isClosed) == [true, false])
    let hearing = bench.hearing([600 * Self.rate])
    #expect(hearing.joints.allSatisfy { (0...352).contains($0.missing) }, "\(hearing.joints)")
    #expect(bench.reportNames == ["started 0", "began 0", "started 0"])
  }

  @Test("B1, R13: the volume that is set meanwhile is that of the new port, from its first frame")
  func volume() {
    let bench = EngineBench.playing()
    bench.send(.route(1, gain: 9_000), then: .milliseconds(300))
    bench.send(.gain(4_000), then: .milliseconds(300))
    #expect(bench.engine.machine.music.gains.volume == GainRamp(1 << 15))
    bench.speaker.work()
    bench.pass(.zero)
    bench.pass(.milliseconds(10))
    bench.headphones.work()
    bench.pass(.milliseconds(1))
    #expect(bench.engine.machine.output == 1)
    #expect(bench.engine.machine.music.gains.volume == GainRamp(4_000))
  }

  @Test("B1: the old port falls silent at once when its plug is pulled, and nothing more is heard there")
  func vacated() {
    let bench = EngineBench.playing()
    bench.route(.speaker, then: .milliseconds(300))
    let before = bench.heard(.headphones)
    bench.send(.vacate(0), then: .milliseconds(100))
    #expect(bench.heard(.headphones) - before <= Self.rate * 5 / 1_000)
    bench.headphones.work()
    bench.pass(.milliseconds(100))
    bench.speaker.work()
    bench.pass(.seconds(1))
    #expect(bench.heard(.speaker) > Self.rate * 9 / 10)
    let hearing = bench.hearing([600 * Self.rate])
    #expect(hearing.joints.allSatisfy { (0...352).contains($0.missing) }, "\(hearing.joints)")
  }

  @Test(
    "B1, P12: an edge of the port that is being opened does not cut the sound of the one before, nor its fade",
    arguments: [false, true])
  func edgeElsewhere(isPaused: Bool) throws {
    let bench = EngineBench.playing(HardDevice.Quirks(takesBack: false, latency: 4_410))
    bench.route(.speaker, then: .milliseconds(300))
    if isPaused {
      bench.silence(then: .milliseconds(2))
    }
    bench.silence(edge: bench.clock.now - .milliseconds(1), then: .milliseconds(300))
    let last = try #require(bench.taps[.headphones]?.frames.last)
    #expect(abs(Int(last.left)) < 1_000, "it breaks off at \(last.left)")
    #expect(bench.reportNames.last == "silenced")
  }

  @Test("B1: a route that goes back before the new device is open leaves the old port as it is")
  func back() {
    let bench = EngineBench.playing()
    bench.route(.speaker, then: .milliseconds(300))
    bench.route(.headphones, then: .milliseconds(1))
    bench.speaker.work()
    bench.pass(.seconds(1))
    #expect(bench.hearing([600 * Self.rate]).joints.isEmpty)
    #expect(bench.opened.allSatisfy { $0.port == .headphones || $0.isClosed })
    #expect(bench.heard(.speaker) == 0)
  }

  @Test("B1, I15: a device that never answers is lost after 2 s, in which the old port sounds")
  func hangs() {
    let bench = EngineBench.playing()
    bench.route(.speaker, then: .milliseconds(1_999))
    #expect(bench.reportNames == ["started 0", "began 0"])
    bench.pass(.milliseconds(20))
    bench.headphones.work()
    bench.pass(.milliseconds(1))
    #expect(bench.reportNames.last == "lost")
    #expect(bench.engine.failure.withLock { $0?.description } == "speaker: open: device does not answer")
    #expect(bench.heard(.headphones) > Self.rate * 298 / 100)
  }

  @Test("B1: a device that cannot be opened beside the old one is tried again without it")
  func busy() {
    let bench = EngineBench.playing()
    bench.devices.failures = 1
    bench.route(.speaker, then: .milliseconds(1))
    bench.speaker.work()
    bench.pass(.milliseconds(10))
    bench.headphones.work()
    bench.pass(.milliseconds(1))
    bench.speaker.work()
    bench.pass(.seconds(1))
    #expect(bench.heard(.speaker) > Self.rate * 9 / 10)
    #expect(!bench.reportNames.contains("lost"))
  }

  @Test("B1: who pauses while the new device is opened hears nothing more, and goes on there where the music stood")
  func paused() {
    let bench = EngineBench.playing()
    bench.route(.speaker, then: .milliseconds(300))
    bench.silence(then: .milliseconds(10))
    let before = bench.heard(.headphones)
    bench.headphones.work()
    bench.pass(.seconds(1))
    bench.speaker.work()
    bench.pass(.seconds(1))
    #expect(bench.heard(.headphones) == before && bench.heard(.speaker) == 0)
    bench.send(.play, then: .seconds(1))
    let hearing = bench.hearing([600 * Self.rate])
    #expect(hearing.joints.allSatisfy { (-200...352).contains($0.missing) }, "\(hearing.joints)")
    #expect(bench.heard(.speaker) > Self.rate * 9 / 10)
  }
}

extension EngineBench {
  /// Frames that a port has played.
  fileprivate func heard(_ port: Port) -> Int { taps[port]?.frames.count ?? 0 }

  /// How long nothing was heard between the two ports.
  fileprivate var gap: Int? {
    guard let last = taps[.headphones]?.frames.last, let first = taps[.speaker]?.frames.first else { return nil }
    return first.at - last.at
  }
}
