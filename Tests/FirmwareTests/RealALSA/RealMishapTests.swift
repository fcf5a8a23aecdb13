import AudioSession
import Jukebox
import PacedCards
import PacedPCM
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// Every mishap of a playback device, through real libasound calls: it ends in sound again or in a hold with its
/// reason, without a spin, and nothing of the track is lost.
@Suite struct RealMishapTests {
  /// What follows a break fades in from the frame where it was: so many of its frames are not heard in full.
  static let fadeIn = ScenarioSetup.fade - 1
  static let rate = PacedKiosk.rate

  /// At most 10 wake-ups per second, and some for what happens.
  private func expectNoSpin(_ kiosk: PacedKiosk, sourceLocation: SourceLocation = #_sourceLocation) {
    let seconds = kiosk.clock.now.frame(rate: 1)
    #expect(kiosk.wakeUps <= 10 * seconds + 20, sourceLocation: sourceLocation)
    let calls = Int(kiosk.headphones.counts.calls)
    #expect(calls <= 30 * kiosk.wakeUps, "\(calls) in \(kiosk.wakeUps)", sourceLocation: sourceLocation)
  }

  static let stops = ["underrun", "suspend", "halt"]

  @Test(
    "a device that runs dry, sleeps or is stopped by others plays on at once, from the frame after the last one heard",
    arguments: stops, [1, 4_410, 44_100, 61_234])
  func breaks(fault: String, frame: Int) throws {
    let kiosk = try #require(PacedKiosk.counting())
    kiosk.headphones.suffer("at \(frame) \(fault)")
    kiosk.type("play", then: .seconds(2))
    let hearing = kiosk.hearing()
    #expect(hearing.joints.map(\.missing) == [Self.fadeIn])
    #expect(hearing.first == 0)
    #expect(hearing.last >= Self.rate * 2 - Self.rate / 5)
    #expect(kiosk.logged(.outputUnderrun).count == 1 && kiosk.logged(.outputLost) == [])
    expectNoSpin(kiosk)
  }

  @Test("I14: a device that is pulled out while it plays is a hold with its reason, tried again less and less often")
  func unplugged() throws {
    let kiosk = try #require(PacedKiosk.counting())
    kiosk.headphones.suffer("at 50000 unplug")
    kiosk.type("play", then: .seconds(100))
    let lost = try #require(kiosk.logged(.outputLost).first)
    #expect(lost["reason"]?.contains("gone") == true && lost["frame"] == "50000")
    #expect(kiosk.logged(.playbackPaused).map { $0["cause"] } == ["output"])
    // At once, and after 1, 2, 4, 8, 16 and 30 seconds each.
    #expect(kiosk.headphones.counts.refusals == 8)
    let wakeUps = kiosk.wakeUps
    kiosk.headphones.suffer("restore")
    kiosk.pass(.seconds(30))
    #expect(kiosk.logged(.playbackResumed).map { $0["frame"] } == ["50000"])
    let hearing = kiosk.hearing()
    #expect(hearing.joints.map(\.missing) == [Self.fadeIn] && hearing.clicks == [])
    #expect(wakeUps < 60 && kiosk.headphones.counts.openings == 2)
  }

  @Test("I14: a device that is back at once is not a hold")
  func replugged() throws {
    let kiosk = try #require(PacedKiosk.counting())
    kiosk.type("play", then: .milliseconds(777))
    kiosk.headphones.suffer("unplug")
    kiosk.headphones.suffer("restore")
    kiosk.pass(.seconds(1))
    #expect(kiosk.logged(.outputLost) == [] && kiosk.headphones.counts.openings == 2)
    #expect(kiosk.logged(.outputUnderrun).count == 1)
    #expect(kiosk.hearing().joints.map(\.missing) == [Self.fadeIn])
    expectNoSpin(kiosk)
  }

  @Test("I14: a device that another program has is tried again, and plays from the first frame once it is free")
  func busy() throws {
    let kiosk = try #require(PacedKiosk.counting { $0.suffer("busy 3") })
    #expect(kiosk.logged(.outputLost).first?["reason"]?.contains("busy") == true)
    kiosk.type("play", then: .seconds(10))
    // At power on, and after 1, 2 and 4 seconds each.
    #expect(kiosk.headphones.counts.refusals == 3 && kiosk.headphones.counts.openings == 1)
    let hearing = kiosk.hearing()
    #expect(hearing.first == 0 && hearing.joints == [] && hearing.clicks == [])
    #expect(hearing.last > Self.rate / 2)
    #expect(kiosk.wakeUps < 60)
  }

