import AudioSession
import Board
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Output and decoder closed and reopened, and devices of another rate.
@Suite struct ReleaseTests {
  typealias Quirks = HardDevice.Quirks
  static let rate = EngineBench.rate

  /// Paused for a while and resumed, with or without a release; what was heard.
  private func paused(releasing: Bool) throws -> (bench: EngineBench, frames: [FrameRecorder.Frame]) {
    let bench = EngineBench(isSplit: true)
    bench.play(then: .milliseconds(537))
    bench.silence(edge: bench.clock.now - .milliseconds(12))
    if releasing { bench.send(.release) }
    bench.pass(.seconds(1))
    if releasing {
      #expect(bench.device == nil && bench.reportNames.last == "released")
      bench.decoder.post(.close)
      let held = try #require(bench.silenced.first)
      bench.load(held.track, at: held.frame)
    }
    bench.send(.play, then: .seconds(1))
    bench.silence(then: .milliseconds(100))
    return (bench, try #require(bench.taps[.headphones]).frames)
  }

  @Test("I10 I11: resumed after a release it sounds the same, sample by sample, as after a pause")
  func release() throws {
    let held = try paused(releasing: false)
    let released = try paused(releasing: true)
    #expect(held.frames == released.frames && held.frames.count > Self.rate * 3 / 2)
    #expect(held.bench.opened.count == 1 && released.bench.opened.count == 2)
    #expect(held.bench.silenced.map(\.frame) == released.bench.silenced.map(\.frame))
  }

  @Test("I11: a release waits for the fade and for a cue, and a cue opens the output again")
  func releaseWaits() {
    let bench = EngineBench(cues: [20_000], isSplit: true)
    bench.play(then: .milliseconds(300))
    bench.speak(then: .milliseconds(100))
    bench.silence()
    bench.send(.release, then: .milliseconds(100))
    #expect(bench.device != nil)
    bench.pass(.seconds(1))
    #expect(bench.device == nil && Array(bench.reportNames.suffix(2)) == ["cue ended 1", "released"])
    bench.speak(2, then: .seconds(1))
    #expect(Array(bench.reportNames.suffix(2)) == ["cue started 2", "cue ended 2"] && bench.opened.count == 2)
  }

  @Test("I11: an output that is gone when it is to be opened again is lost, and the cue with it")
  func goneAfterRelease() {
    let bench = EngineBench(cues: [20_000], isSplit: true)
    bench.play(then: .milliseconds(300))
    bench.silence()
    bench.send(.release, then: .milliseconds(100))
    bench.route(.headphones)
    bench.devices.failures = 1
    bench.speak(then: .seconds(1))
    #expect(Array(bench.reportNames.suffix(2)) == ["cue failed 1", "lost"])
    bench.send(.reopen, then: .milliseconds(10))
    #expect(bench.reportNames.last == "restored")
  }

  // MARK: - R12

  /// Loads the stream again at the reported position, as driver and brain do.
  private func reload(_ bench: EngineBench) throws -> Int {
    let report = bench.reports.last { if case .playback(.outputChanged) = $0 { true } else { false } }
    guard case .playback(.outputChanged(_, _, let position?))? = report else { throw Missing.report }
    bench.load(position.track, at: position.frame)
    bench.send(.play)
    return position.frame
  }
  private enum Missing: Error { case report }

  @Test("R12: a device that comes back as it was continues at the frame heard last")
  func sameAgain() {
    let bench = EngineBench()
    bench.play(then: .milliseconds(1_003))
    bench.device?.stop(as: .disconnected)
    bench.pass(.seconds(1))
    #expect(bench.reportNames == ["started 0", "began 0", "underrun", "started 0"] && bench.opened.count == 2)
    let hearing = bench.hearing([600 * Self.rate])
    #expect(hearing.joints.count == 1 && hearing.joints.allSatisfy { (0...176).contains($0.missing) })
  }

  @Test("R12: a device that keeps opening and dying is lost")
  func diesForEver() {
    let bench = EngineBench()
    bench.play(then: .milliseconds(1_003))
    for _ in 0..<50 where !bench.reportNames.contains("lost") {
      bench.device?.stop(as: .disconnected)
      bench.engine.signals.audio.raise()
      bench.pass(.microseconds(100))
    }
    #expect(bench.reportNames.last == "lost" && bench.opened.count <= 3)
  }

  @Test(
    "R12: a device that comes back at another rate plays on at the same frame",
    arguments: [48_000, 22_050, 32_000, 96_000])
  func otherRate(rate: Int) throws {
    let bench = EngineBench(isSplit: true)
    bench.play(then: .milliseconds(500))
    bench.devices.rate = rate
    bench.device?.stop(as: .disconnected)
    bench.pass(.milliseconds(200))
    #expect(bench.reportNames.last == "changed \(rate)" && bench.engine.rate == rate)
    let frame = try reload(bench)
    let heard = bench.taps[.headphones]?.frames.count ?? 0
    #expect(abs(frame - heard) <= Self.rate / 5)
    bench.pass(.milliseconds(500))
    bench.silence(then: .milliseconds(100))
    // The test's tracks count frames of whatever rate they are opened at.
    let frames = (bench.taps[.headphones]?.frames ?? []).dropFirst(heard)
    let expected = Rates.convert(frame, from: Self.rate, to: rate)
    let fade = rate / 250
    #expect(
      frames.dropFirst(fade).prefix(5_000).enumerated().allSatisfy { offset, found in
        abs(Int(found.left) - 1 - (expected + fade + offset) % 30_000) <= 1
      })
    let held = try #require(bench.silenced.last).frame
    #expect(abs(held - frame - Self.rate / 2) <= 50)
    #expect(!bench.reportNames.contains("lost") && !bench.reportNames.contains("stale"))
  }

