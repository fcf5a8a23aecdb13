import AudioSession
import Board
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Devices that fail, stop or go away: the position stays true, and nothing spins.
@Suite struct LostDeviceTests {
  typealias Quirks = HardDevice.Quirks
  static let long = [600 * EngineBench.rate]
  static let fade = 176

  /// As the brain does on `outputRestored`.
  private func restore(_ bench: EngineBench) {
    bench.send(.reopen, then: .milliseconds(10))
    bench.send(.play, then: .seconds(1))
  }

  private func expectJoined(
    _ bench: EngineBench, _ slack: ClosedRange<Int> = 0...352, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let hearing = bench.hearing(Self.long)
    #expect(
      hearing.joints.allSatisfy { slack.contains($0.missing) }, "\(hearing.joints)", sourceLocation: sourceLocation)
  }

  static let operations: [PCMError.Operation] = [.status, .write, .start, .stop, .recover]

  @Test(
    "I14: whatever call fails, the position stays within what was queued and playback resumes there",
    arguments: operations, [1, 2, 3, 5])
  func failingCall(operation: PCMError.Operation, call: Int) throws {
    for act in 0..<4 {
      let bench = EngineBench()
      bench.play(then: .milliseconds(1_000))
      bench.device?.failing = (operation, call)
      switch act {
      case 0: break
      case 1: bench.silence()
      case 2: bench.route(.speaker)
      default: bench.device?.stop(as: .underrun)
      }
      let before = bench.services
      bench.pass(.seconds(2))
      #expect(bench.services - before <= 100)
      #expect(bench.reportNames.filter { $0 == "silenced" }.count == (act == 1 ? 1 : 0))
      if act == 1 && !bench.reportNames.contains("lost") {
        bench.send(.play, then: .seconds(1))
      }
      if bench.reportNames.contains("lost") { restore(bench) }
      expectJoined(bench, -2...EngineBench.rate / 5)
      #expect(bench.hearing(Self.long).last > EngineBench.rate * 3 / 2)
    }
  }

  @Test(
    "I14: a device that was exchanged while nothing played, so that its start fails, has not run dry",
    arguments: [PCMError.Operation.write, .start, .status])
  func exchangedWhilePaused(operation: PCMError.Operation) throws {
    let bench = EngineBench()
    bench.play(then: .milliseconds(500))
    bench.silence(then: .milliseconds(500))
    bench.device?.failing = (operation, 1)
    bench.send(.play, then: .milliseconds(500))
    #expect(!bench.reportNames.contains("underrun"), "\(bench.reportNames)")
    expectJoined(bench)
  }

  @Test("I14: a failing device that forgets what was queued loses no frame", arguments: [1_003, 1_050, 1_099])
  func forgets(moment: Int) throws {
    for mishap in [PCMStatus.State.disconnected, .suspended] {
      let bench = EngineBench(Quirks(forgets: true))
      bench.play(then: .milliseconds(moment))
      bench.devices.failures = mishap == .disconnected ? 1 : 0
      bench.device?.stop(as: mishap)
      bench.engine.signals.audio.raise()
      bench.pass(.milliseconds(100))
      if mishap == .disconnected { restore(bench) }
      bench.pass(.seconds(1))
      #expect(bench.reportNames.contains(mishap == .disconnected ? "lost" : "underrun"))
      expectJoined(bench, 0...Self.fade)
    }
  }

  @Test("I14: unplugged late, and then no output: the frame of the edge is kept")
  func lostAfterEdge() throws {
    let bench = EngineBench()
    bench.play(then: .seconds(1))
    bench.silence(edge: bench.clock.now - .milliseconds(40), then: .milliseconds(50))
    bench.devices.failures = 1
    bench.route(.speaker, then: .milliseconds(50))
    let held = try #require(bench.silenced.first).frame
    guard case .outputLost(let position?) = try #require(bench.reports.last) else {
      Issue.record("no outputLost")
      return
    }
    #expect(position.frame == held && held < EngineBench.rate)
  }

  @Test("R3: headphones that die while they are left never sound again, and the speaker takes over")
  func diesOnRoute() throws {
    for (operation, call) in [(PCMError.Operation.write, 1), (.status, 2), (.stop, 1), (.status, 3)] {
      let bench = EngineBench()
      bench.play(then: .seconds(1))
      bench.device?.failing = (operation, call)
      bench.route(.speaker, then: .seconds(1))
      #expect(!bench.reportNames.contains("lost"))
      #expect(bench.opened.count == 2)
      let speaker = try #require(bench.taps[.speaker])
      #expect(speaker.frames.count > EngineBench.rate * 9 / 10)
      expectJoined(bench)
    }
  }

  @Test("I14: gone in the middle of a fade, of priming or of a route switch")
  func goneMeanwhile() {
    for act in 0..<3 {
      let bench = EngineBench()
      bench.play(then: .seconds(1))
      bench.devices.failures = act == 1 ? 0 : 1
      switch act {
      case 0: bench.silence()
      case 1: bench.route(.speaker)
      default:
        bench.silence(then: .milliseconds(50))
        bench.device?.stop(as: .disconnected)
        bench.send(.play)
      }
      bench.pass(.milliseconds(2))
      bench.device?.stop(as: .disconnected)
      bench.pass(.seconds(1))
      #expect(bench.reportNames.filter { $0 == "silenced" }.count == (act == 1 ? 0 : 1))
      #expect(bench.reportNames.contains("lost") == (act != 1))
      restore(bench)
      expectJoined(bench)
      #expect(bench.hearing(Self.long).last > EngineBench.rate * 18 / 10)
    }
  }

  @Test("I14: busy devices are reported at every try, and tried only on command")
  func busy() {
    let bench = EngineBench()
    bench.devices.failures = 3
    bench.play(then: .seconds(5))
    #expect(bench.reportNames == ["lost"] && bench.services < 20)
    bench.send(.reopen)
    bench.send(.reopen, then: .seconds(1))
    #expect(bench.reportNames == ["lost", "lost", "lost"])
    restore(bench)
    #expect(Array(bench.reportNames.dropFirst(3)) == ["restored", "started 0", "began 0"])
  }

  @Test("a device that stops as soon as it starts is lost, not started again and again", arguments: [false, true])
  func diesAtOnce(forgets: Bool) {
    let bench = EngineBench(Quirks(forgets: forgets, diesAtOnce: true))
    bench.play(then: .seconds(5))
    #expect(bench.reportNames.last == "lost" && bench.services <= 50)
    guard case .outputLost(let position)? = bench.reports.last else {
      Issue.record("no outputLost")
      return
    }
    #expect(position == Position(track: 0, frame: 0))
  }

  @Test(
    "I14: a device that plays for a moment and stands still whenever it is opened is lost, not opened again and again",
    arguments: [300, 1_500])
  func standsStillAgain(after time: Int64) {
    let bench = EngineBench()
    bench.play()
    for _ in 0..<4 {
      bench.pass(.milliseconds(time))
      bench.device?.quirks.isStuck = true
      bench.pass(.milliseconds(2_300))
    }
    #expect(bench.reportNames.last == "lost" && bench.opened.count == 2)
  }

  @Test("a device that takes no frames is lost after a second")
  func takesNothing() {
    let bench = EngineBench(Quirks(maxTaken: 0))
    bench.play(then: .seconds(5))
    #expect(bench.reportNames == ["lost"] && bench.services <= 150)
  }

  @Test("a device found suspended when playback resumes is made ready")
  func suspendedWhilePaused() {
    let bench = EngineBench()
    bench.play(then: .seconds(1))
    bench.silence(then: .milliseconds(50))
    bench.device?.stop(as: .suspended)
    bench.send(.play, then: .seconds(1))
    #expect(!bench.reportNames.contains("lost"))
    expectJoined(bench, 0...Self.fade)
    #expect(bench.hearing(Self.long).last > EngineBench.rate * 19 / 10)
  }
}
