import AudioSession
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Devices that cannot be rewound.
@Suite struct ShallowQueueTests {
  typealias Quirks = HardDevice.Quirks
  private static let limit = Duration.milliseconds(30)

  @Test("P14: at most 30 ms are queued, at less than 40 wake-ups a second", arguments: [0, 500])
  func depth(latency: Int) throws {
    let bench = EngineBench(Quirks(takesBack: false, latency: latency))
    bench.play(then: .seconds(1))
    let before = bench.services
    for _ in 0..<400 {
      bench.pass(.milliseconds(10))
      let queued = try #require(bench.device).status().queued - latency
      #expect((1...Self.limit.frames(rate: EngineBench.rate)).contains(queued))
    }
    #expect(bench.services - before < 160)
    #expect(bench.reportNames == ["started 0", "began 0"])
  }

  @Test(
    "P15: a position in steps makes no short queue run dry, nor deeper, nor wakes more often", arguments: [110, 220],
    [0, 441])
  func steps(step: Int, latency: Int) throws {
    let bench = EngineBench(Quirks(takesBack: false, latency: latency, positionStep: step))
    bench.play(then: .seconds(2))
    let before = bench.services
    for _ in 0..<400 {
      bench.pass(.milliseconds(10))
      let queued = try #require(bench.device).status().queued - latency
      #expect(queued <= Self.limit.frames(rate: EngineBench.rate) + step)
    }
    #expect(bench.services - before < 165)
    #expect(bench.reportNames == ["started 0", "began 0"])
  }

  @Test("P15: music is held at the frame that is heard, wherever within a step of the position", arguments: 0..<12)
  func heldWithinStep(phase: Int) throws {
    let bench = EngineBench(Quirks(takesBack: false, positionStep: 441))
    bench.play(then: .milliseconds(1_500 + phase))
    let heard = try #require(bench.taps[.headphones]).frames.count
    bench.silence(edge: bench.clock.now, then: .milliseconds(100))
    let frame = try #require(bench.silenced.first).frame
    // Never behind the listener, who would miss what is between.
    #expect((-2...176).contains(heard - frame), "held at \(frame), heard \(heard)")
  }

  @Test("P14: a new volume is heard within 30 ms and its ramp")
  func volume() throws {
    let bench = EngineBench(Quirks(takesBack: false))
    bench.play(then: .milliseconds(330))
    bench.send(.gain(1 << 14), then: Self.limit + Timing().volumeRamp)
    #expect(try #require(bench.taps[.headphones]?.frames.last).right == 15_000)
  }

  @Test(
    "P14: a cue and the music that are silenced together fade together, each within 30 ms and a fade",
    arguments: 0..<28)
  func bothFade(phase: Int) throws {
    let bench = EngineBench(Quirks(takesBack: false), cues: [200_000])
    bench.play(then: .milliseconds(500))
    bench.speak(1, cue: 0, then: .milliseconds(510 + phase))
    let before = try #require(bench.taps[.headphones]).frames.count
    bench.pauseCue()
    bench.silence(then: .milliseconds(200))
    let heard = try #require(bench.taps[.headphones]).frames.dropFirst(before).prefix { $0.left != 0 || $0.right != 0 }
    #expect(heard.count <= (Self.limit + Timing().fade).frames(rate: EngineBench.rate))
  }

  @Test(
    "P12, P14: a fade is heard to its end, whatever the card held when it began and keeps behind its buffer",
    arguments: 0..<28, [(0, 441), (300, 206), (300, 441), (1_686, 441)])
  func wholeFade(phase: Int, card: (latency: Int, step: Int)) throws {
    let bench = EngineBench(Quirks(takesBack: false, latency: card.latency, positionStep: card.step))
    bench.play(then: .milliseconds(510 + phase))
    bench.silence(then: .milliseconds(300))
    let last = try #require(bench.taps[.headphones]?.frames.last { $0.left != 0 || $0.right != 0 }).right
    #expect(last < 30_000 / 100, "it ends at \(last)")
  }

  @Test("P14: at each underrun half more is left in the card, until it runs dry no more")
  func underruns() {
    let bench = EngineBench(Quirks(takesBack: false, fetchesAhead: 300))
    bench.play(then: .seconds(2))
    let learned = bench.reportNames.count { $0.hasPrefix("underrun") }
    #expect((2...4).contains(learned))
    #expect(bench.reportNames.count { $0.hasPrefix("queue") } == learned)
    bench.pass(.seconds(3))
    #expect(bench.reportNames.count { $0.hasPrefix("underrun") } == learned)
  }

