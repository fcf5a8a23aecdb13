import AudioSession
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport
@testable import Simulator

/// How a player translates the brain's commands, and the reports of engine and decoders.
@Suite struct PlayerTests {
  private final class PlayerBench {
    let clock = VirtualClock()
    let devices: VirtualDevices
    let tracks = OpenTracks(
      CountingTracks(
        ["a": 10_000_000, "whole": 8_000, "damaged": 8_000], breaks: ["damaged": 5_000], sound: .left))
    let player: Player
    private(set) var reports: [AudioReport] = []

    init() {
      let ports: [Port] = [.speaker, .headphones]
      devices = VirtualDevices(
        clock: clock,
        taps: Dictionary(uniqueKeysWithValues: ports.map { ($0, PortTap(port: $0, rate: 44_100, wav: nil)) }))
      player = Player(
        outputs: ports.map { AudioEngine.Output(port: $0, device: $0.rawValue) }, devices: devices, tracks: tracks,
        cueFiles: tracks,
        rate: 44_100, buffer: .milliseconds(200), library: Library(paths: ["a"]), cues: ["whole", "missing", "damaged"])
    }

    /// - Parameter time: passes after them.
    func obey(_ commands: AudioCommand..., then time: Duration? = nil) {
      for command in commands { player.obey(command) }
      if let time { pass(time) }
    }

    func pass(_ time: Duration) {
      let end = clock.now + time
      while clock.now < end {
        for _ in 0..<6 {
          _ = player.engine.service(at: clock.now)
          for decoder in [player.decoder, player.cueDecoder] { while decoder.step() == .worked {} }
          reports += player.takeReports()
        }
        clock.advance(to: min(end, clock.now + .milliseconds(5)))
      }
    }

    var cues: [String] {
      reports.compactMap { report in
        switch report {
        case .playback(.cueStarted(let id, _)): "started \(id)"
        case .playback(.cueEnded(let id)): "ended \(id)"
        case .cueFailed(let id, let reason): "failed \(id): \(reason)"
        default: nil
        }
      }
    }
  }

  @Test("D5: a cue that is missing or damaged fails with its reason, the latter when its last frame was heard")
  func faults() {
    let bench = PlayerBench()
    bench.obey(.route(.speaker, volume: 100), .speak(id: 1, cue: 0), then: .milliseconds(500))
    bench.obey(.speak(id: 2, cue: 1), then: .milliseconds(500))
    bench.obey(.speak(id: 3, cue: 2), then: .milliseconds(100))
    #expect(bench.cues == ["started 1", "ended 1", "failed 2: no such file", "started 3"])
    bench.pass(.milliseconds(400))
    #expect(bench.cues.last == "failed 3: damaged" && !bench.player.isSounding)
  }

  @Test("the end of the firmware waits for a cue and for its fade")
  func sounding() {
    let bench = PlayerBench()
    bench.obey(.route(.speaker, volume: 100))
    #expect(!bench.player.isSounding)
    bench.obey(.speak(id: 1, cue: 0), then: .milliseconds(50))
    #expect(bench.player.isSounding)
    bench.obey(.pauseCue(edge: nil))
    #expect(bench.player.isSounding)
    bench.pass(.milliseconds(20))
    #expect(!bench.player.isSounding)
    bench.obey(.resumeCue, then: .milliseconds(50))
    #expect(bench.player.isSounding)
    bench.pass(.milliseconds(300))
    #expect(!bench.player.isSounding && bench.cues == ["started 1", "ended 1"])
  }

  @Test("I11: a release closes the decoder's file, unless something was loaded meanwhile")
  func release() {
    let bench = PlayerBench()
    bench.obey(.route(.speaker, volume: 100), .load(stream: 1, Position(track: 0, frame: 0)), .play)
    bench.pass(.milliseconds(100))
    bench.obey(.silence(edge: nil), .release)
    #expect(bench.tracks.open == ["a"])
    bench.pass(.milliseconds(100))
    #expect(bench.tracks.open.isEmpty)
    bench.obey(.load(stream: 2, Position(track: 0, frame: 4_410)), .play, then: .milliseconds(100))
    bench.obey(.silence(edge: nil), .release, .load(stream: 3, Position(track: 0, frame: 4_410)), .play)
    bench.pass(.milliseconds(100))
    #expect(bench.tracks.open == ["a"] && bench.player.isSounding)
  }

  @Test("I14: a device that fails before the engine obeys the next route is no loss of that, where the music can go on")
  func lostWhileLeft() {
    let bench = PlayerBench()
    bench.obey(.route(.speaker, volume: 100), .load(stream: 1, Position(track: 0, frame: 0)), .play)
    bench.pass(.milliseconds(500))
    bench.devices.offer(.speaker, false)
    bench.obey(.route(.headphones, volume: 100), then: .milliseconds(100))
    guard case .leftOutputLost(let port, let reason, let position?)? = bench.reports.last else {
      Issue.record("\(bench.reports)")
      return
    }
    #expect(port == .speaker && reason != "unknown")
    #expect(position.frame > 0 && !bench.player.isSounding && bench.player.soundingPort == .headphones)
    bench.obey(.play, then: .milliseconds(300))
    let starts = bench.reports.compactMap { report -> Int? in
      if case .playback(.started(_, let start, _)) = report { start.frame } else { nil }
    }
    #expect(starts == [0, position.frame])
    bench.devices.offer(.headphones, false)
    bench.pass(.milliseconds(100))
    #expect(bench.reports.contains { if case .outputLost = $0 { true } else { false } })
  }

  @Test("R12: music and cue are decoded at the device's rate, positions stay in frames of the board's")
  func rates() {
    let bench = PlayerBench()
    bench.devices.setRate(48_000)
    bench.obey(.route(.speaker, volume: 100), .load(stream: 1, Position(track: 0, frame: 44_100)), .play)
    bench.pass(.milliseconds(1_000))
    // The brain need not load it again: only the rate of the first output had to be found out.
    #expect(bench.tracks.rate == 48_000)
    #expect(bench.reports.contains(.playback(.outputChanged(rate: 48_000, bufferFrames: 9_600, nil))))
    let openings = bench.reports.filter { if case .opened = $0 { true } else { false } }
    #expect(openings.count == 1)
    bench.obey(.silence(edge: nil), then: .milliseconds(100))
    guard case .playback(.silenced(1, let position?))? = bench.reports.last else {
      Issue.record("not silenced")
      return
    }
    #expect(abs(position.frame - 88_200) <= 250)
    bench.devices.setRate(22_050)
    bench.obey(.play, then: .milliseconds(100))
    guard case .playback(.outputChanged(22_050, _, let changed))? = bench.reports.last else {
      Issue.record("not changed")
      return
    }
    #expect(changed.map { abs($0.frame - position.frame) <= 1 } == true)
    bench.obey(.speak(id: 1, cue: 0), then: .milliseconds(500))
    #expect(bench.tracks.rate == 22_050 && bench.cues == ["started 1", "ended 1"])
  }

  @Test("R12: a cue that was loaded for another rate is decoded again, but not while it is paused")
  func staleCue() {
    let bench = PlayerBench()
    bench.devices.setRate(48_000)
    bench.obey(.route(.speaker, volume: 100), .speak(id: 1, cue: 0), .pauseCue(edge: nil), then: .milliseconds(300))
    #expect(bench.cues == [])
    bench.obey(.speak(id: 2, cue: 0), then: .milliseconds(300))
    #expect(bench.cues == ["started 2", "ended 2"] && bench.tracks.rate == 48_000)
  }
}
