import Board
import CALSA
import PacedCards
import PacedPCM
import Testing

@testable import ALSADevices

extension ALSAPlayback {
  @Test("P14: a card that refuses to take back is found out before it sounds, and is not asked again")
  func findsRefusal() throws {
    let (device, pcm) = try PacedCard.opened("take_back refuse")
    #expect(!pcm.takesBack && pcm.margin == 0)
    let counts = device.counts
    try pcm.startPlaying(1_000)
    device.play(100)
    #expect(pcm.rewind(500, isUrgent: false) == 0)
    #expect(try pcm.status().state == .running && pcm.status().queued == 900)
    #expect(device.counts.rewinds == counts.rewinds && device.counts.underruns == counts.underruns)
    device.play(900)
    #expect(device.heard() == frames(0..<1_000))
  }

  @Test("P14: a card that takes back has nothing left of the silence with which that is found out")
  func findsConsent() throws {
    let (device, pcm) = try PacedCard.opened()
    #expect(pcm.takesBack && pcm.margin == 441)
    #expect(try pcm.status().state == .prepared && pcm.status().queued == 0)
    #expect(device.counts.rewinds == 1 && device.counts.underruns == 0)
  }
}
