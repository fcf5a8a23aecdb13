import AudioSession
import Jukebox
import PacedCards
import PacedPCM
import Testing

@testable import KioskTestSupport

/// What every cut sounds like, through real libasound calls: no step is larger than the music's own and that of a fade
/// of it together, and what fades out and in adds up to the track.
@Suite struct RealClickTests {
  static let rate = ToneTracks.rate
  static let tracks = ["a", "b"]

  /// The largest step of each track itself.
  static let ownSteps: [Int] = tracks.map { track in
    var before: (left: Int16, right: Int16) = (0, 0)
    var most = 0
    for frame in 0..<(3 * rate) {
      let next = ToneTracks.frame(track, frame)
      most = max(most, abs(Int(next.left) - Int(before.left)), abs(Int(next.right) - Int(before.right)))
      before = next
    }
    return most
  }

  /// What a fade of 4 ms steps, where the tones are loudest.
  static let fadeStep = ToneTracks.peak / Duration.milliseconds(4).frames(rate: rate)

  private func kiosk(_ kind: String) throws -> PacedKiosk {
    let tracks = ToneTracks(length: 60 * Self.rate)
    return try #require(PacedKiosk(Self.tracks, opener: tracks) { #expect($0.suffer(kind)) })
  }

  /// The largest step of all that a card played, from silence and to silence too wherever it paused.
  private func largestStep(_ card: PacedCard) -> Int {
    let samples: [Int16] = card.heard()
    var most = 0
    var before: (left: Int, right: Int) = (0, 0)
    func step(to left: Int, _ right: Int) {
      most = max(most, abs(left - before.left), abs(right - before.right))
      before = (left, right)
    }
    for stretch in card.stretches {
      step(to: 0, 0)
      for frame in stretch.frames { step(to: Int(samples[2 * frame]), Int(samples[2 * frame + 1])) }
    }
    step(to: 0, 0)
    return most
  }

  /// What is done while the first track plays, and undone after half a second.
  static let acts: [(name: String, act: String, undo: String)] = [
    ("pause and resume", "play", "play"), ("stop and play", "stop", "play"), ("next and previous", "next", "previous"),
    ("route switch", "route speaker", "route headphones"), ("volume", "volume 40", "volume 100"),
    ("unplug and plug in again", "unplug", "plug"),
  ]

  static let kinds = ["rewind yes", "latency 40", "rewind no"]

  @Test("P12: no cut has a larger step than the music and its fade together", arguments: acts.indices, kinds)
  func clicks(act: Int, kind: String) throws {
    let (_, act, undo) = Self.acts[act]
    let kiosk = try kiosk(kind)
    kiosk.type("play")
    for pause in [500, 333, 481] {
      kiosk.pass(.milliseconds(pause))
      if act == "unplug" { kiosk.plug(false) } else { kiosk.type(act) }
      kiosk.pass(.milliseconds(500))
      if undo == "plug" { kiosk.plug(true) } else { kiosk.type(undo) }
    }
    kiosk.pass(.milliseconds(500))
    kiosk.type("stop", then: .seconds(1))
    let headphones = largestStep(kiosk.headphones)
    let speaker = largestStep(kiosk.speaker)
    let own = try #require(act == "next" ? Self.ownSteps.max() : Self.ownSteps.first)
    // A card that cannot be rewound is stopped at an unplug, in place of a fade that nobody would hear (P14).
    let isCut = act == "unplug" && kind == "rewind no"
    // And a fade after what a card keeps is shorter, down to half.
    let fadeStep = act == "unplug" && kind == "latency 40" ? 2 * Self.fadeStep : Self.fadeStep
    #expect(isCut || max(headphones, speaker) <= own + fadeStep, "of \(own)")
    #expect(headphones > own * 9 / 10)
    if act.hasPrefix("route") { #expect(speaker > own * 9 / 10) }
    #expect(kiosk.logged(.outputUnderrun) == [] && kiosk.logged(.outputLost) == [])
  }

  @Test("P12: what fades out at a pause and in at the resume adds up to the track", arguments: kinds)
  func addsUp(kind: String) throws {
    let kiosk = try kiosk(kind)
    kiosk.type("play", then: .milliseconds(777))
    kiosk.type("play", then: .milliseconds(500))
    let paused = Int(kiosk.headphones.counts.played)
    kiosk.type("play", then: .milliseconds(500))
    let samples: [Int16] = kiosk.headphones.heard()
    let cut = paused - ScenarioSetup.fade
    for frame in 0..<cut {
      let own = ToneTracks.frame("a", frame)
      #expect(samples[2 * frame] == own.left && samples[2 * frame + 1] == own.right)
    }
    var worst = 0
    for frame in 0..<10_000 {
      let own = ToneTracks.frame("a", cut + frame)
      let out =
        frame < ScenarioSetup.fade ? (Int(samples[2 * (cut + frame)]), Int(samples[2 * (cut + frame) + 1])) : (0, 0)
      let left = Int(samples[2 * (paused + frame)]) + out.0 - Int(own.left)
      let right = Int(samples[2 * (paused + frame) + 1]) + out.1 - Int(own.right)
      worst = max(worst, abs(left), abs(right))
    }
    #expect(worst <= 1)
  }
}
