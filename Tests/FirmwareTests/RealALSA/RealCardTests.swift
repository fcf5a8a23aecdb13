import AudioSession
import Board
import Jukebox
import PacedCards
import PacedPCM
import Testing

/// Minutes of volumes, pauses, skips, cues and unplugs on cards as their drivers are, through real libasound calls: no
/// card runs dry, nothing clicks that somebody hears, and nothing private is heard elsewhere.
@Suite struct RealCardTests {
  static let rate = ToneTracks.rate
  /// The models of Tests/Plugins/PacedPCM/models.c that take S16, and some that have the faults of several.
  static let cards = [
    "model i2s", "model i2s-periods", "model usb", "model usb-queued", "model virtio", "model virtio-indirect",
    "model bcm2835", "model bluealsa", "model virtio-indirect,start_delay 441,stop_delay 441,latency 300",
    "model bcm2835,name jack,delay stepped,speed 1.0009", "model bcm2835,position_step 882,delay guessed,speed 0.9991",
  ]

  @Test(
    "P12 P14 P15 R3: whatever is done to it, a card as its driver is does not run dry, click or tell others",
    arguments: cards)
  func walk(card: String) throws {
    try walk(on: card, seed: UInt64(card.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }), acts: 120, plays: 10 * Self.rate)
  }

  /// Their positions move by more than a period, as the board file says.
  static let leapers = [
    "take_back yes,delay stepped,position_step 1000", "take_back yes,delay stepped,position_step 2000",
    "take_back refuse,delay stepped,position_step 1000",
    "take_back refuse,delay stepped,position_step 1000,latency 300,start_delay 441",
  ]

  @Test(
    "P12 P15 R3: nor does one whose position moves by more than a period, where the board file says so",
    arguments: leapers, 1...4)
  func walkOnLeaper(card: String, seed: UInt64) throws {
    let known = KnownCard(positionStep: .milliseconds(card.contains("1000") ? 23 : 46))
    try walk(on: card, known: known, seed: seed, acts: 30, plays: Self.rate / 2)
  }

  /// - Parameter plays: how many frames it plays at least meanwhile.
  private func walk(
    on card: String, known: KnownCard = KnownCard(), seed: UInt64, acts: Int, plays: Int
  ) throws {
    let cues = ["c1", "c2"].map { Cue(name: $0, path: $0, client: .cue, event: nil) }
    let kiosk = try #require(
      PacedKiosk(["a", "b"], opener: ToneTracks(length: 20 * Self.rate), cues: cues, known: known) { paced in
        for trait in card.split(separator: ",") { #expect(paced.suffer(String(trait))) }
      })
    // Less than what makes the queue deeper.
    kiosk.lateness = .milliseconds(1)
    var random = StepGenerator(state: seed)
    var cuts: [Int64] = []
    kiosk.type("play")
    for _ in 0..<acts {
      // Else a short queue would always be full when something is done.
      kiosk.looksAround = random.next(below: 3) == 0
      kiosk.pass(.milliseconds([3, 40, 150, 700][random.next(below: 4)]))
      act(kiosk, &random, &cuts)
    }
    kiosk.type("stop", then: .seconds(1))
    #expect(kiosk.logged(.outputUnderrun) == [])
    #expect(kiosk.logged(.outputLost) == [])
    #expect(kiosk.headphones.counts.played > plays)
    #expect(kiosk.speaker.heard() as [Int16] == [])
    checkSteps(kiosk, cuts)
  }

  @Test("R3 P14: at an unplug, the amplifier is muted at once behind a card that takes its time to stop")
  func amplifier() throws {
    let kiosk = try #require(PacedKiosk.counting { #expect($0.suffer("model bcm2835")) })
    kiosk.type("play", then: .milliseconds(1_234))
    let edge = kiosk.clock.now
    kiosk.plug(false)
    let muted = try #require(kiosk.amplifierMuted.last)
    #expect(muted.isMuted && muted.at == edge)
    #expect(kiosk.speaker.heard() as [Int16] == [])
  }

  @Test(
    "P10: a headset that keeps more than the silence behind the last frame hears it, and the music ends once",
    arguments: [150, 400])
  func ending(delay: Int) throws {
    let cues = [Cue(name: "c1", path: "c1", client: .cue, event: nil)]
    let length = Self.rate * 3 / 2
    let kiosk = try #require(
      PacedKiosk(["a"], opener: ToneTracks(length: length), cues: cues) { paced in
        #expect(paced.suffer("model bluealsa") && paced.suffer("latency \(Self.rate * delay / 1_000)"))
      })
    kiosk.type("play", then: .seconds(4))
    #expect(kiosk.logged(.queueEnded).count == 1)
    // Alone, and shorter than the buffer.
    kiosk.type("cue c1", then: .seconds(3))
    #expect(kiosk.logged(.outputUnderrun) == [])
    #expect(kiosk.logged(.outputLost) == [])
    #expect(kiosk.headphones.counts.played > length)
    #expect(kiosk.headphones.counts.underruns == 0)
  }

  private func act(_ kiosk: PacedKiosk, _ random: inout StepGenerator, _ cuts: inout [Int64]) {
    switch random.next(below: 12) {
    case 0...3: kiosk.type("volume \(40 + random.next(below: 61))")
    case 4: kiosk.type("cue c\(1 + random.next(below: 2))")
    case 5: kiosk.type("next")
    // A card that stands still for less than a step of its position.
    case 6: kiosk.headphones.suffer("stall \(1 + random.next(below: 100))")
    case 7, 8:
      kiosk.type("pause", then: .milliseconds(random.next(below: 300)))
      kiosk.type("play")
    default:
      cuts.append(kiosk.clock.now.nanoseconds)
      kiosk.plug(false, late: .milliseconds(random.next(below: 4)), then: .milliseconds(60 + random.next(below: 200)))
      kiosk.plug(true, then: .milliseconds(100))
    }
  }

  /// No step is larger than what music, a cue and their fades make together, except the end of what an unplug cut.
  private func checkSteps(_ kiosk: PacedKiosk, _ cuts: [Int64]) {
    let card = kiosk.headphones
    let most = 2 * (RealClickTests.ownSteps.max() ?? 0) + 2 * RealClickTests.fadeStep + 8
    let samples: [Int16] = card.heard()
    for stretch in card.stretches {
      var before = (left: 0, right: 0)
      var largest = 0
      for frame in stretch.frames {
        let next = (left: Int(samples[2 * frame]), right: Int(samples[2 * frame + 1]))
        largest = max(largest, abs(next.left - before.left), abs(next.right - before.right))
        before = next
      }
      #expect(largest <= most, "a step of \(largest)")
      let end = stretch.stopped
      // It is told to stop at the edge, and stops by itself soon after where it keeps nothing.
      let isCut = cuts.contains { (0...70_000_000).contains(end - $0) }
      let last = max(abs(before.left), abs(before.right))
      #expect(!stretch.isDry || last == 0, "it runs dry in the sound, \(end) ns: \(log(kiosk, around: end))")
      #expect(isCut || last <= most, "it ends at \(last), \(end) ns: \(log(kiosk, around: end))")
    }
  }

  /// What was logged shortly before and after.
  private func log(_ kiosk: PacedKiosk, around end: Int64) -> [String] {
    kiosk.events.filter { abs($0.at.nanoseconds - end) < 150_000_000 }.map { "\($0.at.nanoseconds) \($0.event.name)" }
  }
}