  @Test("R12: another buffer counts as a change, and one found by a later try is reported before the output is back")
  func otherBuffer() throws {
    let bench = EngineBench()
    bench.play(then: .milliseconds(500))
    bench.devices.buffer = .milliseconds(100)
    bench.device?.stop(as: .disconnected)
    bench.pass(.milliseconds(200))
    #expect(bench.reportNames.last == "changed 44100")
    _ = try reload(bench)
    bench.pass(.milliseconds(200))
    bench.devices.failures = 1
    bench.device?.stop(as: .disconnected)
    bench.pass(.milliseconds(200))
    #expect(bench.reportNames.last == "lost")
    bench.devices.rate = 48_000
    bench.send(.reopen, then: .milliseconds(10))
    #expect(Array(bench.reportNames.suffix(2)) == ["changed 48000", "restored"])
  }

  @Test("R12: the very first opening gives another rate: what was loaded for ours is asked for again")
  func firstRate() throws {
    let bench = EngineBench(Quirks(rate: 48_000), isSplit: true)
    bench.play(then: .milliseconds(100))
    #expect(bench.reportNames == ["changed 48000", "stale"])
    bench.load(then: .milliseconds(500))
    #expect(bench.reportNames == ["changed 48000", "stale", "started 0", "began 0"])
    #expect(try #require(bench.taps[.headphones]).frames.count > 20_000)
  }

  @Test("R12: a device that changes its rate while it is paused, or under a cue")
  func quietChange() throws {
    let bench = EngineBench(cues: [40_000], isSplit: true)
    bench.play(then: .milliseconds(500))
    bench.silence()
    bench.speak(then: .milliseconds(200))
    bench.devices.rate = 48_000
    bench.device?.stop(as: .disconnected)
    bench.pass(.milliseconds(200))
    #expect(bench.reportNames.last == "changed 48000")
    // Nothing sounds at the wrong pitch.
    let count = bench.taps[.headphones]?.frames.count
    bench.pass(.seconds(1))
    #expect(bench.taps[.headphones]?.frames.count == count)
    let held = try #require(bench.silenced.first).frame
    #expect(try reload(bench) == held)
    bench.speak(2, then: .seconds(1))
    let last = ["cue started 2", "started 0", "began 0", "cue ended 2"]
    #expect(Array(bench.reportNames.suffix(4)) == last)
  }
}
