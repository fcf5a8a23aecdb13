import Board
import CALSA
import PacedCards
import PacedPCM
import Testing

@testable import ALSADevices

extension ALSAPlayback {
  @Test("P14: a card that refuses to take back is found out before it sounds, and is not asked again")
  func findsRefusal() throws {
    let device = try #require(PacedCard())
    device.suffer("take_back refuse")
    let pcm = try device.open()
    #expect(!pcm.takesBack && pcm.margin == 0)
    let counts = device.counts
    #expect(try pcm.writeAll(frames(0..<1_000)) == 1_000)
    try pcm.start()
    device.play(100)
    #expect(pcm.rewind(500, isUrgent: false) == 0)
    #expect(try pcm.status().state == .running && pcm.status().queued == 900)
    #expect(device.counts.rewinds == counts.rewinds && device.counts.underruns == counts.underruns)
    device.play(900)
    #expect(device.heard() == frames(0..<1_000))
  }

  @Test("P14: a card that takes back has nothing left of the silence with which that is found out")
  func findsConsent() throws {
    let device = try #require(PacedCard())
    let pcm = try device.open()
    #expect(pcm.takesBack && pcm.margin == 441)
    #expect(try pcm.status().state == .prepared && pcm.status().queued == 0)
    #expect(device.counts.rewinds == 1 && device.counts.underruns == 0)
  }
}
