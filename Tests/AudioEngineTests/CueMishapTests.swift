import AudioSession
import Board
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Cues while something goes wrong: unplugged, switched, lost, starved, damaged.
@Suite struct CueMishapTests {
  typealias Quirks = HardDevice.Quirks
  static let fade = 176
  static let rate = EngineBench.rate

  @Test("D7: unplugged while a cue speaks over music, both are silent within the fade and nothing reaches another port")
  func unplug() throws {
    for late in [0, 3, 50] {
      let bench = EngineBench.split(cue: 200_000)
      bench.play(then: .milliseconds(500))
      bench.speak(then: .milliseconds(500))
      let now = bench.clock.now
      let edge = now - .milliseconds(late)
      bench.silence(edge: edge)
      bench.pauseCue(edge: edge)
      bench.route(.speaker, then: .seconds(1))
      let heard = bench.cueHearing()
      let end = now.frame(rate: Self.rate) + Self.fade
      #expect(heard.music.lastIndex { $0 != 0 } ?? 0 <= end && heard.cue.lastIndex { $0 != 0 } ?? 0 <= end)
      #expect(bench.taps[.speaker]?.frames.isEmpty == true)
      #expect(try #require(bench.silenced.first).frame == edge.frame(rate: Self.rate))
      #expect(bench.reportNames.filter { $0 == "paused the cue" }.count == 1)
    }
  }

