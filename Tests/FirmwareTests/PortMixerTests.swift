import Board
import Testing

@testable import Firmware

@Suite struct PortMixerTests {
  private let fakeMixer = FakeMixer()
  private let mixer: PortMixer

  init() { mixer = PortMixer(MixerDescription(card: "Device", control: "PCM"), fakeMixer) }

  @Test("a card without a volume set is left alone")
  func untouched() {
    #expect(mixer.work(toward: nil) == [])
    #expect(fakeMixer.openings == 0)
    #expect(!mixer.isMissing)
  }

  @Test("the first volume is set at once, later ones are reached in half decibels")
  func walks() {
    #expect(mixer.work(toward: 60) == [.set(volume: 60, rest: 0)])
    #expect(mixer.work(toward: 64) == [.set(volume: 64, rest: 0)])
    #expect(mixer.work(toward: 62) == [.set(volume: 62, rest: 0)])
    #expect(fakeMixer.moves == [-20, -19.5, -19, -18.5, -18, -18.5, -19])
    #expect(mixer.work(toward: 62) == [])
    #expect(mixer.work(toward: nil) == [])
    #expect(fakeMixer.openings == 1)
  }

  @Test("volume 0 is mute, and the way back opens it")
  func mutes() {
    #expect(mixer.work(toward: 1) == [.set(volume: 1, rest: 0)])
    #expect(mixer.work(toward: 0) == [.set(volume: 0, rest: 0)])
    #expect(mixer.work(toward: 2) == [.set(volume: 2, rest: 0)])
    #expect(fakeMixer.moves == [-49.5, nil, -49.5, -49])
  }

  @Test("what the card's steps cannot reach is left to the samples")
  func rest() {
    fakeMixer.change { $0.step = 4 }
    #expect(mixer.work(toward: 93) == [.set(volume: 93, rest: -3.5)])
    fakeMixer.change { $0.least = -10 }
    let other = PortMixer(MixerDescription(card: "D", control: "P"), fakeMixer)
    #expect(other.work(toward: 50) == [.set(volume: 50, rest: -15)])
  }

  @Test("a card that fails is reported once, waited for, and set again when it is back")
  func comesBack() {
    _ = mixer.work(toward: 60)
    fakeMixer.change { $0.isPlugged = false }
    #expect(mixer.work(toward: nil) == [.failed(FakeMixer.error(.check))])
    #expect(mixer.isMissing)
    #expect(mixer.work(toward: nil) == [])
    #expect(mixer.work(toward: 70) == [])
    fakeMixer.change { $0.isPlugged = true }
    #expect(mixer.work(toward: nil) == [.set(volume: 70, rest: 0)])
    #expect(!mixer.isMissing)
    // The card may be at any level: the control does not start from the previous volume.
    #expect(fakeMixer.moves == [-20, -15])
    fakeMixer.change { $0.refusal = .set }
    #expect(mixer.work(toward: 60) == [.failed(FakeMixer.error(.set))])
  }

  @Test("a control that the card does not have is not searched again")
  func hopeless() {
    fakeMixer.change { $0.refusal = .find }
    #expect(mixer.work(toward: 60) == [.failed(FakeMixer.error(.find))])
    #expect(!mixer.isMissing)
    #expect(mixer.work(toward: 61) == [])
    #expect(fakeMixer.openings == 1)
  }
}