  @Test("P14: what a card needs all the time is kept for longer each time that it ran dry without it")
  func constantNeed() {
    let bench = EngineBench(Quirks(takesBack: false, fetchesAhead: 300))
    bench.play(then: .seconds(2))
    let learned = bench.reportNames.count { $0.hasPrefix("underrun") }
    bench.pass(.seconds(1_000))
    let later = bench.reportNames.count { $0.hasPrefix("underrun") } - learned
    #expect((1...4).contains(later))
  }

  @Test("P14: after 20 seconds in which nothing was late less is left in the card again, a tenth at a time")
  func shrinks() throws {
    let bench = EngineBench(Quirks(takesBack: false))
    bench.play(then: .seconds(2))
    bench.device?.stop(as: .underrun)
    bench.pass(.seconds(1))
    let grown = Duration.microseconds(3_750)
    #expect(bench.engine.machine.margins[0].length == grown)
    bench.pass(.milliseconds(18_900))
    #expect(bench.engine.machine.margins[0].length == grown)
    bench.pass(.seconds(1))
    #expect(bench.engine.machine.margins[0].length == grown * 9 / 10)
    bench.pass(.seconds(200))
    #expect(bench.engine.machine.margins[0].length == Timing().leastMargin)
    #expect(bench.reportNames.count { $0 == "underrun" } == 1)
  }

  @Test("P14: a system that slept was not late: no more is queued")
  func sleep() {
    let bench = EngineBench(Quirks(takesBack: false))
    bench.play(then: .milliseconds(510))
    bench.device?.stop(as: .suspended)
    bench.sleep(through: .seconds(3))
    bench.pass(.milliseconds(500))
    #expect(!bench.reportNames.contains { $0.hasPrefix("queue") })
  }

  @Test("P14: an unplug stops the device at once, and the music is held at the frame heard at the edge")
  func unplug() throws {
    let bench = EngineBench(Quirks(takesBack: false), hasThreads: true)
    bench.play(then: .milliseconds(1))
    bench.headphones.work()
    bench.pass(.milliseconds(500))
    let heard = try #require(bench.taps[.headphones]).frames.count
    bench.silence(edge: bench.clock.now - .milliseconds(4), then: .milliseconds(100))
    #expect(try #require(bench.taps[.headphones]).frames.count == heard)
    let frame = try #require(bench.silenced.first).frame
    #expect(abs(heard - frame - Duration.milliseconds(4).frames(rate: EngineBench.rate)) <= 1)
    // The device's thread makes it ready again.
    bench.send(.play, then: .milliseconds(100))
    #expect(try #require(bench.taps[.headphones]).frames.count == heard)
    bench.headphones.work()
    bench.pass(.milliseconds(100))
    #expect(try #require(bench.taps[.headphones]).frames.count > heard)
  }

  @Test(
    "R3, P14: an unplug stops the device also while a fade runs that another change began", arguments: [false, true],
    [(false, 0), (true, 1_323)])
  func unplugDuringFade(isPause: Bool, card: (takesBack: Bool, latency: Int)) throws {
    let bench = EngineBench(Quirks(takesBack: card.takesBack, latency: card.latency))
    bench.play(then: .milliseconds(510))
    bench.silence()
    if !isPause {
      bench.load(0, at: 100_000)
      bench.send(.play)
    }
    bench.pass(.milliseconds(2))
    let heard = try #require(bench.taps[.headphones]).frames.count
    bench.silence(edge: bench.clock.now, then: .milliseconds(200))
    #expect(try #require(bench.taps[.headphones]).frames.count == heard)
    // What was not heard of the track that was paused is not lost.
    let frame = try #require(bench.silenced.last).frame
    #expect(isPause ? abs(frame - heard) <= 1 : frame == 100_000, "held at \(frame), heard \(heard)")
  }

