import AudioSession
import Testing

@testable import KioskTestSupport

/// The sound of the ports, sample by sample.
@Suite struct ContentTests {
  let stage = ScenarioSetup()

  /// Asserts that `samples` are the frames of the track from `frame` on.
  private func expectTrack(
    _ samples: ArraySlice<Int16>, from frame: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let wrong = samples.enumerated().first { $0.element != CountingTracks.left(frame + $0.offset) }?.offset
    #expect(wrong == nil, sourceLocation: sourceLocation)
  }

  @Test("volume 100 is gain 1: the track's own samples from its first frame to its last, and nothing else")
  func identical() throws {
    var stage = stage
    stage.tracks = [("a", 100_000)]
    let played = try stage.play("at 1s press play\nat 5s end")
    let runs = played.runs(.speaker)
    #expect(runs == [45_423..<145_423])
    expectTrack((played.left[.speaker] ?? [])[45_423..<145_423], from: 0)
    #expect(played.runs(.headphones).isEmpty && played.runs(.lineOut).isEmpty)
    #expect(played.left[.headphones]?.count == 5 * ScenarioSetup.rate)
  }

  @Test("volume 0 is exact silence, and time goes on")
  func mute() throws {
    let played = try stage.play(
      """
      at 0.5s console "volume 0"
      at 1s press play
      at 3s expect state playing silence speaker
      at 4s end
      """)
    #expect(played.runs(.speaker).isEmpty)
    #expect(played.outcome.failures.isEmpty)
  }

  @Test("R3: an unplug leaves at most 5 ms on that port and not one sample on any other, wherever it falls")
  func unplug() throws {
    for offset in stride(from: 0, to: 250, by: 17) {
      let edge = Instant.powerOn + .milliseconds(3_000 + offset)
      let played = try stage.play(
        """
        at 0s plug headphones
        at 0s plug dock
        at 1s press play
        at \(3_000 + offset)ms unplug headphones
        at 8s end
        """)
      let end = try #require(played.runs(.headphones).last?.upperBound)
      #expect(end > edge.frame(rate: ScenarioSetup.rate))
      #expect(end <= (edge + .milliseconds(5)).frame(rate: ScenarioSetup.rate))
      #expect(played.runs(.lineOut).isEmpty && played.runs(.speaker).isEmpty)
    }
  }

  @Test("P3, P12: what is heard before an unplug and after the re-plug joins up to the track, fade over fade")
  func joins() throws {
    let played = try stage.play(
      """
      at 0s plug headphones
      at 1s press play
      at 3.0017s unplug headphones
      at 6s plug headphones bounce 12ms
      at 9s end
      """)
    let samples = try #require(played.left[.headphones])
    let start = 45_423
    let edge = Instant(nanoseconds: 3_001_700_000).frame(rate: ScenarioSetup.rate)
    let held = edge - start
    expectTrack(samples[start..<edge], from: 0)
    let resumed = try #require(played.runs(.headphones).last).lowerBound
    // The first frame of a fade-in may round to silence.
    let origin = resumed - (resumed - Instant(nanoseconds: 6_000_000_000).frame(rate: ScenarioSetup.rate) > 0 ? 1 : 0)
    let candidates = [resumed, origin].filter {
      samples[$0 + ScenarioSetup.fade] == CountingTracks.left(held + ScenarioSetup.fade)
    }
    let back = try #require(candidates.first)
    expectTrack(samples[(back + ScenarioSetup.fade)...], from: held + ScenarioSetup.fade)
    for frame in 0..<ScenarioSetup.fade {
      let sum = Int(samples[edge + frame]) + Int(samples[back + frame])
      #expect(abs(sum - Int(CountingTracks.left(held + frame))) <= 2)
    }
  }

  @Test("R5: contact bounce loses no frame")
  func bounce() throws {
    let played = try stage.play(
      """
      at 0s plug headphones
      at 1s press play
      at 3s line JACK_SENSE 0
      at 3.003s line JACK_SENSE 1
      at 3.007s line JACK_SENSE 0
      at 3.012s line JACK_SENSE 1
      at 3.1s expect state playing sound headphones event line.bounced edges=4
      at 6s end
      """)
    let samples = try #require(played.left[.headphones])
    let edge = 3 * ScenarioSetup.rate
    let back = Instant(nanoseconds: 3_042_000_000).frame(rate: ScenarioSetup.rate)
    expectTrack(samples[45_423..<edge], from: 0)
    expectTrack(samples[(back + ScenarioSetup.fade)..<back + 40_000], from: edge - 45_423 + ScenarioSetup.fade)
    #expect(played.outcome.failures.isEmpty)
    #expect(played.events("route.changed").isEmpty)
  }

  @Test("P2: a better port takes over without a gap longer than the fade and without a frame lost")
  func betterPort() throws {
    let played = try stage.play("at 1s press play\nat 3s plug headphones\nat 5s end")
    let speaker = try #require(played.left[.speaker])
    let phones = try #require(played.left[.headphones])
    let change = Instant(nanoseconds: 3_030_000_000).frame(rate: ScenarioSetup.rate)
    expectTrack(speaker[45_423..<change], from: 0)
    let moved = change + ScenarioSetup.fade
    #expect(speaker[moved...].allSatisfy { $0 == 0 } && phones[..<moved].allSatisfy { $0 == 0 })
    expectTrack(phones[(moved + ScenarioSetup.fade)...], from: change + ScenarioSetup.fade - 45_423)
  }

