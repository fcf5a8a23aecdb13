import AudioSession
import Board
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport
@testable import Simulator

/// A multi-route: the same on every port, each at its own volume, and none disturbed by another's loss.
@Suite struct OutputGroupTests {
  static let rate = EngineBench.rate

  /// An output group on hard devices in virtual time. Sends the decoders the next tracks as the brain would.
  final class GroupBench {
    let clock = VirtualClock()
    let devices: HardDevices
    let outputGroup: OutputGroup
    let files: OpenTracks
    private(set) var reports: [AudioReport] = []
    var following: ArraySlice<Int> = []

    /// - Parameters:
    ///   - special: the quirks of ports that have others.
    ///   - cards: the devices of ports that have another one than one of their own.
    init(
      tracks: [Int] = [600 * rate], quirks: HardDevice.Quirks = HardDevice.Quirks(),
      special: [Port: HardDevice.Quirks] = [:], ports: [Port] = [.headphones, .speaker], cards: [Port: String] = [:],
      answersAtOnce: Bool = true
    ) {
      devices = HardDevices(quirks, of: special, clock: clock, answersAtOnce: answersAtOnce)
      let names = tracks.indices.map(EngineBench.name)
      files = OpenTracks(
        CountingTracks(Dictionary(uniqueKeysWithValues: zip(names, tracks)), sound: .left))
      outputGroup = OutputGroup(
        outputs: ports.map { AudioEngine.Output(port: $0, device: cards[$0] ?? $0.rawValue) },
        devices: devices,
        tracks: files,
        cueFiles: CountingTracks(["c": 20_000], sound: .left), rate: rate, buffer: .milliseconds(200),
        library: Library(paths: names), cues: ["c"])
    }

    deinit { for thread in outputGroup.deviceThreads { thread.stop() } }

    /// - Parameter time: passes after them.
    func obey(_ commands: AudioCommand..., then time: Duration? = nil) {
      for command in commands { outputGroup.obey(command, at: clock.now) }
      if let time { pass(time) }
    }

    func pass(_ time: Duration) {
      let end = clock.now + time
      while true {
        let next = settle()
        if let due = [next, outputGroup.nextTry].compactMap({ $0 }).min(), due <= end {
          clock.advance(to: due)
          outputGroup.retry(at: clock.now)
        } else if clock.now < end {
          clock.advance(to: end)
        } else {
          break
        }
      }
      for device in devices.opened where !device.isClosed { device.catchUp() }
    }

    private func settle() -> Instant? {
      // What a report has led to is done, too, before time passes.
      var idle = 0
      while true {
        let (next, hasDecoded) = outputGroup.work(at: clock.now)
        var isBusy = hasDecoded
        for thread in outputGroup.deviceThreads {
          isBusy = isBusy || thread.request != nil
          thread.work()
        }
        for report in outputGroup.takeReports(at: clock.now) {
          isBusy = true
          reports.append(report)
          if case .opened(let stream, _, _) = report {
            obey(.follow(stream: stream, track: following.popFirst().map { TrackID($0) }))
          }
        }
        idle = isBusy ? 0 : idle + 1
        if idle > 1 { return next }
      }
    }

    /// The music of a port by clock frame.
    func heard(_ port: Port) -> [Int] {
      CueHearing(devices.taps[port] ?? FrameRecorder(), until: clock.now.frame(rate: rate)).music
    }

    /// Outputs that were lost.
    var losses: [AudioReport] {
      reports.filter { report in
        switch report {
        case .outputLost, .leftOutputLost, .otherOutputLost: true
        default: false
        }
      }
    }

    func device(_ port: Port) -> HardDevice? { devices.opened.last { $0.port == port && !$0.isClosed } }
  }

  private func playing(_ quirks: HardDevice.Quirks = HardDevice.Quirks()) -> GroupBench {
    let bench = GroupBench(quirks: quirks)
    bench.obey(
      .route(.headphones, volume: 100), .others([.speaker: 100]),
      .load(stream: 1, Position(track: 0, frame: 0)), .play)
    return bench
  }

