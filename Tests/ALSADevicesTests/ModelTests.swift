import AudioSession
import Board
import CALSA
import Glibc
import PacedCards
import Testing

@testable import ALSADevices

/// The traits of the paced card that make it a card as its driver is (Tests/Plugins/PacedPCM/models.c).
extension ALSAPlayback {
  @Test("a card that refuses a rewind by an underrun has one, running or not yet started", arguments: [true, false])
  func refusesRewind(isRunning: Bool) throws {
    let model = try #require(ModelCard("take_back refuse"))
    #expect(model.write(1_000) == 1_000)
    if isRunning {
      #expect(model.start())
      model.card.play(100)
    }
    #expect(model.card.counts.underruns == 0)
    _ = model.rewind(300)
    #expect(model.position == -Int(EPIPE) && model.state == SND_PCM_STATE_XRUN)
    #expect(model.card.counts.underruns == 1)
  }

  @Test("the position moves in steps, and the delay does or does not", arguments: ["exact", "stepped"])
  func positionInSteps(delay: String) throws {
    let model = try #require(ModelCard("position_step 441", "delay \(delay)"))
    #expect(model.write(1_000) == 1_000 && model.start())
    for (played, position) in [(0, 0), (440, 0), (441, 441), (881, 441), (882, 882), (999, 882)] {
      model.card.play(played - Int(model.card.counts.played))
      #expect(model.position == position)
      #expect(model.delay == 1_000 - (delay == "exact" ? played : position))
    }
    #expect(model.write(1_000) == 1_000)
    model.card.play(1_001)
    #expect(model.position == -Int(EPIPE) && model.heard == frames(0..<2_000))
  }

  @Test("a position that moves by periods stands between them")
  func positionInPeriods() throws {
    let model = try #require(ModelCard("position_step period"))
    #expect(model.write(2 * model.periodFrames) == 2 * model.periodFrames && model.start())
    model.card.play(model.periodFrames - 1)
    #expect(model.position == 0)
    model.card.play(1)
    #expect(model.position == model.periodFrames)
  }

  @Test("a device that takes its time to start is heard so much later, and says so in its log")
  func startsLate() throws {
    let model = try #require(ModelCard("start_delay 441"))
    #expect(model.write(1_000) == 1_000 && model.start())
    model.card.setTime(10_000_000)
    #expect(model.position == 0 && model.heard.isEmpty && model.delay == 1_000)
    model.card.setTime(20_000_000)
    #expect(model.position == 441 && model.heard == frames(0..<441))
    #expect(model.card.stretches.map(\.start) == [10_000_000])
    #expect(model.card.stretches.map(\.frames) == [0..<441])
  }

  @Test("a card that waits keeps one frame however late the program is, then plays on at its pace")
  func waits() throws {
    let model = try #require(ModelCard("waits yes"))
    #expect(model.write(441) == 441 && model.start())
    model.card.setTime(1_000_000_000)
    #expect(model.position == 440 && model.state == SND_PCM_STATE_RUNNING && model.card.counts.underruns == 0)
    #expect(model.write(441) == 441)
    model.card.setTime(1_005_000_000)
    #expect(model.position == 440 + 220 && model.heard == frames(0..<660))
  }

  @Test("a device that takes its time to stop plays on that long, but not further than what it has")
  func stopsLate() throws {
    for (queued, heard) in [(1_000, 541), (300, 300)] {
      let model = try #require(ModelCard("stop_delay 441"))
      #expect(model.write(queued) == queued && model.start())
      model.card.play(100)
      #expect(model.drop())
      #expect(model.heard == frames(0..<heard))
      model.card.setTime(1_000_000_000)
      #expect(model.heard == frames(0..<heard))
    }
  }

  @Test("a refused rewind stops a device as late as any stop, and the frames stay as they were")
  func refusesLate() throws {
    let model = try #require(ModelCard("take_back refuse", "stop_delay 441"))
    #expect(model.write(1_000) == 1_000 && model.start())
    model.card.play(100)
    _ = model.rewind(800)
    #expect(model.position == -Int(EPIPE) && model.card.counts.underruns == 1)
    #expect(model.heard == frames(0..<541))
  }

  @Test("frames in flight have left the buffer before they are heard, count in the delay and cannot be taken back")
  func inFlight() throws {
    let model = try #require(ModelCard("in_flight 794"))
    #expect(model.write(2_000) == 2_000 && model.start())
    #expect(model.position == 794 && model.delay == 2_000 && model.rewindable == 1_206)
    model.card.play(10)
    #expect(model.position == 804 && model.delay == 1_990 && model.heard == frames(0..<10))
    #expect(model.rewind(1_196) == 1_196)
    model.card.play(794)
    #expect(model.heard == frames(0..<804))
  }

