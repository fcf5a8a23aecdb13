import AudioSession
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Loads, tracks and fades that come at an awkward moment.
@Suite struct EngineStreamTests {
  typealias Quirks = HardDevice.Quirks
  static let fade = 176
  static let long = 600 * EngineBench.rate

  private func expectOnce(_ bench: EngineBench, tracks: Range<Int>, sourceLocation: SourceLocation = #_sourceLocation) {
    let began = bench.reportNames.filter { $0.hasPrefix("began") }
    #expect(began == tracks.map { "began \($0)" }, sourceLocation: sourceLocation)
    #expect(
      bench.reportNames.filter { $0 == "ended" }.count == 1 && bench.reportNames.last == "ended",
      sourceLocation: sourceLocation)
    #expect(
      !bench.reportNames.contains("underrun") && !bench.reportNames.contains("lost"), sourceLocation: sourceLocation)
  }

  @Test(
    "P10: short tracks begin and end once each and join up, on every kind of device",
    arguments: AwkwardDeviceTests.kinds.indices)
  func tracks(kind: Int) {
    let lengths = [9_000, 3, 1, 100, 7_001, 30_000]
    let bench = EngineBench(AwkwardDeviceTests.kinds[kind].quirks, tracks: lengths)
    bench.queue = (1..<6).map { TrackID($0) }[...]
    bench.play(then: .seconds(2))
    expectOnce(bench, tracks: 0..<6)
    let hearing = bench.hearing(lengths)
    #expect(hearing.joints.isEmpty && hearing.first == 0 && hearing.last == lengths.reduce(0, +) - 1)
    let ended = bench.services
    bench.pass(.seconds(5))
    #expect(bench.services == ended)
  }

  @Test("little is rendered that the device does not take")
  func offered() throws {
    let bench = EngineBench()
    bench.play(then: .seconds(10))
    #expect(try #require(bench.device).refused < 2 * EngineBench.rate)
  }

  @Test("P10: a hundred tracks of a few frames, all queued at once or only as they are heard")
  func tiny() {
    for isEager in [true, false] {
      let lengths = [Int](repeating: 3, count: 100)
      let bench = EngineBench(tracks: lengths)
      bench.queue = (1..<100).map { TrackID($0) }[...]
      bench.namesNextTracks = isEager
      bench.play()
      for _ in 0..<400 where bench.reportNames.last != "ended" {
        bench.pass(.milliseconds(100))
        // Like a brain that looks no more than one track ahead.
        if !isEager {
          bench.namesNextTracks = true
          bench.followUp()
          bench.namesNextTracks = false
          bench.pass(.milliseconds(1))
        }
      }
      let began = bench.reportNames.filter { $0.hasPrefix("began") }
      #expect(began == (0..<100).map { "began \($0)" } && bench.reportNames.last == "ended")
      let hearing = bench.hearing(lengths)
      #expect(hearing.joints.allSatisfy { (0...Self.fade).contains($0.missing) })
      #expect(bench.services < 2_000)
    }
  }

  @Test("three hundred loads: the last is heard from its frame on, whichever thread is first")
  func loads() {
    for (skipping, count) in [(1, 300), (2, 5), (100, 5), (128, 5), (129, 5), (200, 5), (255, 5)] {
      let bench = EngineBench(tracks: [Self.long, 25_000])
      bench.play(then: .milliseconds(300))
      for _ in 0..<count {
        bench.silence()
        bench.load(1, at: 20_000, skipping: skipping)
        // The decode thread may have done all its work before the audio thread looks.
        while bench.decoder.step() == .worked {}
        bench.send(.play, then: .milliseconds(5))
      }
      bench.pass(.milliseconds(500))
      #expect(Array(bench.reportNames.suffix(3)) == ["started 1", "began 1", "ended"])
      #expect(bench.reportNames.filter { $0 == "silenced" }.count == count)
      #expect(bench.taps[.headphones]?.frames.last?.left == 25_000)
    }
  }

  @Test("more loads than the boundary ring holds, none looked at by the audio thread meanwhile")
  func markersFull() {
    let bench = EngineBench(tracks: [Self.long, 25_000])
    bench.play(then: .milliseconds(300))
    bench.silence()
    for _ in 0..<70 {
      bench.load(1, at: 24_000)
      while bench.decoder.step() == .worked {}
    }
    // The decode thread has seen them all and sleeps.
    bench.engine.signals.decode.clear()
    bench.send(.play, then: .seconds(1))
    #expect(Array(bench.reportNames.suffix(4)) == ["silenced", "started 1", "began 1", "ended"])
  }

  @Test("a decoder that waits for room in the boundary ring continues when there is some")
  func markersTaken() {
    let bench = EngineBench(tracks: [Int](repeating: 3, count: 80))
    bench.load()
    for track in 1..<80 {
      while bench.decoder.step() == .worked {}
      bench.decoder.post(.follow(stream: 1, track: TrackID(track)))
    }
    while bench.decoder.step() == .worked {}
    #expect(bench.decoder.takeReports().count == 64)
    bench.engine.signals.decode.clear()
    bench.pass(.milliseconds(10))
    #expect(bench.decoderReports.count == 16)
  }

  @Test("P9: next pressed twenty times within 10 ms")
  func impatient() {
    let bench = EngineBench(tracks: [Int](repeating: Self.long, count: 21))
    bench.decoderDelay = .microseconds(300)
    bench.play(then: .milliseconds(500))
    for track in 1...20 {
      bench.silence()
      bench.load(TrackID(track), skipping: 2)
      bench.send(.play, then: .microseconds(500))
    }
    bench.pass(.seconds(1))
    #expect(bench.reportNames.filter { $0 == "silenced" }.count == 20)
    #expect(bench.reportNames.last == "began 20")
    #expect(bench.hearing([Int](repeating: Self.long, count: 21)).clicks == [])
  }

  @Test("a load that comes while music plays cuts to the new stream from its first frame")
  func loadWhilePlaying() {
    let bench = EngineBench(tracks: [EngineBench.rate, EngineBench.rate])
    bench.play(then: .milliseconds(990))
    bench.load(1, then: .seconds(2))
    #expect(bench.reportNames == ["started 0", "began 0", "started 1", "began 1", "ended"])
    #expect(bench.hearing([EngineBench.rate, EngineBench.rate]).last == 2 * EngineBench.rate - 1)
  }

  @Test("W1, I11: a saved position near the end, at it, where the next track follows, and past it")
  func seeks() {
    for (frame, first) in [(49_000, 49_000), (49_999, 49_999), (50_000, 50_000), (50_001, 0), (70_000, 0)] {
      let bench = EngineBench(tracks: [50_000, 10_000])
      bench.queue = [1]
      bench.play(at: frame, then: .seconds(2))
      expectOnce(bench, tracks: 0..<2)
      guard
        case .playback(.began(_, let began, _))? = bench.reports.first(where: {
          if case .playback(.began) = $0 { true } else { false }
        })
      else {
        Issue.record("not begun")
        continue
      }
      #expect(began == Position(track: 0, frame: first))
      let hearing = bench.hearing([50_000, 10_000], from: first)
      let faded = first == 0 ? 0 : Self.fade - 1
      #expect(hearing.first == min(first + faded, 50_000) || first == 49_999)
      #expect(hearing.last == 59_999)
    }
  }

  @Test("P11: a track that breaks off in its first frames, and one that is empty")
  func broken() {
    let bench = EngineBench(tracks: [10_000, 10_000, 0, 10_000], breaks: [1: 5])
    bench.queue = (1..<4).map { TrackID($0) }[...]
    bench.play(then: .seconds(2))
    #expect(bench.reportNames == ["started 0", "began 0", "began 1", "began 3", "ended"])
    // No frame is missing; what was decoded last fades.
    #expect(bench.hearing([10_000, 5, 0, 10_000]).joints == [Hearing.Joint(missing: 0, pause: 882)])
  }

  @Test("P11: a stream without one playable track ends at once")
  func nothingPlayable() {
    let bench = EngineBench(tracks: [0, 0])
    bench.queue = [1]
    bench.play(then: .seconds(1))
    #expect(bench.reportNames == ["ended"])
  }

  @Test("a decoder that is late costs an underrun and no frame, and nothing spins while it is awaited")
  func lateDecoder() {
    for polls in [false, true] {
      let bench = EngineBench(Quirks(polls: polls))
      bench.play(then: .milliseconds(300))
      let before = bench.services
      bench.decoderDelay = .seconds(4)
      bench.pass(.milliseconds(3_900))
      #expect(bench.services - before <= 12 * 4 + 20)
      bench.decoderDelay = .zero
      bench.engine.signals.decode.raise()
      bench.pass(.seconds(2))
      #expect(bench.reportNames == ["started 0", "began 0", "underrun", "started 0"])
      guard case .playback(.underrun(let stands?)) = bench.reports[2],
        case .playback(.started(_, let resumes, _)) = bench.reports[3]
      else {
        Issue.record("no positions")
        continue
      }
      #expect(stands.frame > 0 && stands == resumes)
      let hearing = bench.hearing([Self.long])
      #expect(hearing.joints.count == 1 && hearing.joints.allSatisfy { $0.missing == Self.fade - 1 })
    }
  }

  @Test("what follows is named late: the engine waits at the track's end, and nothing is lost")
  func lateFollow() {
    let bench = EngineBench(tracks: [20_000, 20_000])
    bench.queue = [1]
    bench.namesNextTracks = false
    bench.play(then: .milliseconds(420))
    bench.namesNextTracks = true
    bench.followUp()
    bench.pass(.seconds(2))
    expectOnce(bench, tracks: 0..<2)
    #expect(bench.hearing([20_000, 20_000]).joints.isEmpty)
  }
}
