import AudioSession
import Glibc
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Cues and the duck, measured frame by frame: the music is on the left, the cue on the right.
@Suite struct CueTests {
  typealias Quirks = HardDevice.Quirks
  static let fade = 176
  static let rate = EngineBench.rate

  @Test("D1: the music goes down by 12 dB in exactly 200 ms, then the cue comes in at once, in full")
  func duck() throws {
    let bench = EngineBench.split()
    bench.play(then: .milliseconds(1_000))
    bench.duck(decibels: -12, over: .milliseconds(200))
    bench.speak(then: .milliseconds(900))
    let heard = bench.cueHearing()
    let start = Self.rate
    let length = Self.rate / 5
    #expect((0..<start).allSatisfy { heard.music[$0] == $0 % 30_000 + 1 })
    for time in stride(from: start, to: start + length, by: 7) where time % 30_000 > 10_000 {
      let line = 1 - (1 - pow(10, -0.6)) * Double(time - start + 1) / Double(length)
      #expect(abs(heard.gain(at: time) - line) < 0.0005)
    }
    for time in (start + length)..<(start + length + 20_000) where time % 30_000 > 10_000 {
      #expect(abs(20 * log10(heard.gain(at: time)) + 12) < 0.02)
    }
    #expect(heard.cue.firstIndex { $0 != 0 } == start + length)
    #expect((0..<20_000).allSatisfy { heard.cue[start + length + $0] == $0 + 1 })
    #expect(bench.cueStart == start + length)
    #expect(bench.reportNames == ["started 0", "began 0", "cue started 1", "cue ended 1"])
  }

  @Test("D1: a device that wants frames left keeps them, and all the rest comes that much later")
  func margin() throws {
    let margin = 441
    let bench = EngineBench.split(Quirks(margin: margin))
    bench.play(then: .milliseconds(1_000))
    bench.duck(decibels: -12, over: .milliseconds(200))
    bench.speak(then: .milliseconds(900))
    let heard = bench.cueHearing()
    let start = Self.rate + margin
    let cue = start + Self.rate / 5
    #expect((0..<start).allSatisfy { heard.music[$0] == $0 % 30_000 + 1 })
    #expect(heard.cue.firstIndex { $0 != 0 } == cue)
    let isWhole = (0..<20_000).allSatisfy { place in heard.cue[cue + place] == place + 1 }
    #expect(isWhole)
  }

  @Test("D2: back up in exactly 500 ms, and from then on the music is what it would have been, bit for bit")
  func unduck() {
    let bench = EngineBench.split()
    bench.play(then: .milliseconds(300))
    bench.duck(decibels: -12, over: .milliseconds(200), then: .milliseconds(1_000))
    let start = bench.clock.now.frame(rate: Self.rate)
    bench.duck(decibels: 0, over: .milliseconds(500), then: .milliseconds(1_000))
    let heard = bench.cueHearing()
    let end = start + Self.rate / 2
    #expect(heard.gain(at: start - 1) < 0.26 && heard.gain(at: end - 3) < 1)
    #expect((end - 1..<heard.music.count).allSatisfy { heard.music[$0] == $0 % 30_000 + 1 })
  }

  @Test("P12: a duck without a fade takes the 4 ms of any other, down and up, and the cue waits for it")
  func suddenDuck() {
    let bench = EngineBench.split()
    bench.play(then: .milliseconds(1_000))
    bench.duck(decibels: -12, over: .zero)
    bench.speak(then: .milliseconds(100))
    let up = bench.clock.now.frame(rate: Self.rate)
    bench.duck(decibels: 0, over: .zero, then: .milliseconds(100))
    let heard = bench.cueHearing()
    for (start, from, to) in [(Self.rate, 1, pow(10, -0.6)), (up, pow(10, -0.6), 1)] {
      for time in 0..<Self.fade {
        let line = from + (to - from) * Double(time + 1) / Double(Self.fade)
        #expect(abs(heard.gain(at: start + time) - line) < 0.0005, "\(time)")
      }
    }
    #expect(heard.cue.firstIndex { $0 != 0 } == Self.rate + Self.fade)
  }

