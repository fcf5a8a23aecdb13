import AudioSession
import Board
import Jukebox
import PacedCards
import PacedPCM
import Testing

/// Mishaps and commands in any order, through real libasound calls.
@Suite struct RealWalkTests {
  static let rate = PacedKiosk.rate

  private static let mishaps = [
    "underrun", "suspend", "halt", "unplug", "restore", "stall 10000", "stall", "go", "busy 2", "short 100", "short 0",
    "rate 48000", "rate 44100", "rewind no", "rewind pretended", "rewind yes", "latency 300", "latency 0",
    "format S32_LE", "format S16_LE",
  ]
  private static let commands = ["play", "stop", "next", "previous", "route speaker", "route auto", "volume 50"]
  private static let healing = [
    "forget", "restore", "go", "busy 0", "short 0", "rate 44100", "format S16_LE", "rewind yes", "latency 0",
  ]

  /// A generator that gives the same numbers everywhere.
  private struct Dice {
    var state: UInt64
    mutating func roll(_ sides: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % sides
    }
  }

  @Test("I14: whatever happens to the devices, nothing spins, and music plays once they work again", arguments: 0..<12)
  func walk(seed: Int) throws {
    var dice = Dice(state: UInt64(seed))
    let kiosk = try #require(PacedKiosk(["0", "1"], opener: ToneTracks(length: 600 * Self.rate)))
    var steps: [String] = []
    for _ in 0..<40 {
      let wakeUps = kiosk.wakeUps
      let step = act(kiosk, &dice)
      let pause = [1, 7, 40, 300, 1_500][dice.roll(5)]
      kiosk.pass(.milliseconds(pause))
      steps.append("\(step) \(pause) ms")
      #expect(kiosk.wakeUps - wakeUps <= 60 + pause / 4, "\(steps)")
    }
    for card in [kiosk.headphones, kiosk.speaker] { for fault in Self.healing { card.suffer(fault) } }
    kiosk.plug(true)
    // Longer than any time between two tries.
    kiosk.pass(.seconds(40))
    if !kiosk.isPlaying { kiosk.type("play") }
    kiosk.pass(.seconds(1))
    let before = kiosk.headphones.counts.played + kiosk.speaker.counts.played
    kiosk.pass(.seconds(1))
    let played = Int(kiosk.headphones.counts.played + kiosk.speaker.counts.played - before)
    // A device that was not opened since still has its other rate.
    let isPaced = [44_100, 48_000].contains { abs(played - $0) < 300 }
    #expect(kiosk.isPlaying && isPaced, "\(played): \(steps)")
  }

  private func act(_ kiosk: PacedKiosk, _ dice: inout Dice) -> String {
    switch dice.roll(5) {
    case 0:
      let command = Self.commands[dice.roll(Self.commands.count)]
      kiosk.type(command)
      return command
    case 1:
      let isIn = dice.roll(2) == 0
      kiosk.plug(isIn, late: .milliseconds(dice.roll(20)))
      return isIn ? "plug" : "pull"
    default:
      let isSpeaker = dice.roll(4) == 0
      let mishap = Self.mishaps[dice.roll(Self.mishaps.count)]
      (isSpeaker ? kiosk.speaker : kiosk.headphones).suffer(mishap)
      return (isSpeaker ? "speaker " : "") + mishap
    }
  }
}
