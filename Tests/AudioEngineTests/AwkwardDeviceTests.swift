import AudioSession
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Pause, resume, volume and route on devices of every kind: what is heard joins up.
@Suite struct AwkwardDeviceTests {
  typealias Quirks = HardDevice.Quirks
  static let fade = 176
  static let long = [600 * EngineBench.rate]

  /// The kinds of devices that lose nothing by themselves.
  static let kinds: [(name: String, quirks: Quirks)] = [
    ("plain", Quirks()),
    ("polls", Quirks(polls: true)),
    ("cannot take back", Quirks(takesBack: false)),
    ("takes back the half", Quirks(rewinds: 500)),
    ("takes back nearly all", Quirks(rewinds: 995)),
    ("short writes", Quirks(maxTaken: 64)),
    ("tiny buffer", Quirks(buffer: .milliseconds(20))),
    ("tiny buffer that polls", Quirks(buffer: .milliseconds(20), polls: true)),
    ("huge buffer", Quirks(buffer: .seconds(2))),
    ("huge buffer that cannot take back", Quirks(buffer: .seconds(2), takesBack: false)),
    ("short latency", Quirks(latency: 100)),
    ("latency", Quirks(latency: 500)),
    ("latency beyond the buffer", Quirks(buffer: .milliseconds(20), latency: 1_500)),
    ("old stamps", Quirks(stampAge: .milliseconds(7))),
    ("old stamps that polls", Quirks(stampAge: .milliseconds(4), polls: true)),
    ("fast", Quirks(drift: 200)),
    ("slow", Quirks(drift: -200)),
    ("slow and old stamps", Quirks(stampAge: .milliseconds(7), drift: -200)),
  ]

  @Test("P12: paused, resumed and moved to another port, no frame is lost or heard twice", arguments: kinds.indices)
  func joins(kind: Int) {
    let quirks = Self.kinds[kind].quirks
    let bench = EngineBench(quirks)
    bench.play(then: .milliseconds(434))
    bench.silence(then: .milliseconds(300))
    bench.send(.play, then: .milliseconds(400))
    bench.route(.speaker, then: .milliseconds(500))
    bench.silence(then: .milliseconds(300))
    let hearing = bench.hearing(Self.long)
    // One frame of rounding for each, where the device's clock is not ours.
    let slack = quirks.drift == 0 && quirks.stampAge == .zero ? 0 : 3
    // Frames already past the buffer when a device had to be cut short were not heard.
    let most = 2 * Self.fade + slack
    #expect(hearing.first == 0)
    #expect(hearing.joints.allSatisfy { (-slack...most).contains($0.missing) }, "\(hearing.joints)")
    #expect(bench.reportNames.filter { $0 == "silenced" }.count == 2)
    #expect(bench.reportNames.filter { $0 == "began 0" }.count == 1)
    #expect(!bench.reportNames.contains("underrun") && !bench.reportNames.contains("lost"))
    // Frames that are not rewound are heard before a fade, too: here up to a tenth of a second, or 30 ms, twice.
    let late = quirks.takesBack ? quirks.rewinds == 500 ? 200 : 0 : 60
    #expect((1_150...1_350 + late).contains(hearing.last * 1_000 / EngineBench.rate))
    if quirks.latency <= 500 { #expect(hearing.clicks + hearing.cuts == [] || quirks.rewinds < 995) }
  }

  @Test("K5: the track that sound begins with begins at that moment, wherever the position steps", arguments: [0, 1])
  func beginning(frame: Int) throws {
    for takesBack in [true, false] {
      let bench = EngineBench(Quirks(takesBack: takesBack, latency: 308, positionStep: 441))
      bench.play(at: frame, then: .milliseconds(500))
      var starts: [Instant] = []
      for case .playback(let report) in bench.reports {
        switch report {
        case .started(_, _, let at), .began(_, _, let at): starts.append(at)
        default: break
        }
      }
      let first = try #require(bench.taps[.headphones]?.frames.first).at
      #expect(starts.count == 2 && starts.allSatisfy { abs($0.frame(rate: EngineBench.rate) - first) <= 1 })
    }
  }

  @Test(
    "R3: silence within 5 ms of an unplug, resume at the frame heard at the edge",
    arguments: kinds.indices, [0, 3, 50])
  func unplug(kind: Int, late: Int) throws {
    let quirks = Self.kinds[kind].quirks
    let bench = EngineBench(quirks)
    bench.play(then: .milliseconds(600))
    let now = bench.clock.now
    let edge = now - .milliseconds(late)
    bench.silence(edge: edge, then: .milliseconds(200))
    let tap = try #require(bench.taps[.headphones])
    let end = try #require(tap.frames.last).at + 1
    #expect(end <= (now + .milliseconds(5)).frame(rate: EngineBench.rate) + EngineBench.rate / 1_000)
    let heard = try #require(
      tap.frames.first { $0.at >= edge.frame(rate: EngineBench.rate) - 1 && $0.right == 30_000 }
        ?? tap.frames.last { $0.right == 30_000 })
    let found = try #require(bench.silenced.first).frame
    let name = Int(heard.left) - 1
    let unwrapped = name + (found - name + 15_000) / 30_000 * 30_000
    #expect(abs(found - unwrapped) <= 3)
  }

