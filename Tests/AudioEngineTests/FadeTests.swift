import AudioSession
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Silence, volume and route commands that come at an awkward moment.
@Suite struct FadeTests {
  typealias Quirks = HardDevice.Quirks
  static let fade = 176
  static let long = 600 * EngineBench.rate

  @Test(
    "P12: a pause in the last frames of the stream, and in the silence after them",
    arguments: [
      0, 1, 2, 20, 100, 175, 176, 177, 300, 5_000,
    ])
  func pauseAtEnd(left: Int) {
    for quirks in [Quirks(), Quirks(rewinds: 0), Quirks(latency: 100)] {
      let bench = EngineBench(quirks, tracks: [EngineBench.rate])
      bench.play()
      bench.pass(until: .of(frame: EngineBench.rate - left + quirks.latency, rate: EngineBench.rate))
      bench.silence(then: .seconds(1))
      bench.send(.play, then: .seconds(1))
      #expect(bench.reportNames.filter { $0 == "silenced" }.count == 1)
      #expect(bench.reportNames.filter { $0 == "began 0" }.count == 1 && bench.reportNames.last == "ended")
      let hearing = bench.hearing([EngineBench.rate])
      #expect(hearing.joints.allSatisfy { (0...Self.fade).contains($0.missing) })
      #expect(hearing.last >= EngineBench.rate - left - 1 && hearing.clicks == [] && hearing.cuts.count <= 2)
    }
  }

  @Test(
    "P12, R5: silenced right after the start and twice, it goes on from where its fade-in began if that was not over",
    arguments: [0, 1, 50, 88, 174, 175, 176, 200])
  func pauseAtStart(after: Int) {
    let bench = EngineBench()
    bench.play(at: 10_000, then: .covering(frames: after, rate: EngineBench.rate))
    bench.silence()
    bench.silence()
    bench.send(.play, then: .seconds(1))
    #expect(bench.reportNames.filter { $0 == "silenced" }.count == 2)
    let hearing = bench.hearing([Self.long])
    #expect(hearing.clicks == [] && hearing.cuts == [] && hearing.last > EngineBench.rate)
    let resumed = 10_000 + (after < Self.fade - 1 ? 0 : after)
    #expect(bench.silenced.allSatisfy { $0.frame == resumed }, "\(bench.silenced)")
  }

  @Test("P12: silenced before the first frame has come through a device that has to be cut short")
  func pauseInLatency() {
    for takesBack in [true, false] {
      let bench = EngineBench(Quirks(rewinds: 0, takesBack: takesBack, latency: 500))
      bench.play(at: 10_000, then: .milliseconds(5))
      bench.silence(edge: bench.clock.now, then: .milliseconds(300))
      #expect(bench.silenced.first?.frame == 10_000)
      #expect(bench.taps[.headphones]?.frames.allSatisfy { $0.left <= 10_000 + 176 && $0.right < 30_000 } == true)
    }
  }

  @Test("P9: a new volume is heard at once, not after what is queued")
  func volumeAtOnce() throws {
    let bench = EngineBench()
    bench.play(then: .milliseconds(330))
    bench.send(.gain(1 << 14), then: .milliseconds(25))
    #expect(try #require(bench.taps[.headphones]?.frames.last).right == 15_000)
  }

  @Test("P12: a pause while the decoder has not kept up fades over the frames there are")
  func pauseWhenStarved() throws {
    let bench = EngineBench()
    bench.play(then: .milliseconds(300))
    // Not one more step of the decoder: what is in the ring is all there is.
    bench.decoderDelay = .seconds(60)
    let stock = bench.engine.music.ring.written
    bench.pass(until: .of(frame: stock - 60, rate: EngineBench.rate))
    let before = bench.services
    bench.silence(then: .milliseconds(50))
    #expect(bench.reportNames.last == "silenced" && bench.services - before < 20)
    #expect(try #require(bench.taps[.headphones]?.frames.last).right < 1_000)
  }