  @Test("S6: every port plays the same at the same time, each at its own volume")
  func together() {
    let bench = playing()
    bench.pass(.milliseconds(500))
    bench.obey(.others([.speaker: 0]), then: .milliseconds(500))
    let lead = bench.heard(.headphones)
    let other = bench.heard(.speaker)
    #expect(lead.contains { $0 != 0 } && lead[..<20_000] == other[..<20_000])
    #expect(other[(Self.rate * 6 / 10)...].allSatisfy { $0 == 0 })
    #expect(lead.indices.allSatisfy { lead[$0] == $0 % 30_000 + 1 })
    #expect(bench.files.opened == 1, "one decoder for both")
    // The other outputs' reports do not concern the brain.
    #expect(bench.reports.filter { if case .playback(.started) = $0 { true } else { false } }.count == 1)
  }

  @Test("S6: a port that joins in starts at the position of the music, and leaves without a trace")
  func joins() {
    let bench = GroupBench(tracks: [10_000, 600 * Self.rate])
    bench.following = [1]
    bench.obey(.route(.headphones, volume: 100), .load(stream: 1, Position(track: 0, frame: 0)), .play)
    bench.pass(.milliseconds(600))
    let start = bench.clock.now.frame(rate: Self.rate)
    bench.obey(.others([.speaker: 100]), then: .milliseconds(400))
    let end = bench.clock.now.frame(rate: Self.rate)
    bench.obey(.others([:]), then: .milliseconds(400))
    let lead = bench.heard(.headphones)
    let other = bench.heard(.speaker)
    #expect(other[..<start].allSatisfy { $0 == 0 } && other[(end + 177)...].allSatisfy { $0 == 0 })
    for time in (start + 200)..<end { #expect(abs(other[time] - lead[time]) <= 2) }
    #expect(bench.device(.speaker) == nil && bench.device(.headphones) != nil)
  }

  @Test("S6: paused and resumed, all resume at the same frame")
  func resumes() {
    let bench = playing()
    bench.pass(.milliseconds(500))
    bench.obey(.silence(edge: bench.clock.now - .milliseconds(10)), then: .milliseconds(300))
    bench.obey(.play, then: .milliseconds(500))
    #expect(bench.heard(.headphones) == bench.heard(.speaker))
    #expect(bench.files.opened == 1)
  }

  @Test("S6, P12, P14: an unplug stops the card of the port that was pulled, and the others fade")
  func unplug() throws {
    let bench = playing(HardDevice.Quirks(takesBack: false))
    bench.pass(.milliseconds(510))
    let before = try #require(bench.devices.taps[.speaker]).frames.count
    let heard = try #require(bench.devices.taps[.headphones]).frames.count
    bench.obey(.silence(edge: bench.clock.now), then: .milliseconds(200))
    #expect(try #require(bench.devices.taps[.headphones]).frames.count == heard)
    let fade = Timing().fade.frames(rate: Self.rate)
    #expect(try #require(bench.devices.taps[.speaker]).frames.count > before + fade)
  }

  @Test("S6: a port that fell behind is together with the others after the next pause")
  func togetherAgain() {
    let bench = playing()
    bench.pass(.milliseconds(500))
    bench.device(.speaker)?.quirks.refusesUntil = bench.clock.now + .milliseconds(50)
    bench.device(.speaker)?.stop(as: .underrun)
    bench.pass(.milliseconds(500))
    let before = bench.clock.now.frame(rate: Self.rate) - 1
    #expect(bench.heard(.headphones)[before] - bench.heard(.speaker)[before] > 100)
    bench.obey(.silence(edge: nil), then: .milliseconds(300))
    bench.obey(.play, then: .milliseconds(500))
    #expect(bench.heard(.headphones)[(before + 10_000)...] == bench.heard(.speaker)[(before + 10_000)...])
    #expect(!bench.reports.contains { if case .playback(.underrun) = $0 { true } else { false } })
  }

  @Test("S6: the loss of another port is reported and retried, and does not disturb the rest")
  func otherLost() {
    let bench = playing()
    bench.pass(.milliseconds(500))
    bench.devices.dead = [.speaker]
    bench.device(.speaker)?.stop(as: .disconnected)
    bench.pass(.milliseconds(2_500))
    bench.devices.dead = []
    bench.pass(.seconds(4))
    let lead = bench.heard(.headphones)
    #expect(lead.indices.allSatisfy { lead[$0] == $0 % 30_000 + 1 })
    let changes = bench.reports.compactMap { report -> String? in
      switch report {
      case .otherOutputLost(let port, _): "lost \(port)"
      case .otherOutputRestored(let port): "restored \(port)"
      case .outputLost, .playback(.outputRestored), .playback(.underrun): "wrong"
      default: nil
      }
    }
    #expect(changes == ["lost speaker", "restored speaker"])
    let other = bench.heard(.speaker)
    let now = lead.count - 1
    #expect(abs(other[now] - lead[now]) <= 2)
  }

  @Test("S6: when the route's own output is lost, the others fall silent and come back with it")
  func leadLost() {
    let bench = playing()
    bench.pass(.milliseconds(500))
    bench.devices.dead = [.headphones]
    bench.device(.headphones)?.stop(as: .disconnected)
    bench.pass(.milliseconds(1_500))
    let now = bench.clock.now.frame(rate: Self.rate)
    #expect(bench.heard(.speaker)[(now - Self.rate / 2)...].allSatisfy { $0 == 0 })
    bench.devices.dead = []
    bench.obey(.reopen, then: .milliseconds(10))
    bench.obey(.play, then: .milliseconds(500))
    let lead = bench.heard(.headphones)
    #expect(lead[(now + 3_000)...] == bench.heard(.speaker)[(now + 3_000)...] && lead.last != 0)
  }

  @Test(
    "S6: route and other port change places, on devices that only one can have at a time, however long each fades out",
    arguments: [HardDevice.Quirks(), HardDevice.Quirks(takesBack: false)])
  func changePlaces(quirks: HardDevice.Quirks) throws {
    let bench = GroupBench(special: [.speaker: quirks], answersAtOnce: false)
    bench.obey(
      .route(.headphones, volume: 100), .others([.speaker: 100]),
      .load(stream: 1, Position(track: 0, frame: 0)), .play)
    bench.pass(.milliseconds(500))
    bench.obey(.route(.speaker, volume: 100), .others([.headphones: 100]), then: .milliseconds(500))
    #expect(bench.losses.isEmpty)
    let now = bench.clock.now.frame(rate: Self.rate) - 1
    let lead = bench.heard(.speaker)[now]
    #expect(lead != 0 && abs(lead - bench.heard(.headphones)[now]) <= 2)
  }

  @Test("S6: of two other ports with one card the first has it, and the second as soon as it is free")
  func oneCard() {
    let bench = GroupBench(
      ports: [.headphones, .speaker, .bluetooth], cards: [.headphones: "card", .speaker: "card"], answersAtOnce: false)
    bench.obey(.route(.headphones, volume: 100), .load(stream: 1, Position(track: 0, frame: 0)), .play)
    bench.pass(.milliseconds(500))
    bench.obey(.route(.bluetooth, volume: 100), .others([.headphones: 100, .speaker: 100]))
    // Longer than a device may take to answer.
    bench.pass(.seconds(3))
    #expect(bench.device(.headphones) != nil && bench.device(.speaker) == nil)
    bench.obey(.others([.speaker: 100]), then: .milliseconds(500))
    let now = bench.clock.now.frame(rate: Self.rate) - 1
    let lead = bench.heard(.bluetooth)[now]
    // It waits until the first one's fade is over.
    #expect(lead != 0 && abs(lead - bench.heard(.speaker)[now]) <= Self.rate / 100)
    #expect(bench.losses.isEmpty)
  }

  @Test("S6: a port whose clock differs is brought in step when a track begins")
  func drift() {
    let bench = GroupBench(
      tracks: Array(repeating: 2 * Self.rate, count: 8),
      special: [.speaker: HardDevice.Quirks(drift: 10_000)])
    bench.following = [1, 2, 3, 4, 5, 6, 7]
    bench.obey(
      .route(.headphones, volume: 100), .others([.speaker: 100]),
      .load(stream: 1, Position(track: 0, frame: 0)), .play)
    bench.pass(.seconds(13))
    let now = bench.clock.now.frame(rate: Self.rate) - 100
    let (lead, other) = (bench.heard(.headphones)[now], bench.heard(.speaker)[now])
    #expect(other != 0 && abs(other - lead) <= Self.rate * 60 / 1_000, "\(other - lead) frames apart")
  }

  @Test("S6, P12: a port that is behind the route's end fades out where other music begins")
  func behindTheEnd() throws {
    let bench = GroupBench(
      tracks: [2 * Self.rate, 2 * Self.rate], special: [.speaker: HardDevice.Quirks(drift: -20_000)])
    bench.obey(
      .route(.headphones, volume: 100), .others([.speaker: 100]),
      .load(stream: 1, Position(track: 0, frame: 0)), .play)
    let start = bench.clock.now
    while !bench.reports.contains(.playback(.ended(stream: 1))), bench.clock.now < start + .seconds(3) {
      bench.pass(.milliseconds(1))
    }
    let end = bench.clock.now.frame(rate: Self.rate)
    bench.obey(.load(stream: 2, Position(track: 1, frame: 0)), .play, then: .milliseconds(500))
    var left = [Int](repeating: 0, count: Self.rate / 10)
    for frame in try #require(bench.devices.taps[.speaker]).frames where left.indices.contains(frame.at - end) {
      left[frame.at - end] = Int(frame.left)
    }
    #expect(left[0] > 10_000, "it is not behind")
    #expect(zip(left, left.dropFirst()).allSatisfy { abs($0 - $1) < 2_000 })
  }