  @Test("R12: a device that comes back with another format plays on in it, from the frame where it was")
  func otherFormat() throws {
    let kiosk = try #require(PacedKiosk.counting())
    kiosk.headphones.suffer("at 40000 unplug")
    kiosk.type("play", then: .seconds(2))
    for change in ["format S32_LE", "channels 2", "restore"] { #expect(kiosk.headphones.suffer(change)) }
    let played = Int(kiosk.headphones.counts.played)
    kiosk.pass(.seconds(4))
    let later = kiosk.headphones.heard(as: Int32.self)
    // After the frames of 16 bits; the fade-in ends with the first that is heard in full.
    let full = played + 2 * Self.fadeIn
    let first = try #require(later.dropFirst(full).first)
    #expect(Int(first >> 16) == (40_000 + Self.fadeIn) % 30_000 + 1)
    #expect(kiosk.logged(.playbackResumed).map { $0["frame"] } == ["40000"])
  }

  @Test("R12: a device that comes back at another rate plays on at that rate, from the same place")
  func otherRate() throws {
    let kiosk = try #require(PacedKiosk.counting())
    kiosk.headphones.suffer("at 40000 unplug")
    kiosk.type("play", then: .seconds(2))
    for change in ["rate 48000", "restore"] { #expect(kiosk.headphones.suffer(change)) }
    kiosk.pass(.seconds(4))
    let change = try #require(kiosk.logged(.routeChanged).first)
    #expect(change["reason"] == "route-configuration-change" && change["rate"] == "48000")
    #expect(change["frame"] == "40000")
    let samples: [Int16] = kiosk.headphones.heard()
    let there = Rates.convert(40_000, from: 44_100, to: 48_000)
    let fadeIn = 48_000 / 250 - 1
    let first = try #require(samples.dropFirst(2 * (40_000 + fadeIn)).first)
    #expect(Int(first) == (there + fadeIn) % 30_000 + 1)
    expectNoSpin(kiosk)
  }

  @Test("a device that takes few frames a call is filled in many calls, not many wake-ups", arguments: [1, 64, 1_000])
  func shortWrites(most: Int) throws {
    let kiosk = try #require(PacedKiosk.counting { $0.suffer("short \(most)") })
    kiosk.type("play", then: .seconds(3))
    let hearing = kiosk.hearing()
    #expect(hearing.joints == [] && hearing.first == 0 && hearing.last == 3 * Self.rate - 1)
    #expect(kiosk.wakeUps <= 50)
  }

  @Test("a device that stands still for a while continues where it was, and is not polled without pause")
  func stalls() throws {
    let kiosk = try #require(PacedKiosk.counting())
    kiosk.headphones.suffer("at 44100 stall 22050")
    kiosk.type("play", then: .seconds(3))
    let samples: [Int16] = kiosk.headphones.heard()
    #expect(samples.count / 2 == Self.rate * 5 / 2)
    #expect(kiosk.hearing().joints == [] && kiosk.logged(.outputUnderrun) == [])
    expectNoSpin(kiosk)
  }

  @Test("I14: a device that stands still for good is reopened, and its frame is kept")
  func stuck() throws {
    let kiosk = try #require(PacedKiosk.counting())
    kiosk.headphones.suffer("at 44100 stall")
    kiosk.type("play", then: .seconds(30))
    #expect(kiosk.headphones.counts.openings == 2 && kiosk.logged(.outputUnderrun).count == 1)
    let hearing = kiosk.hearing()
    #expect(hearing.joints.map(\.missing) == [Self.fadeIn])
    #expect(hearing.last > 25 * Self.rate)
    expectNoSpin(kiosk)
  }

  @Test("I14, R5: a device that stands still whenever it is opened is a hold with its reason, and its frame is kept")
  func stuckAgain() throws {
    let kiosk = try #require(PacedKiosk.counting())
    for frame in [44_100, 44_150] { kiosk.headphones.suffer("at \(frame) stall") }
    kiosk.type("play", then: .seconds(6))
    let lost = try #require(kiosk.logged(.outputLost).first)
    #expect(lost["reason"]?.contains("stands still") == true)
    // After the second opening, 50 frames were heard while they faded in, and so not in full (R5.1).
    #expect(kiosk.logged(.interruptionBegan).map { $0["frame"] } == ["44100"])
    kiosk.pass(.seconds(6))
    #expect(kiosk.logged(.playbackResumed).map { $0["frame"] } == ["44100"])
    #expect(kiosk.hearing().last > 47_000)
    expectNoSpin(kiosk)
  }
}
