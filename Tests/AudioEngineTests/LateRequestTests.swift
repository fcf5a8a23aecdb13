import AudioSession
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// A track that is named when the stream was to end: it follows without a gap, unless the decoder has come to the end (J1).
@Suite struct LateRequestTests {
  /// Longer than what is decoded ahead of what is heard.
  private static let long = 10 * EngineBench.rate
  private static let short = 20_000

  private func amend(_ bench: EngineBench, _ track: TrackID) {
    bench.decoder.post(.follow(stream: 1, track: track))
  }

  private func opened(_ bench: EngineBench) -> [TrackID] {
    bench.decoderReports.compactMap { if case .opened(_, let track, _) = $0 { track } else { nil } }
  }

  @Test("J1: a track named behind the end of the stream joins up to the sample")
  func joins() {
    let lengths = [Self.long, Self.short]
    let bench = EngineBench(tracks: lengths)
    bench.play(then: .seconds(5))
    amend(bench, 1)
    bench.pass(.seconds(10))
    #expect(bench.reportNames == ["started 0", "began 0", "began 1", "ended"])
    let hearing = bench.hearing(lengths)
    #expect(hearing.joints.isEmpty && hearing.last == lengths.reduce(0, +) - 1)
  }

  @Test("J1: and another one behind that, when the stream was to end there")
  func joinsTwice() {
    let lengths = [Self.long, Self.long, Self.short]
    let bench = EngineBench(tracks: lengths)
    bench.play(then: .seconds(5))
    amend(bench, 1)
    bench.pass(.seconds(10))
    amend(bench, 2)
    bench.pass(.seconds(10))
    #expect(bench.reportNames == ["started 0", "began 0", "began 1", "began 2", "ended"])
    #expect(bench.hearing(lengths).joints.isEmpty)
  }

  @Test("J1: several named at once follow in their order")
  func several() {
    let lengths = [Self.long, Self.short, Self.short]
    let bench = EngineBench(tracks: lengths)
    bench.play(then: .seconds(5))
    amend(bench, 1)
    amend(bench, 2)
    bench.pass(.seconds(10))
    #expect(bench.reportNames == ["started 0", "began 0", "began 1", "began 2", "ended"])
    #expect(bench.hearing(lengths).joints.isEmpty)
  }

  @Test("J1: a track that comes too late is ignored, and is not in the way of the next stream")
  func tooLate() {
    let bench = EngineBench(tracks: [Self.short, Self.short, Self.short])
    bench.play(then: .milliseconds(200))
    amend(bench, 1)
    bench.pass(.seconds(2))
    #expect(bench.reportNames == ["started 0", "began 0", "ended"] && opened(bench) == [0])
    bench.load(2)
    bench.send(.play, then: .seconds(2))
    #expect(Array(bench.reportNames.dropFirst(3)) == ["started 2", "began 2", "ended"] && opened(bench) == [0, 2])
  }

  @Test("J1: at whichever moment it comes, it is opened and heard behind the track, or neither")
  func everyMoment() {
    var inTime: [Bool] = []
    for steps in 0..<20 {
      let lengths = [Self.short, Self.short]
      let bench = EngineBench(tracks: lengths)
      bench.load()
      bench.decoder.post(.follow(stream: 1, track: nil))
      for _ in 0..<steps { _ = bench.decoder.step() }
      amend(bench, 1)
      bench.namesNextTracks = false
      bench.route(.headphones)
      bench.send(.play, then: .milliseconds(10))
      inTime.append(opened(bench) == [0, 1])
      bench.decoder.post(.follow(stream: 1, track: nil))
      bench.pass(.seconds(2))
      let began = inTime.last == true ? ["began 0", "began 1"] : ["began 0"]
      #expect(bench.reportNames == ["started 0"] + began + ["ended"], "\(steps)")
      #expect(bench.hearing(lengths).joints.isEmpty)
    }
    // Too late once, too late forever.
    #expect(inTime.first == true && inTime.last == false && inTime.sorted { $0 && !$1 } == inTime)
  }

  @Test("J1, X4: a stream whose storage has failed does not go on with a track that comes later, whenever it comes")
  func storageFails() {
    for steps in 0..<20 {
      let bench = EngineBench(tracks: [Self.long, Self.short], breaks: [0: Self.short], failsStorage: true)
      bench.load()
      bench.decoder.post(.follow(stream: 1, track: nil))
      for _ in 0..<steps { _ = bench.decoder.step() }
      amend(bench, 1)
      bench.route(.headphones)
      bench.send(.play, then: .seconds(3))
      #expect(bench.reportNames == ["started 0", "began 0", "ended"] && opened(bench) == [0], "\(steps)")
      let failures = bench.decoderReports.filter { if case .storageFailed = $0 { true } else { false } }
      #expect(failures.count == 1)
    }
  }

  // MARK: - In a multi-route

  /// Two ports and two tracks; what plays at the second port is decoded first or last.
  private func group(second isFirst: Bool) -> OutputGroupTests.GroupBench {
    let bench = OutputGroupTests.GroupBench(tracks: [Self.short, Self.long])
    bench.obey(
      .route(.headphones, volume: 100), .others([.speaker: 100]), .load(stream: 1, Position(track: 0, frame: 0)),
      .follow(stream: 1, track: nil))
    // The route's, and of the other ports the second.
    let decoders = bench.outputGroup.musicDecoders
    let early = isFirst ? decoders[2] : decoders[0]
    while early.step() == .worked {}
    bench.obey(.follow(stream: 1, track: 1), .play)
    return bench
  }

  @Test("J1, S6: where it came in time at the route only, the other port joins in when it begins")
  func lateAtOther() {
    let bench = group(second: true)
    bench.pass(.seconds(3))
    let (lead, other) = (bench.heard(.headphones), bench.heard(.speaker))
    #expect((Self.short..<lead.count).allSatisfy { lead[$0] == ($0 - Self.short) % 30_000 + 1 })
    let now = lead.count - 1
    #expect(abs(other[now] - lead[now]) <= Self.tenMilliseconds)
    // Heard once, the first track is not heard again.
    let joined = other[(Self.short + Self.tenMilliseconds)...].firstIndex { $0 != 0 }
    #expect(joined.map { $0 < Self.short + EngineBench.rate / 4 && other[$0] < EngineBench.rate / 4 } == true)
  }

  @Test("J1, S6: where it came in time at the other port only, that falls silent with the route")
  func lateAtRoute() {
    let bench = group(second: false)
    bench.pass(.seconds(3))
    #expect(bench.reports.contains(.playback(.ended(stream: 1))))
    let (lead, other) = (bench.heard(.headphones), bench.heard(.speaker))
    #expect(lead[Self.short...].allSatisfy { $0 == 0 })
    #expect(other[(Self.short + EngineBench.rate / 10)...].allSatisfy { $0 == 0 })
    // The next stream is heard at both.
    bench.obey(.load(stream: 2, Position(track: 1, frame: 0)), .play)
    let before = lead.count
    bench.pass(.seconds(1))
    let (now, later) = (bench.heard(.headphones), bench.heard(.speaker))
    #expect(now[(before + 1_000)...] == later[(before + 1_000)...] && now.last != 0)
  }

  private static let tenMilliseconds = EngineBench.rate / 100
}
