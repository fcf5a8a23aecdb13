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

  @Test("I14: whatever happens to the devices, nothing spins, and music plays once they work again", arguments: 0..<12)
  func walk(seed: Int) throws {
    var random = StepGenerator(state: UInt64(seed))
    let kiosk = try #require(PacedKiosk(["0", "1"], opener: ToneTracks(length: 600 * Self.rate)))
    var steps: [String] = []
    for _ in 0..<40 {
      let wakeUps = kiosk.wakeUps
      let step = act(kiosk, &random)
      let pause = [1, 7, 40, 300, 1_500][random.next(below: 5)]
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

  private func act(_ kiosk: PacedKiosk, _ random: inout StepGenerator) -> String {
    switch random.next(below: 5) {
    case 0:
      let command = Self.commands[random.next(below: Self.commands.count)]
      kiosk.type(command)
      return command
    case 1:
      let isIn = random.next(below: 2) == 0
      kiosk.plug(isIn, late: .milliseconds(random.next(below: 20)))
      return isIn ? "plug" : "pull"
    default:
      let isSpeaker = random.next(below: 4) == 0
      let mishap = Self.mishaps[random.next(below: Self.mishaps.count)]
      (isSpeaker ? kiosk.speaker : kiosk.headphones).suffer(mishap)
      return (isSpeaker ? "speaker " : "") + mishap
    }
  }
}