  @Test("a device with frames in flight runs dry when the last of them was heard, and not before")
  func inFlightDry() throws {
    let model = try #require(ModelCard("in_flight 794"))
    #expect(model.write(500) == 500 && model.start())
    model.card.play(400)
    #expect(model.state == SND_PCM_STATE_RUNNING && model.delay == 100)
    #expect(model.write(100) == 100)
    model.card.play(199)
    #expect(model.position == 599 && model.delay == 1)
    model.card.play(1)
    #expect(model.position == -Int(EPIPE) && model.heard == frames(0..<600))
  }

  @Test("a guessed delay falls with the clock while the device stands; an exact one does not")
  func guessedDelay() throws {
    for (delay, expected) in [("guessed", 1_118), ("exact", 1_559)] {
      let model = try #require(ModelCard("delay \(delay)"))
      #expect(model.write(2_000) == 2_000 && model.start())
      model.card.setTime(10_000_000)
      #expect(model.delay == 1_559)
      model.card.suffer("stall")
      model.card.setTime(20_000_000)
      #expect(model.delay == expected && model.heard.count == 2 * 441)
    }
  }

  @Test("a counted delay falls by whole milliseconds while the position stands, by no more than what is in flight")
  func countedDelay() throws {
    let model = try #require(ModelCard("in_flight 794", "position_step 265", "delay counted"))
    #expect(model.write(2_000) == 2_000 && model.start())
    #expect(model.position == 530 && model.delay == 2_000)
    model.card.setTime(10_000_000)
    // 1 060 is a step of the position, of 1 235 frames that left the buffer. 3 ms have passed since.
    #expect(model.position == 1_060 && model.delay == 2_000 + 794 - 1_060 - 132)
    model.card.suffer("stall")
    for (time, counted) in [(20, 573), (60, 794)] {
      model.card.setTime(Int64(time) * 1_000_000)
      #expect(model.position == 1_060 && model.delay == 2_000 + 794 - 1_060 - counted && model.heard.count == 2 * 441)
    }
  }

  @Test(
    "P15: what class a card is of is known when it is open, by what its driver says",
    arguments: [
      ("usual", .exact), ("i2s", .exact), ("i2s-periods", .stepped(441)), ("usb", .stepped(441)),
      ("usb-queued", .stepped(441)), ("virtio", .stepped(441)), ("virtio-indirect", .noRewind(step: 137)),
      ("bcm2835", .noRewind(step: 0)), ("bluealsa", .stepped(441)),
    ] as [(String, CardClass)])
  func classes(model: String, expected: CardClass) throws {
    let device = try #require(PacedCard())
    if model != "usual" { #expect(device.suffer("model \(model)")) }
    let pcm = try device.open()
    defer { pcm.close() }
    #expect(pcm.cardClass == expected)
  }

  /// Plays 8,000 frames on a card whose time passes only when it is set, for the PCM as well.
  private func playing(_ device: PacedCard) throws -> (pcm: ALSAPlaybackPCM, setTime: (Instant) -> Void) {
    let pcm = try device.open()
    var now = Instant.powerOn
    pcm.clock = { now }
    try pcm.startPlaying(8_000)
    let setTime = { (instant: Instant) in
      now = instant
      device.setTime(instant.nanoseconds)
    }
    return (pcm, setTime)
  }

  @Test(
    "P15: a driver that is known to interpolate its delay is trusted, also before its position has moved",
    arguments: [("usb", 0), ("bcm2835", 0), ("i2s-periods", 441)])
  func interpolates(model: String, uncertainty: Int) throws {
    let device = try #require(PacedCard())
    #expect(device.suffer("model \(model)") && device.suffer("start_delay 441"))
    let (pcm, setTime) = try playing(device)
    defer { pcm.close() }
    setTime(.powerOn + .milliseconds(15))
    #expect(try pcm.status().uncertainty == uncertainty)
  }

  @Test("P15: the board file decides what class a card is of, where it says so")
  func known() throws {
    for (takesBack, step, expected) in [
      (nil, .zero, .exact), (nil, .milliseconds(20), .stepped(882)), (false, nil, .noRewind(step: 137)),
      (false, .microseconds(500), .noRewind(step: 0)),
    ] as [(Bool?, Duration?, CardClass)] {
      let device = try #require(PacedCard())
      #expect(device.suffer("model i2s-periods"))
      let pcm = try device.open(known: KnownCard(takesBack: takesBack, positionStep: step))
      defer { pcm.close() }
      #expect(pcm.cardClass == expected)
    }
  }

  @Test("P15: where a card is between two steps is known from the clock")
  func between() throws {
    let device = try #require(PacedCard())
    #expect(device.suffer("model i2s-periods"))
    let (pcm, setTime) = try playing(device)
    defer { pcm.close() }
    for look in 1...20 {
      let now = Instant.powerOn + .microseconds(3_300 * look)
      setTime(now)
      let status = try pcm.status()
      let played = now.frame(rate: 44_100)
      let truth = 8_000 - played
      #expect(status.queued + status.lag == 8_000 - played / 441 * 441)
      // Not before it was seen to move.
      if look > 4 { #expect((0...145).contains(status.queued - truth)) }
      #expect(status.queued - status.uncertainty <= truth)
    }
  }
}
