import AudioSession
import Jukebox
import PacedCards
import PacedPCM
import Testing

@testable import KioskTestSupport

/// Pause, resume and unplug through real libasound calls, on devices that can be rewound and on those that cannot.
@Suite struct RealReactionTests {
  static let rate = PacedKiosk.rate
  static let fadeIn = ScenarioSetup.fade - 1

  /// The kinds of devices, named by their faults.
  static let kinds = [
    "pause yes", "pause no", "rewind no", "rewind pretended", "latency 100", "latency 441", "short 64",
  ]

  @Test("P12: paused and resumed, every device resumes at the frame where its fade began", arguments: kinds)
  func pause(kind: String) throws {
    let kiosk = try #require(PacedKiosk.counting { #expect($0.suffer(kind)) })
    kiosk.type("play", then: .milliseconds(987))
    kiosk.type("play")
    let before = Int(kiosk.headphones.counts.played)
    kiosk.pass(.seconds(1))
    let paused = kiosk.wakeUps
    kiosk.pass(.seconds(10))
    #expect(kiosk.wakeUps == paused)
    let heard = Int(kiosk.headphones.counts.played)
    // Within 20 ms and the fade; where only this first try shows that nothing can be rewound, all that is queued comes
    // first.
    let most = kind.hasPrefix("rewind") ? Self.rate / 5 : Self.rate / 50
    #expect(heard - before <= most + ScenarioSetup.fade)
    kiosk.type("play", then: .milliseconds(500))
    #expect(kiosk.logged(.playbackResumed).map { $0["frame"] } == ["\(heard - ScenarioSetup.fade)"])
    let hearing = kiosk.hearing()
    #expect(hearing.first == 0 && hearing.joints.map(\.missing) == [Self.fadeIn])
    #expect(hearing.clicks == [] && hearing.cuts.allSatisfy { $0 > Self.rate * 12 })
  }

  @Test("the audio thread is woken ten times a second at most while music plays", arguments: kinds)
  func wakeUps(kind: String) throws {
    let kiosk = try #require(PacedKiosk.counting { #expect($0.suffer(kind)) })
    kiosk.type("play", then: .seconds(1))
    let before = kiosk.wakeUps
    kiosk.pass(.seconds(10))
    #expect(kiosk.wakeUps - before <= 100)
    #expect(kiosk.logged(.outputUnderrun) == [])
  }

  @Test(
    "R3: unplugged, it is silent within 5 ms, and resumes at the frame that was heard at the edge's time stamp",
    arguments: kinds, [0, 3, 40])
  func unplug(kind: String, late: Int) throws {
    let kiosk = try #require(PacedKiosk.counting { #expect($0.suffer(kind)) })
    kiosk.type("play", then: .milliseconds(1_234))
    let now = kiosk.clock.now
    let edge = now - .milliseconds(late)
    kiosk.plug(false, late: .milliseconds(late), then: .seconds(2))
    let frames = kiosk.tap(kiosk.headphones).frames
    let end = try #require(frames.last).at
    #expect(end < (now + .milliseconds(5)).frame(rate: Self.rate) + 2 * 88)
    // The frame whose turn it was then, even where the device was cut short at that moment.
    let before = try #require(frames.last { $0.at < edge.frame(rate: Self.rate) })
    let name = Int(before.left) + edge.frame(rate: Self.rate) - before.at
    kiosk.plug(true, then: .seconds(1))
    let resumed = try #require(kiosk.logged(.playbackResumed).first?["frame"].flatMap { Int($0) })
    #expect(Int(CountingTracks.left(resumed)) == name)
    // It fades in from there.
    let later = kiosk.tap(kiosk.headphones).frames.first { $0.at > end && $0.right == 30_000 }
    #expect(try #require(later).left == CountingTracks.left(resumed + Self.fadeIn))
    #expect(kiosk.tap(kiosk.speaker).frames == [])
  }
}