  @Test("S6: a cue speaks on every port at once")
  func cue() {
    let bench = playing()
    bench.pass(.milliseconds(500))
    bench.obey(.duck(level: -60, over: .milliseconds(200)), .speak(id: 1, cue: 0), then: .milliseconds(900))
    #expect(bench.heard(.headphones) == bench.heard(.speaker))
    #expect(bench.reports.filter { $0 == .playback(.cueEnded(id: 1)) }.count == 1)
  }

  @Test("D7: a port that comes back while another cue speaks does not resume the one that it has left")
  func leftCue() {
    let bench = GroupBench()
    bench.obey(.route(.headphones, volume: 100), .others([.speaker: 100]), .speak(id: 1, cue: 0))
    bench.pass(.milliseconds(200))
    bench.obey(.pauseCue(edge: nil), .route(.speaker, volume: 100), .others([:]), .speak(id: 2, cue: 0))
    bench.pass(.milliseconds(100))
    bench.obey(.route(.headphones, volume: 100), .others([.speaker: 100]), then: .milliseconds(100))
    bench.obey(.pauseCue(edge: nil), then: .milliseconds(50))
    let now = bench.clock.now.frame(rate: Self.rate)
    bench.obey(.resumeCue, then: .milliseconds(500))
    #expect(bench.heard(.speaker)[now...].allSatisfy { $0 == 0 })
    #expect(bench.heard(.headphones)[now...].contains { $0 != 0 })
    #expect(
      bench.reports.contains(.playback(.cueEnded(id: 2))) && !bench.reports.contains(.playback(.cueEnded(id: 1))))
  }
}