  @Test(
    "P12, X4: a pause where what was decoded ends, as the storage has failed, is no larger step than a ramp and a fade",
    arguments: [-900, -300, -100, 0, 44, 88, 132, 170, 1_000])
  func pauseAtFailure(lead: Int) throws {
    let bench = EngineBench(breaks: [0: 20_000], failsStorage: true)
    bench.play()
    bench.pass(until: .of(frame: 20_000 - lead, rate: EngineBench.rate))
    bench.silence(then: .milliseconds(100))
    let frames = try #require(bench.taps[.headphones]?.frames).map { Int($0.right) } + [0]
    let steps = zip(frames.dropFirst(100), frames.dropFirst(101)).map { abs($1 - $0) }
    #expect(try #require(steps.max()) <= 30_000 / Self.fade + 30_000 / 882 + 2)
  }

  @Test("R3: an edge before a track's beginning that was already reported holds that beginning")
  func edgeAcrossBoundary() throws {
    let bench = EngineBench(tracks: [20_000, Self.long])
    bench.queue = [1]
    bench.play()
    bench.pass(until: .of(frame: 20_500, rate: EngineBench.rate))
    bench.silence(edge: bench.clock.now - .milliseconds(40), then: .milliseconds(100))
    let held = try #require(bench.silenced.first)
    #expect(held.track == 1 && held.frame == 0)
    bench.send(.play, then: .seconds(1))
    #expect(bench.reportNames == ["started 0", "began 0", "began 1", "silenced", "started 1"])
  }

  @Test("R3: an edge from before the sound began, or from long ago, holds a frame that was heard")
  func edgeTooOld() throws {
    for (time, late, expected) in [(20, 50, 30_000), (500, 5_000, 30_000 + 22_050 - 17_640)] {
      let bench = EngineBench()
      bench.pass(.seconds(10))
      bench.play(at: 30_000, then: .milliseconds(time))
      bench.silence(edge: bench.clock.now - .milliseconds(late), then: .milliseconds(100))
      let held = try #require(bench.silenced.first)
      #expect(held.frame == expected)
    }
  }

  @Test("R3: an edge that is seen before its time stamp holds no frame that was not queued")
  func edgeAhead() throws {
    let bench = EngineBench()
    bench.play(then: .milliseconds(500))
    bench.silence(edge: bench.clock.now + .seconds(5), then: .milliseconds(100))
    #expect(try #require(bench.silenced.first).frame <= 22_050 + 8_820)
  }

  @Test("P12: the volume moved step by step while it fades in, plays and is paused makes no step")
  func volume() {
    let bench = EngineBench()
    bench.play(at: 30_000)
    for step in 0..<60 {
      bench.send(.gain(step % 2 == 0 ? 1_000 : 1 << 15), then: .milliseconds(step))
      if step % 10 == 9 { bench.silence() }
      if step % 10 == 9 { bench.send(.play) }
    }
    bench.send(.gain(1 << 15), then: .seconds(1))
    let hearing = bench.hearing([Self.long])
    #expect(hearing.clicks == [] && hearing.cuts == [])
    #expect(hearing.joints.allSatisfy { $0.missing >= 0 })
    #expect(bench.reportNames.filter { $0 == "silenced" }.count == 6)
  }

  @Test(
    "P12: a pause that rewinds behind the second of two volumes is no larger step than a ramp and a fade",
    arguments: 0...8)
  func pauseBehindVolumes(wait: Int) throws {
    for apart in 1...15 {
      // A volume leaves the 10 ms that a real card keeps queued, and a pause does not.
      let bench = EngineBench(Quirks(margin: 441))
      bench.play(at: 30_000, then: .milliseconds(100))
      bench.send(.gain(1_000), then: .milliseconds(apart))
      bench.send(.gain(1 << 15), then: .milliseconds(wait))
      bench.silence(then: .milliseconds(50))
      bench.send(.play, then: .milliseconds(50))
      let frames = try #require(bench.taps[.headphones]?.frames).map { Int($0.right) }
      let steps = zip(frames, frames.dropFirst()).map { abs($1 - $0) }
      #expect(try #require(steps.max()) <= 30_000 / Self.fade + 30_000 / 882 + 2, "\(apart) ms apart")
    }
  }