  @Test("P10: tracks join without a gap, down to tracks of a few frames")
  func gapless() throws {
    var stage = stage
    stage.tracks = [("a", 50_000), ("b", 3), ("c", 1), ("d", 7_001), ("e", 20_000)]
    let played = try stage.play("at 1s press play\nat 5s end")
    let samples = try #require(played.left[.speaker])
    var index = 45_423
    for track in stage.tracks {
      expectTrack(samples[index..<index + track.frames], from: 0)
      index += track.frames
    }
    #expect(samples[index...].allSatisfy { $0 == 0 })
    #expect(played.events("track.started").count == 5 && played.events("track.ended").count == 5)
    #expect(played.events("queue.ended").count == 1)
  }

  @Test("P11: a track that breaks off is followed at once by the next, and the break is logged with its frame")
  func breaksOff() throws {
    var stage = stage
    stage.tracks = [("a", 50_000), ("b", 50_000)]
    stage.breaks = ["a": 10_000]
    let played = try stage.play("at 1s press play\nat 5s end")
    let samples = try #require(played.left[.speaker])
    expectTrack(samples[45_423..<55_423], from: 0)
    // What was decoded last fades (P12).
    let next = 55_423 + 882
    let steps = zip(samples[55_422..<next], samples[55_423..<next]).map { abs(Int($1) - Int($0)) }
    #expect(try #require(steps.max()) <= 10_000 / 882 + 1 && samples[next - 1] == 0)
    expectTrack(samples[next..<next + 50_000], from: 0)
    #expect(played.events("track.failed") == ["track.failed track=1 file=a reason=damaged frame=10000"])
  }

  @Test("an underrun is logged, and sound goes on at the frame")
  func underrun() throws {
    let played = try stage.play(
      "at 1s press play\nat 3s output underrun\nat 3.1s expect state playing event output.underrun\nat 5s end")
    let samples = try #require(played.left[.speaker])
    expectTrack(samples[45_423..<132_300], from: 0)
    expectTrack(samples[(132_300 + ScenarioSetup.fade)...], from: 132_300 - 45_423 + ScenarioSetup.fade)
    #expect(played.outcome.failures.isEmpty)
  }

  @Test("I14: a device that goes away holds playback, and it goes on at the frame when the device is back")
  func outputLoss() throws {
    let played = try stage.play(
      """
      at 1s press play
      at 3s output fail
      at 3.2s expect state paused hold output-unavailable event output.lost event playback.paused cause=output
      at 5.5s output restore
      at 10s expect state playing hold none event output.restored
      at 12s end
      """)
    let samples = try #require(played.left[.speaker])
    let back = try #require(played.runs(.speaker).last).lowerBound
    #expect(played.outcome.failures.isEmpty)
    expectTrack(samples[(back + ScenarioSetup.fade)...], from: Int(samples[back + ScenarioSetup.fade]) - 1)
    let held = 132_300 - 45_423
    #expect(abs(Int(samples[back + ScenarioSetup.fade]) - 1 - (held + ScenarioSetup.fade) % 30_000) <= 1)
  }

  @Test("P12: nothing that an operator does steps further than a fade of 4 ms, where the music does not step at all")
  func clicks() throws {
    var stage = stage
    stage.tracks = [("1", 60 * ScenarioSetup.rate), ("2", 60 * ScenarioSetup.rate)]
    stage.isLoud = true
    stage.settings.playTwice = .nothing
    let played = try stage.play(
      """
      at 0s plug headphones
      at 1s press play
      at 2s press volume-down for 1s
      at 3.5s press volume-up for 2s
      at 6s press play
      at 6.3s press play
      at 7s press stop
      at 7.5s press play
      at 8.2s press next
      at 9s press play
      at 10s route speaker
      at 11s route auto
      at 11.5s unplug headphones
      at 12s press play
      at 13s press stop
      at 14s end
      """)
    for port in [Port.headphones, .speaker] {
      // The right channel is constant within a track, so every step in it comes from the firmware.
      let left = try #require(played.left[port])
      let right = try #require(played.right[port])
      #expect(right.contains { $0 > 29_000 })
      // The step of a fade at full volume; all other steps are smaller, except where a track begins.
      let most = 30_000 / 170
      let steps = right.indices.dropFirst().filter { abs(Int(right[$0]) - Int(right[$0 - 1])) > most }
      let clicks = steps.filter { right[$0 - 1] != 0 || left[$0] > 1 }
      #expect(clicks == [])
      #expect(steps.count == (port == .headphones ? 3 : 0))
    }
  }

  @Test("the same input gives the same log and the same sound")
  func deterministic() throws {
    let story = """
      at 0s plug dock
      at 1s press play
      at 3s plug headphones bounce 20ms
      at 4s unplug headphones bounce 15ms
      at 6s press play
      at 7s press volume-up for 800ms
      at 9s end
      """
    let first = try stage.play(story)
    let second = try stage.play(story)
    #expect(first.log == second.log && !first.log.isEmpty)
    #expect(first.left == second.left && first.right == second.right)
  }
}
