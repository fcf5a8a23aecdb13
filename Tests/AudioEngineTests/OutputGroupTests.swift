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

  /// A outputGroup on hard devices in virtual time, which answers decoders as the brain would.
  private final class Stand {
    let clock = VirtualClock()
    let devices: HardDevices
    let outputGroup: OutputGroup
    private(set) var reports: [AudioReport] = []
    var following: ArraySlice<Int> = []

    init(tracks: [Int] = [600 * rate]) {
      devices = HardDevices(HardDevice.Quirks(), clock: clock)
      let names = tracks.indices.map(EngineBench.name)
      outputGroup = OutputGroup(
        outputs: [Port.headphones, .speaker].map { AudioEngine.Output(port: $0, device: $0.rawValue) },
        devices: devices,
        tracks: CountingTracks(
          Dictionary(uniqueKeysWithValues: zip(names + ["c"], tracks + [20_000])), sound: .left),
        rate: rate, buffer: .milliseconds(200), library: names, cues: ["c"])
    }

    func obey(_ commands: AudioCommand...) { for command in commands { outputGroup.obey(command, at: clock.now) } }

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
      while true {
        var next: Instant?
        var isBusy = false
        for engine in outputGroup.engines {
          switch engine.service(at: clock.now) {
          case .signal: break
          case .until(let at), .device(let at): next = min(next ?? at, at)
          }
        }
        for decoder in outputGroup.decoders { while decoder.step() == .worked { isBusy = true } }
        for report in outputGroup.takeReports(at: clock.now) {
          isBusy = true
          reports.append(report)
          if case .opened(let stream, _, _) = report { obey(.follow(stream: stream, track: following.popFirst())) }
        }
        if !isBusy { return next }
      }
    }

    /// The music of a port by clock frame.
    func heard(_ port: Port) -> [Int] {
      CueHearing(devices.taps[port] ?? FrameRecorder(), until: clock.now.frame(rate: rate)).music
    }

    func device(_ port: Port) -> HardDevice? { devices.opened.last { $0.port == port && !$0.isClosed } }
  }

  private func playing() -> Stand {
    let stand = Stand()
    stand.obey(
      .route(.headphones, volume: 100), .others([.speaker: 100]),
      .load(stream: 1, Position(track: 0, frame: 0)), .play)
    return stand
  }

  @Test("S6: every port plays the same at the same time, each at its own volume")
  func together() {
    let stand = playing()
    stand.pass(.milliseconds(500))
    stand.obey(.others([.speaker: 0]))
    stand.pass(.milliseconds(500))
    let lead = stand.heard(.headphones)
    let other = stand.heard(.speaker)
    #expect(lead.contains { $0 != 0 } && lead[..<20_000] == other[..<20_000])
    #expect(other[(Self.rate * 6 / 10)...].allSatisfy { $0 == 0 })
    #expect(lead.indices.allSatisfy { lead[$0] == $0 % 30_000 + 1 })
    // The others' reports are nobody's business.
    #expect(stand.reports.filter { if case .started = $0 { true } else { false } }.count == 1)
  }

  @Test("S6: a port that joins in comes to where the music is, and leaves without a trace")
  func joins() {
    let stand = Stand(tracks: [10_000, 600 * Self.rate])
    stand.following = [1]
    stand.obey(.route(.headphones, volume: 100), .load(stream: 1, Position(track: 0, frame: 0)), .play)
    stand.pass(.milliseconds(600))
    let start = stand.clock.now.frame(rate: Self.rate)
    stand.obey(.others([.speaker: 100]))
    stand.pass(.milliseconds(400))
    let end = stand.clock.now.frame(rate: Self.rate)
    stand.obey(.others([:]))
    stand.pass(.milliseconds(400))
    let lead = stand.heard(.headphones)
    let other = stand.heard(.speaker)
    #expect(other[..<start].allSatisfy { $0 == 0 } && other[(end + 177)...].allSatisfy { $0 == 0 })
    for time in (start + 200)..<end { #expect(abs(other[time] - lead[time]) <= 2) }
    #expect(stand.device(.speaker) == nil && stand.device(.headphones) != nil)
  }

  @Test("S6: paused and resumed, all go on at the same frame")
  func resumes() {
    let stand = playing()
    stand.pass(.milliseconds(500))
    stand.obey(.silence(edge: stand.clock.now - .milliseconds(10)))
    stand.pass(.milliseconds(300))
    stand.obey(.play)
    stand.pass(.milliseconds(500))
    #expect(stand.heard(.headphones) == stand.heard(.speaker))
  }

  @Test("S6: a port that fell behind is together with the others after the next pause")
  func togetherAgain() {
    let stand = playing()
    stand.pass(.milliseconds(500))
    stand.device(.speaker)?.quirks.refusesUntil = stand.clock.now + .milliseconds(50)
    stand.device(.speaker)?.stop(as: .underrun)
    stand.pass(.milliseconds(500))
    let before = stand.clock.now.frame(rate: Self.rate) - 1
    #expect(stand.heard(.headphones)[before] - stand.heard(.speaker)[before] > 100)
    stand.obey(.silence(edge: nil))
    stand.pass(.milliseconds(300))
    stand.obey(.play)
    stand.pass(.milliseconds(500))
    #expect(stand.heard(.headphones)[(before + 10_000)...] == stand.heard(.speaker)[(before + 10_000)...])
    #expect(!stand.reports.contains(.underrun))
  }

  @Test("S6: the loss of another port is told, tried again and disturbs nobody")
  func otherLost() {
    let stand = playing()
    stand.pass(.milliseconds(500))
    stand.devices.dead = [.speaker]
    stand.device(.speaker)?.stop(as: .disconnected)
    stand.pass(.milliseconds(2_500))
    stand.devices.dead = []
    stand.pass(.seconds(4))
    let lead = stand.heard(.headphones)
    #expect(lead.indices.allSatisfy { lead[$0] == $0 % 30_000 + 1 })
    let told = stand.reports.compactMap { report -> String? in
      switch report {
      case .otherOutputLost(let port, _): "lost \(port)"
      case .otherOutputRestored(let port): "restored \(port)"
      case .outputLost, .outputRestored, .underrun: "wrong"
      default: nil
      }
    }
    #expect(told == ["lost speaker", "restored speaker"])
    let other = stand.heard(.speaker)
    let now = lead.count - 1
    #expect(abs(other[now] - lead[now]) <= 2)
  }

  @Test("S6: when the route's own output is lost, the others fall silent and come back with it")
  func leadLost() {
    let stand = playing()
    stand.pass(.milliseconds(500))
    stand.devices.dead = [.headphones]
    stand.device(.headphones)?.stop(as: .disconnected)
    stand.pass(.milliseconds(1_500))
    let now = stand.clock.now.frame(rate: Self.rate)
    #expect(stand.heard(.speaker)[(now - Self.rate / 2)...].allSatisfy { $0 == 0 })
    stand.devices.dead = []
    stand.obey(.reopen)
    stand.pass(.milliseconds(10))
    stand.obey(.play)
    stand.pass(.milliseconds(500))
    let lead = stand.heard(.headphones)
    #expect(lead[(now + 3_000)...] == stand.heard(.speaker)[(now + 3_000)...] && lead.last != 0)
  }

  @Test("S6: route and other port change places, on devices that only one can have at a time")
  func changePlaces() throws {
    let stand = playing()
    stand.pass(.milliseconds(500))
    stand.obey(.route(.speaker, volume: 100), .others([.headphones: 100]))
    stand.pass(.milliseconds(500))
    let told = stand.reports.filter { report in
      switch report {
      case .outputLost, .otherOutputLost: true
      default: false
      }
    }
    #expect(told.isEmpty)
    let now = stand.clock.now.frame(rate: Self.rate) - 1
    let lead = stand.heard(.speaker)[now]
    #expect(lead != 0 && abs(lead - stand.heard(.headphones)[now]) <= 2)
  }

  @Test("S6: a cue speaks on every port at once")
  func cue() {
    let stand = playing()
    stand.pass(.milliseconds(500))
    stand.obey(.duck(level: -60, over: .milliseconds(200)), .speak(clip: 1, cue: 0))
    stand.pass(.milliseconds(900))
    #expect(stand.heard(.headphones) == stand.heard(.speaker))
    #expect(stand.reports.filter { $0 == .clipEnded(clip: 1) }.count == 1)
  }

  @Test("D7: a port that comes back while another cue speaks does not go on with the one that it has left")
  func leftCue() {
    let stand = Stand()
    stand.obey(.route(.headphones, volume: 100), .others([.speaker: 100]), .speak(clip: 1, cue: 0))
    stand.pass(.milliseconds(200))
    stand.obey(.pauseClip(edge: nil), .route(.speaker, volume: 100), .others([:]), .speak(clip: 2, cue: 0))
    stand.pass(.milliseconds(100))
    stand.obey(.route(.headphones, volume: 100), .others([.speaker: 100]))
    stand.pass(.milliseconds(100))
    stand.obey(.pauseClip(edge: nil))
    stand.pass(.milliseconds(50))
    let now = stand.clock.now.frame(rate: Self.rate)
    stand.obey(.resumeClip)
    stand.pass(.milliseconds(500))
    #expect(stand.heard(.speaker)[now...].allSatisfy { $0 == 0 })
    #expect(stand.heard(.headphones)[now...].contains { $0 != 0 })
    #expect(stand.reports.contains(.clipEnded(clip: 2)) && !stand.reports.contains(.clipEnded(clip: 1)))
  }
}