  @Test("D4: the volume changed while ducked multiplies with the duck, and stays when it ends")
  func volume() {
    let bench = EngineBench.split()
    bench.play(then: .milliseconds(300))
    bench.duck(decibels: -12, over: .milliseconds(200), then: .milliseconds(300))
    bench.send(.gain(1 << 14), then: .milliseconds(300))
    let ducked = bench.clock.now.frame(rate: Self.rate) - 1
    bench.duck(decibels: 0, over: .milliseconds(100), then: .milliseconds(300))
    let heard = bench.cueHearing()
    #expect(abs(20 * log10(heard.gain(at: ducked)) + 18.02) < 0.05)
    #expect(abs(heard.gain(at: heard.music.count - 1) - 0.5) < 0.001)
  }

  @Test("a cue without music starts the device alone, and the device stops after it")
  func alone() throws {
    let bench = EngineBench.split()
    bench.route(.headphones)
    bench.duck(decibels: -12, over: .milliseconds(200))
    bench.speak(then: .milliseconds(900))
    let heard = bench.cueHearing()
    #expect(CueHearing.runs(heard.cue) == [0..<20_000])
    #expect((0..<20_000).allSatisfy { heard.cue[$0] == $0 + 1 })
    #expect(bench.reportNames == ["cue started 1", "cue ended 1"])
    let services = bench.services
    bench.pass(.seconds(5))
    #expect(bench.services == services)
  }

  @Test(
    "music that starts while ducked starts ducked, and one paused then starts at its own level after the duck"
  )
  func duckedStart() {
    let bench = EngineBench.split(cue: 60_000)
    bench.route(.headphones)
    bench.duck(decibels: -12, over: .milliseconds(200))
    bench.speak(then: .milliseconds(300))
    let start = bench.clock.now.frame(rate: Self.rate)
    bench.load()
    bench.send(.play, then: .milliseconds(400))
    bench.silence(then: .milliseconds(50))
    bench.duck(decibels: 0, over: .milliseconds(500), then: .milliseconds(50))
    let again = bench.clock.now.frame(rate: Self.rate)
    bench.send(.play, then: .milliseconds(600))
    let heard = bench.cueHearing()
    // The cue is not disturbed by any of it.
    #expect((0..<60_000).allSatisfy { heard.cue[$0] == $0 % 30_000 + 1 })
    let first = heard.music.firstIndex { $0 != 0 } ?? 0
    #expect((start...start + 100).contains(first))
    #expect((10_000..<17_000).allSatisfy { abs(Double(heard.music[start + $0]) / Double($0 + 1) - 0.2512) < 0.001 })
    #expect(heard.music[again + 400] - heard.music[again + 399] == 1)
  }

  @Test("D5: music paused on its way up from the duck is at its own level when it starts again")
  func pausedOnTheWay() throws {
    let bench = EngineBench.split()
    bench.play(then: .milliseconds(300))
    bench.duck(decibels: -12, over: .milliseconds(200), then: .milliseconds(300))
    bench.duck(decibels: 0, over: .milliseconds(500), then: .milliseconds(100))
    bench.silence(then: .milliseconds(200))
    bench.send(.play, then: .milliseconds(300))
    let held = try #require(bench.silenced.first).frame
    let heard = bench.cueHearing().music
    let start = try #require(CueHearing.runs(heard).last).lowerBound
    #expect((200..<3_000).allSatisfy { abs(heard[start + $0] - (held + $0) % 30_000) <= 2 })
  }