  @Test("R3, P14: an unplug while one cue gives way to another holds the music at the frame heard at the edge")
  func unplugBetweenCues() throws {
    let bench = EngineBench(Quirks(takesBack: false), cues: [20_000, 20_000])
    bench.play(then: .milliseconds(510))
    bench.speak(1, cue: 0, then: .milliseconds(100))
    bench.speak(2, cue: 1, then: .milliseconds(2))
    let edge = bench.clock.now
    bench.pass(.milliseconds(1))
    let heard = try #require(bench.taps[.headphones]).frames.count
    bench.silence(edge: edge)
    bench.pauseCue(edge: edge, then: .milliseconds(200))
    #expect(try #require(bench.taps[.headphones]).frames.count == heard)
    let frame = try #require(bench.silenced.last).frame
    #expect(abs(heard - frame - Duration.milliseconds(1).frames(rate: EngineBench.rate)) <= 2)
    #expect(bench.silenced.count == 1)
  }

  @Test(
    "R3, P14: an unplug stops a cue at once, also where little is left of the fade of the music that Play waits for",
    arguments: 0..<34)
  func unplugBehindFade(delay: Int) throws {
    let bench = EngineBench(Quirks(takesBack: false), cues: [200_000])
    bench.play(then: .milliseconds(510))
    bench.speak(1, cue: 0, then: .milliseconds(500))
    bench.silence(then: .milliseconds(delay))
    bench.send(.play)
    bench.silence()
    let heard = try #require(bench.taps[.headphones]).frames.count
    bench.pauseCue(edge: bench.clock.now, then: .milliseconds(200))
    // Where less than 3 ms is left, it fades.
    let most = heard + Timing().silenceAtEdge.frames(rate: EngineBench.rate)
    #expect((heard...most).contains(try #require(bench.taps[.headphones]).frames.count))
  }

  @Test("P10, P14: the next track that is heard before a pause comes through is reported before the pause")
  func nextTrackBeforePause() throws {
    let bench = EngineBench(Quirks(takesBack: false), tracks: [22_050, 600 * EngineBench.rate])
    bench.queue = [1]
    bench.play(then: .milliseconds(496))
    bench.silence(then: .milliseconds(200))
    let silence = try #require(bench.reportNames.firstIndex { $0.hasPrefix("silenced") })
    #expect(bench.reportNames.prefix(silence) == ["started 0", "began 0", "began 1"])
    #expect(bench.silenced.last?.track == 1)
  }

  @Test("P14: what shows at the first try only that it takes nothing back is not asked again")
  func refusal() {
    let bench = EngineBench(Quirks(refuses: true))
    bench.play(then: .seconds(1))
    for step in 1...50 {
      bench.send(.gain(Int32(1 << 14 + step)), then: .milliseconds(30))
    }
    bench.silence(then: .milliseconds(100))
    #expect(bench.reportNames.filter { $0 == "underrun" }.count == 1)
    #expect(!bench.reportNames.contains { $0.hasPrefix("queue") })
    #expect(bench.reportNames.last == "silenced")
  }

  @Test(
    "P14: after a wake-up that is late more is queued, which is reported once, up to the buffer", arguments: [0, 882])
  func late(latency: Int) throws {
    let bench = EngineBench(Quirks(takesBack: false, latency: latency))
    bench.play(then: .seconds(1))
    bench.sleep(through: .milliseconds(40))
    bench.pass(.seconds(1))
    #expect(bench.reportNames.filter { $0.hasPrefix("queue") }.count == 1)
    #expect(bench.reportNames.filter { $0 == "underrun" }.count == 1)
    bench.sleep(through: .milliseconds(30))
    bench.pass(.seconds(1))
    #expect(bench.reportNames.filter { $0 == "underrun" }.count == 1)
    for _ in 0..<20 {
      bench.sleep(through: .milliseconds(900))
      bench.pass(.seconds(1))
    }
    let most = Duration.milliseconds(200).frames(rate: EngineBench.rate) + latency
    #expect(try #require(bench.device).status().queued <= most)
    #expect(bench.reportNames.filter { $0.hasPrefix("queue") }.count < 8)
  }

  @Test("P14: a decoder that is late makes nothing deeper")
  func lateDecoder() {
    let bench = EngineBench(Quirks(takesBack: false))
    bench.play(then: .seconds(1))
    bench.decoderDelay = .seconds(4)
    bench.pass(.seconds(10))
    #expect(bench.reportNames.contains("underrun"))
    #expect(!bench.reportNames.contains { $0.hasPrefix("queue") })
  }
}