  @Test("R13: a volume that was turned down while the sound faded out is there from the first frame of the next")
  func volumeWhileSilent() {
    let bench = EngineBench()
    bench.play(at: 30_000, then: .seconds(1))
    bench.silence()
    bench.send(.gain(1 << 13), then: .seconds(1))
    let silent = bench.taps[.headphones]?.frames.count ?? 0
    bench.send(.play, then: .seconds(1))
    let heard = bench.taps[.headphones]?.frames.dropFirst(silent) ?? []
    #expect(heard.map(\.right).max() == 7_500)
  }

  @Test("R13: ports that share a device keep it open, with the new port's volume from its first frame")
  func sharedDevice() {
    let bench = EngineBench(sharesDevice: true)
    bench.play(then: .milliseconds(500))
    bench.send(.route(1, gain: 1 << 13), then: .milliseconds(500))
    #expect(bench.opened.count == 1)
    #expect(bench.taps[.headphones]?.frames.last?.right == 7_500)
    let hearing = bench.hearing([Self.long])
    #expect(hearing.clicks == [] && hearing.cuts == [])
  }

  @Test("R3: the frames heard since a late edge are still there, even with the ring just filled")
  func edgeLate() throws {
    let bench = EngineBench()
    bench.play(then: .seconds(1))
    while bench.engine.music.ring.writable > 4_096 && bench.clock.now < .powerOn + .seconds(5) {
      bench.pass(.milliseconds(1))
    }
    bench.silence(edge: bench.clock.now - .milliseconds(99), then: .milliseconds(100))
    let held = try #require(bench.silenced.first).frame
    bench.send(.play, then: .milliseconds(200))
    let hearing = bench.hearing([Self.long])
    let late = 99 * EngineBench.rate / 1_000
    #expect(hearing.joints.count == 1)
    #expect(hearing.joints.allSatisfy { abs($0.missing - (Self.fade - late)) <= 2 })
    #expect(hearing.last > held + EngineBench.rate / 10)
  }

  @Test("P10: tracks that begin and end within the fade of a route switch are reported")
  func tracksWithinFade() {
    let bench = EngineBench(tracks: [20_000, 50, 50])
    bench.queue = [1, 2]
    bench.play()
    bench.pass(until: .of(frame: 19_990, rate: EngineBench.rate))
    bench.route(.speaker, then: .seconds(1))
    #expect(bench.reportNames == ["started 0", "began 0", "started 0", "began 1", "began 2", "ended"])
  }

  @Test("R5.1: a pause within the fade of a route switch holds the frame at which that fade began")
  func pauseWithinSwitch() throws {
    let bench = EngineBench()
    bench.play(then: .milliseconds(500))
    let heard = bench.clock.now.frame(rate: EngineBench.rate) - Instant.powerOn.frame(rate: EngineBench.rate)
    bench.route(.speaker, then: .milliseconds(1))
    bench.silence(then: .milliseconds(100))
    let held = try #require(bench.silenced.first).frame
    #expect(held <= heard && held > heard - 2 * Self.fade)
    bench.send(.play, then: .milliseconds(100))
    #expect(bench.hearing([Self.long]).joints.allSatisfy { (0...Self.fade).contains($0.missing) })
  }

  @Test("P12: a route to nowhere and back resumes where the fade began")
  func nowhere() {
    let bench = EngineBench()
    bench.play(then: .milliseconds(500))
    bench.route(nil, then: .seconds(1))
    let before = bench.services
    bench.pass(.seconds(5))
    #expect(bench.services == before)
    bench.route(.headphones, then: .milliseconds(500))
    let hearing = bench.hearing([Self.long])
    #expect(hearing.joints.map(\.missing) == [Self.fade - 1] && hearing.clicks == [])
  }
}