  @Test("pauseCue fades only the cue, and resumeCue resumes so that both fades add up", arguments: [0, 3, 40])
  func pauseCue(late: Int) throws {
    let bench = EngineBench.split(cue: 25_000)
    bench.play(then: .milliseconds(100))
    bench.speak(then: .milliseconds(300))
    let cueStart = try #require(bench.cueStart)
    let pausedAt = bench.clock.now.frame(rate: Self.rate)
    bench.pauseCue(edge: late == 0 ? nil : bench.clock.now - .milliseconds(late), then: .milliseconds(300))
    bench.send(.resumeCue, then: .milliseconds(1_000))
    let heard = bench.cueHearing()
    #expect((0..<heard.music.count).allSatisfy { heard.music[$0] == $0 % 30_000 + 1 })
    let runs = CueHearing.runs(heard.cue)
    #expect(runs.count == 2 && runs[0].upperBound <= pausedAt + Self.fade)
    let end = try #require(runs.last).upperBound
    let back = late * Self.rate / 1_000
    // The frame heard at the edge comes again right at the start of the second passage.
    for offset in Self.fade..<(25_000 - (pausedAt - cueStart) + back) {
      let frame = pausedAt - cueStart - back + offset
      #expect(heard.cue[end - 25_000 + frame] == frame + 1)
    }
    if late == 0 {
      let start = end - 25_000 + (pausedAt - cueStart)
      for offset in 0..<Self.fade {
        #expect(
          abs(heard.cue[pausedAt + offset] + heard.cue[start + offset] - (pausedAt - cueStart + offset + 1)) <= 2
        )
      }
    }
    #expect(bench.reportNames.filter { $0.hasPrefix("cue") } == ["cue started 1", "cue ended 1"])
  }

  @Test("the music is paused and resumed under a cue, which continues undisturbed")
  func pauseUnderCue() throws {
    let bench = EngineBench.split(cue: 80_000)
    bench.play(then: .milliseconds(200))
    bench.speak(then: .milliseconds(200))
    bench.silence(then: .milliseconds(300))
    bench.send(.play, then: .seconds(2))
    let heard = bench.cueHearing()
    let start = try #require(bench.cueStart)
    #expect((0..<80_000).allSatisfy { heard.cue[start + $0] == $0 % 30_000 + 1 })
    #expect(CueHearing.runs(heard.music).count == 2)
    let held = try #require(bench.silenced.first).frame
    let again = CueHearing.runs(heard.music)[1].lowerBound
    #expect((400..<20_000).allSatisfy { abs(heard.music[again + $0] - (held + $0) % 30_000) <= 3 })
    #expect(bench.reportNames.filter { $0 == "started 0" }.count == 2)
  }

  @Test("a cue waits for music that fades out, and for a long duck, but no longer")
  func waits() throws {
    let paused = EngineBench.split()
    paused.play(then: .milliseconds(500))
    let now = paused.clock.now.frame(rate: Self.rate)
    paused.silence()
    paused.speak(then: .milliseconds(800))
    let heard = paused.cueHearing()
    let start = try #require(CueHearing.runs(heard.cue).first).lowerBound
    #expect(start >= (heard.music.lastIndex { $0 != 0 } ?? 0))
    #expect((now + Self.fade - 1...now + Self.fade + Self.rate / 1_000).contains(start))
  }

  @Test("a second cue takes the place of the first, which fades")
  func second() throws {
    let bench = EngineBench.split()
    bench.play(then: .milliseconds(100))
    bench.speak(1, then: .milliseconds(200))
    bench.speak(2, cue: 1, then: .milliseconds(800))
    #expect(bench.reportNames.filter { $0.hasPrefix("cue") } == ["cue started 1", "cue started 2", "cue ended 2"])
    let heard = bench.cueHearing()
    #expect((0..<heard.music.count).allSatisfy { heard.music[$0] == $0 % 30_000 + 1 })
    let last = try #require(heard.cue.lastIndex { $0 != 0 })
    #expect((0..<20_000).allSatisfy { heard.cue[last - 19_999 + $0] == $0 + 1 })
  }
}