  @Test("the engine is woken ten times a second while it plays, and never while it is paused", arguments: kinds.indices)
  func wakeUps(kind: Int) {
    let quirks = Self.kinds[kind].quirks
    let bench = EngineBench(quirks)
    bench.play(then: .seconds(1))
    let before = bench.services
    bench.pass(.seconds(4))
    let playing = bench.services - before
    let buffer = min(.milliseconds(200), quirks.buffer ?? .milliseconds(200))
    let due = quirks.takesBack ? Int(8 * Duration.seconds(1).wholeNanoseconds / buffer.wholeNanoseconds) : 4 * 33
    #expect(playing <= due + due / 5)
    bench.silence(then: .seconds(1))
    let paused = bench.services
    bench.pass(.seconds(10))
    #expect(bench.services == paused)
  }

  @Test("a device that takes nothing for a while is neither lost nor polled without pause")
  func refuses() {
    for polls in [false, true] {
      let bench = EngineBench(Quirks(refusesUntil: .powerOn + .milliseconds(400), polls: polls))
      bench.play(then: .seconds(2))
      #expect(bench.reportNames == ["started 0", "began 0"])
      bench.device?.quirks.refusesUntil = bench.clock.now + .milliseconds(170)
      let before = bench.services
      bench.pass(.seconds(1))
      #expect(bench.services - before <= 120)
      let hearing = bench.hearing(Self.long)
      #expect(hearing.first == 0 && hearing.joints.allSatisfy { (0...Self.fade).contains($0.missing) })
    }
  }

  @Test("a device that refuses the fade gets it later, and the silence is reported once")
  func refusesFade() {
    let bench = EngineBench(Quirks(rewinds: 985))
    bench.play(then: .seconds(1))
    bench.device?.quirks.refusesUntil = bench.clock.now + .milliseconds(1)
    bench.silence(then: .seconds(1))
    #expect(bench.reportNames == ["started 0", "began 0", "silenced"])
    let hearing = bench.hearing(Self.long)
    #expect(hearing.clicks == [] && hearing.cuts == [])
  }

  @Test("P12: a card that passes frames on in steps is not stopped before the last step of a fade", arguments: 0..<8)
  func passesOnInSteps(phase: Int) {
    let bench = EngineBench(Quirks(passesOn: 4 * EngineBench.rate / 1_000))
    bench.play(then: .milliseconds(500) + .microseconds(500) * phase)
    bench.silence(then: .milliseconds(300) + .microseconds(700) * phase)
    bench.send(.play, then: .milliseconds(500) + .microseconds(300) * phase)
    bench.route(.speaker, then: .milliseconds(500))
    bench.silence(then: .milliseconds(300))
    let hearing = bench.hearing(Self.long)
    #expect(hearing.clicks == [] && hearing.cuts == [])
    #expect(bench.reportNames.filter { $0 == "silenced" }.count == 2 && !bench.reportNames.contains("underrun"))
  }

  @Test("a fade ends even on a device whose position stands still")
  func stuck() {
    let bench = EngineBench()
    bench.play(then: .seconds(1))
    bench.device?.quirks.isStuck = true
    bench.silence()
    let before = bench.services
    bench.pass(.seconds(1))
    #expect(bench.reportNames.last == "silenced" && bench.services - before <= 100)
  }

  @Test("a device that plays all at once is paced by the clock, whatever wakes the engine")
  func unpaced() throws {
    let bench = EngineBench(Quirks(isUnpaced: true))
    bench.play(then: .seconds(1))
    for _ in 0..<200 {
      bench.engine.signals.audio.raise()
      bench.pass(.milliseconds(5))
    }
    let written = try #require(bench.taps[.headphones]).frames.count
    #expect((2 * EngineBench.rate...EngineBench.rate * 23 / 10).contains(written))
    bench.silence(then: .milliseconds(400))
    // All that was written was heard.
    let frame = try #require(bench.silenced.first).frame
    #expect((2 * EngineBench.rate...EngineBench.rate * 23 / 10).contains(frame))
    let before = bench.services
    bench.send(.play, then: .seconds(10))
    #expect(bench.services - before <= 120)
  }
}
