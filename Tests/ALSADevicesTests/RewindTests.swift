import Board
import CALSA
import PacedCards
import PacedPCM
import Testing

@testable import ALSADevices

extension ALSAPlayback {
  /// A device that has played 100 of 1,000 frames.
  private func playedHundred() throws -> (PacedCard, ALSAPlaybackPCM) {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(1_000)
    device.play(100)
    return (device, pcm)
  }

  @Test("what is taken back before the start is not heard, and nothing else is lost")
  func rewindPrepared() throws {
    let (device, pcm) = try PacedCard.opened()
    #expect(try pcm.writeAll(frames(0..<1_000)) == 1_000)
    #expect(pcm.rewind(400, isUrgent: false) == 400)
    #expect(try pcm.status().queued == 600)
    #expect(try pcm.writeAll(frames(5_000..<5_010)) == 10)
    try pcm.start()
    device.play(610)
    #expect(device.heard() == frames(0..<600) + frames(5_000..<5_010))
  }

  @Test(
    "P15: a running device keeps a step of its position, and 2 ms, and gives back the rest", arguments: [1, 64, 441])
  func rewindSteps(step: Int) throws {
    let (device, pcm) = try PacedCard.opened("position_step \(step)")
    // A driver says only that its position moves in steps, which may be whole periods.
    let kept = step == 1 ? 88 : 88 + 441
    #expect(pcm.cardClass == (step == 1 ? .exact : .stepped(441)))
    try pcm.startPlaying(4_000)
    #expect(pcm.rewind(50_000, isUrgent: false) == 4_000 - kept)
    #expect(try pcm.writeAll(frames(kept..<4_000)) == 4_000 - kept)
    for _ in 0..<3 { device.play(step) }
    #expect(pcm.rewind(50_000, isUrgent: false) == 4_000 - 3 * step - kept)
  }

  @Test("a running device keeps 2 ms before its position and gives back the rest")
  func rewindRunning() throws {
    let (device, pcm) = try playedHundred()
    #expect(pcm.rewind(50_000, isUrgent: false) == 900 - 88)
    #expect(try pcm.status().queued == 88)
    #expect(pcm.rewind(1, isUrgent: false) == 0)
    #expect(try pcm.writeAll(frames(5_000..<5_010)) == 10)
    device.play(98)
    #expect(device.heard() == frames(0..<188) + frames(5_000..<5_010))
  }

  @Test(
    "R3, P15: at an unplug, half a millisecond behind a step of the position is left, and a device that gets there is dry"
  )
  func rewindUrgent() throws {
    let (device, pcm) = try playedHundred()
    #expect(pcm.rewind(50_000, isUrgent: true) == 900 - 22)
    #expect(device.play(30) == 22)
    #expect(try pcm.writeAll(frames(5_000..<5_010)) == 0)
    #expect(try pcm.status().state == .underrun)
  }

  @Test("P14: a device that has taken back and then runs dry at a try was asked for too much, and does not refuse")
  func rewindTooFar() throws {
    let (device, pcm) = try PacedCard.opened("position_step 2000")
    try pcm.startPlaying(4_000)
    device.play(100)
    #expect(pcm.rewind(10, isUrgent: false) == 10)
    device.play(900)
    _ = pcm.rewind(4_000, isUrgent: false)
    #expect(try pcm.status().state == .underrun)
    #expect(pcm.takesBack)
  }

  @Test("taking back works over the end of the buffer")
  func rewindWrapped() throws {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(8_820)
    device.play(5_000)
    #expect(try pcm.writeAll(frames(8_820..<12_000)) == 3_180)
    #expect(pcm.rewind(6_000, isUrgent: false) == 6_000)
    #expect(try pcm.writeAll(frames(20_000..<20_100)) == 100)
    device.play(1_100)
    let same = device.heard() == frames(0..<6_000) + frames(20_000..<20_100)
    #expect(same)
  }

  @Test("taking back works through our own conversion and through a format plug-in")
  func rewindConverted() throws {
    for throughPlugin in [false, true] {
      let device = try #require(PacedCard())
      let pcm = try device.open(SND_PCM_FORMAT_S32) { slave in
        guard throughPlugin else { return slave }
        var outer: OpaquePointer?
        return snd_pcm_linear_open(&outer, "linear", SND_PCM_FORMAT_S32, slave, 1) == 0 ? outer : nil
      }
      #expect(pcm.layout.encoding == (throughPlugin ? .s16 : .s32))
      try pcm.startPlaying(1_000)
      device.play(100)
      #expect(pcm.rewind(300, isUrgent: false) == 300)
      #expect(try pcm.writeAll(frames(5_000..<5_010)) == 10)
      device.play(610)
      #expect(device.heard(as: Int32.self) == (frames(0..<700) + frames(5_000..<5_010)).map { Int32($0) << 16 })
      pcm.close()
      #expect(device.counts.closings == 1)
    }
  }

  @Test("a resampling plug-in cannot take back, and says so")
  func rewindResampled() throws {
    let device = try #require(PacedCard())
    let pcm = try device.open { slave in
      var outer: OpaquePointer?
      return snd_pcm_rate_open(&outer, "rate", SND_PCM_FORMAT_S16, 48_000, nil, slave, 1) == 0 ? outer : nil
    }
    #expect(pcm.format.rate == 44_100)
    try pcm.startPlaying(5_000)
    #expect(pcm.rewind(1_000, isUrgent: false) == 0)
  }

  @Test(
    "a device that has fetched all that is queued, or plays what it claims to have taken back, takes nothing back",
    // A full buffer has room again for what was played.
    arguments: [("rewind no", 8_820, 10_000, 8_920), ("rewind pretended", 1_000, 1_500, 1_500)])
  func rewindsNothing(trait: String, queued: Int, offered: Int, all: Int) throws {
    let (device, pcm) = try PacedCard.opened(trait)
    try pcm.startPlaying(queued)
    device.play(100)
    #expect(pcm.rewind(500, isUrgent: false) == 0 && pcm.rewind(500, isUrgent: false) == 0)
    #expect(try pcm.writeAll(frames(queued..<offered)) == all - queued)
    #expect(device.play(all - 100) == all - 100)
    #expect(device.heard() == frames(0..<all))
  }

  @Test("what is behind the buffer is not taken back, and counts as not heard")
  func rewindLatency() throws {
    let (device, pcm) = try PacedCard.opened("latency 200")
    try pcm.startPlaying(1_000)
    #expect(device.play(298) == 98)
    for queued in [901, 900] {
      #expect(device.play(1) == 1)
      #expect(try pcm.status().queued == queued)
    }
    #expect(pcm.rewind(5_000, isUrgent: false) == 700 - 88)
    #expect(try pcm.status().queued == 288)
    #expect(try pcm.writeAll(frames(5_000..<5_300)) == 300)
    #expect(device.play(380) == 380)
    #expect(device.heard() == frames(0..<388) + frames(5_000..<5_092))
  }
}