  @Test(
    "R3, D7: unplugged while one of music and cue fades and the next one waits, the other is silent within 5 ms, too",
    arguments: [0, 300, 1_200, 2_500, 3_900])
  func unplugInFade(after: Int64) throws {
    for isMusicFading in [false, true] {
      let bench = EngineBench.split(cue: 200_000)
      bench.play(then: .milliseconds(500))
      bench.speak(then: .milliseconds(500))
      if isMusicFading {
        bench.silence()
        bench.load(at: 50_000)
      } else {
        bench.pauseCue()
        bench.speak(2, cue: 1)
      }
      bench.pass(.microseconds(after))
      let edge = bench.clock.now
      bench.silence(edge: edge)
      bench.pauseCue(edge: edge, then: .seconds(1))
      let heard = bench.cueHearing()
      let end = edge.frame(rate: Self.rate) + Duration.milliseconds(5).frames(rate: Self.rate)
      #expect(heard.music.lastIndex { $0 != 0 } ?? 0 <= end && heard.cue.lastIndex { $0 != 0 } ?? 0 <= end)
      #expect(CueHearing.runs(heard.music).count == 1 && CueHearing.runs(heard.cue).count == 1)
      if !isMusicFading { #expect(try #require(bench.silenced.first).frame == edge.frame(rate: Self.rate)) }
      #expect(bench.reportNames.filter { $0 == "silenced" }.count == (isMusicFading ? 2 : 1))
      #expect(bench.reportNames.filter { $0 == "paused the cue" }.count == (isMusicFading ? 1 : 2))
    }
  }

  @Test("a cue over a route switch, an underrun and a device that comes back resumes where it was heard")
  func mishaps() throws {
    for act in 0..<3 {
      let bench = EngineBench.split(cue: 29_000)
      bench.play(then: .milliseconds(100))
      bench.speak(then: .milliseconds(300))
      switch act {
      case 0: bench.route(.speaker)
      case 1: bench.device?.stop(as: .underrun)
      default: bench.device?.stop(as: .disconnected)
      }
      bench.pass(.seconds(2))
      let first = bench.cueHearing()
      let second = bench.cueHearing(act == 0 ? .speaker : .headphones)
      let end = try #require(second.cue.lastIndex { $0 != 0 })
      #expect(second.cue[end] == 29_000 && second.cue[end - 10_000] == 19_000)
      // Music and cue are still together.
      let offset = first.cue[16_000] - first.music[16_000]
      #expect(second.cue[end - 9_000] - second.music[end - 9_000] == offset)
      #expect(bench.reportNames.filter { $0.hasPrefix("cue") } == ["cue started 1", "cue ended 1"])
      #expect(bench.reportNames.contains("underrun") == (act > 0) && !bench.reportNames.contains("lost"))
    }
  }

  @Test("a cue on a device that is lost fails, as does one without any")
  func lost() {
    let bench = EngineBench.split(cue: 29_000)
    bench.play(then: .milliseconds(100))
    bench.speak(then: .milliseconds(300))
    bench.devices.failures = 1
    bench.device?.stop(as: .disconnected)
    bench.pass(.seconds(2))
    #expect(Array(bench.reportNames.suffix(2)) == ["cue failed 1", "lost"])
    bench.speak(2, then: .seconds(1))
    #expect(bench.reportNames.last == "cue failed 2")
    bench.send(.reopen)
    bench.send(.play, then: .seconds(1))
    #expect(bench.reportNames.last == "started 0")
    let none = EngineBench.split()
    none.speak(then: .seconds(1))
    #expect(none.reportNames == ["cue failed 1"])
  }

  @Test("a cue on every kind of device: all of it is heard once", arguments: AwkwardDeviceTests.kinds.indices)
  func kinds(kind: Int) throws {
    let bench = EngineBench.split(AwkwardDeviceTests.kinds[kind].quirks, cue: 100_000)
    bench.play(then: .milliseconds(500))
    bench.duck(decibels: -12, over: .milliseconds(200))
    bench.speak(then: .milliseconds(500))
    bench.send(.gain(1 << 14))
    bench.send(.gain(1 << 15), then: .seconds(6))
    #expect(bench.reportNames == ["started 0", "began 0", "cue started 1", "cue ended 1"])
    let heard = try #require(bench.taps[.headphones]).frames
    // Devices that keep no time show gaps and overlaps of a frame in the clock's count, never in the sound's.
    let cue = heard.filter { $0.right != 0 }.map(\.right)
    #expect(cue.count == 100_000 && cue.first == 1 && cue.last == 10_000)
    let late = cue.suffix(60_000)
    #expect(Self.isWhole(Array(late)))
    bench.duck(decibels: 0, over: .milliseconds(500), then: .seconds(5))
    let music = try #require(bench.taps[.headphones]).frames.suffix(30_000).map(\.left)
    #expect(Self.isWhole(music))
  }

  /// Whether no sample of the sawtooth is missing or doubled.
  private static func isWhole(_ samples: [Int16]) -> Bool {
    for (sample, next) in zip(samples, samples.dropFirst()) {
      let expected: Int16 = sample == 30_000 ? 1 : sample + 1
      if next != expected { return false }
    }
    return true
  }

  @Test("a cue that is paused on a device that takes nothing back leaves the music alone")
  func stubborn() throws {
    let bench = EngineBench.split(Quirks(rewinds: 0, latency: 500), cue: 100_000)
    bench.play(then: .milliseconds(300))
    bench.speak(then: .milliseconds(700))
    bench.pauseCue(then: .seconds(1))
    let heard = bench.cueHearing()
    #expect(heard.music.dropFirst(500).enumerated().allSatisfy { $1 == $0 % 30_000 + 1 })
    #expect(CueHearing.runs(heard.cue).count == 1 && bench.reportNames.last == "paused the cue")
  }

  @Test("whatever is taken back is rendered again alike: a hundred commands that change nothing are not heard")
  func rewinds() throws {
    var heard: [CueHearing] = []
    for isDisturbed in [false, true] {
      let bench = EngineBench.split(cue: 60_000)
      bench.play(at: 5_000, then: .milliseconds(97))
      bench.duck(decibels: -20, over: .milliseconds(300))
      bench.speak()
      for round in 0..<100 {
        // Queued frames are rewound and written again, with a ramp that changes nothing.
        if isDisturbed { bench.send(.gain(1 << 15)) }
        bench.pass(.microseconds(7_000 + 13 * round))
      }
      bench.pass(.seconds(1))
      heard.append(bench.cueHearing())
    }
    #expect(heard[0].music == heard[1].music && heard[0].cue == heard[1].cue)
    #expect(heard[0].cue.contains { $0 != 0 })
  }
}
