import AudioSession
import Board
import Testing

@testable import Firmware

@Suite struct PortMixerTests {
  private let fakeMixer = FakeMixer()
  private let mixer: PortMixer

  private let now = Instant.powerOn

  init() { mixer = PortMixer(MixerDescription(card: "Device", control: "PCM"), fakeMixer) }

  private func work(toward volume: Int?, after time: Duration = .zero) -> [PortMixer.Outcome] {
    mixer.work(toward: volume, at: now + time)
  }

  @Test("a card without a volume set is left alone")
  func untouched() {
    #expect(work(toward: nil) == [])
    #expect(fakeMixer.openings == 0)
    #expect(mixer.nextTry == nil)
  }

  @Test("the first volume is set at once, later ones are reached in half decibels")
  func walks() {
    #expect(work(toward: 60) == [.set(volume: 60, rest: 0)])
    #expect(work(toward: 64) == [.set(volume: 64, rest: 0)])
    #expect(work(toward: 62) == [.set(volume: 62, rest: 0)])
    #expect(fakeMixer.moves == [-20, -19.5, -19, -18.5, -18, -18.5, -19])
    #expect(work(toward: 62) == [])
    #expect(work(toward: nil) == [])
    #expect(fakeMixer.openings == 1)
  }

  @Test("volume 0 is mute, and the way back opens it")
  func mutes() {
    #expect(work(toward: 1) == [.set(volume: 1, rest: 0)])
    #expect(work(toward: 0) == [.set(volume: 0, rest: 0)])
    #expect(work(toward: 2) == [.set(volume: 2, rest: 0)])
    #expect(fakeMixer.moves == [-49.5, nil, -49.5, -49])
  }

  @Test("what the card's steps cannot reach is left to the samples")
  func rest() {
    fakeMixer.change { $0.step = 4 }
    #expect(work(toward: 93) == [.set(volume: 93, rest: -3.5)])
    fakeMixer.change { $0.least = -10 }
    let other = PortMixer(MixerDescription(card: "D", control: "P"), fakeMixer)
    #expect(other.work(toward: 50, at: now) == [.set(volume: 50, rest: -15)])
  }

  @Test("a card that fails is reported once, waited for, and set again when it is back")
  func comesBack() {
    _ = work(toward: 60)
    fakeMixer.change { $0.isPlugged = false }
    #expect(work(toward: nil) == [.failed(FakeMixer.error(.check))])
    #expect(mixer.nextTry == now + .seconds(1))
    #expect(work(toward: nil) == [])
    #expect(work(toward: 70) == [])
    fakeMixer.change { $0.isPlugged = true }
    #expect(work(toward: nil) == [.set(volume: 70, rest: 0)])
    #expect(mixer.nextTry == nil)
    // The card may be at any level: the control does not start from the previous volume.
    #expect(fakeMixer.moves == [-20, -15])
    fakeMixer.change { $0.refusal = .set }
    #expect(work(toward: 60) == [.failed(FakeMixer.error(.set))])
  }

  @Test("a control that the card does not have is searched again a minute later, and reported once")
  func hopeless() {
    fakeMixer.change { $0.refusal = .find }
    #expect(work(toward: 60) == [.failed(FakeMixer.error(.find))])
    #expect(mixer.nextTry == now + .seconds(60))
    #expect(work(toward: 61) == [] && work(toward: nil, after: .seconds(59)) == [])
    #expect(fakeMixer.openings == 1)
    #expect(work(toward: nil, after: .seconds(60)) == [] && fakeMixer.openings == 2)
    #expect(mixer.nextTry == now + .seconds(120))
    fakeMixer.change { $0.refusal = nil }
    #expect(work(toward: nil, after: .seconds(119)) == [])
    #expect(work(toward: nil, after: .seconds(120)) == [.set(volume: 61, rest: 0)])
    #expect(mixer.nextTry == nil)
  }

  @Test("once the card without the control is gone, the right one is looked for every second")
  func otherCard() {
    fakeMixer.change { $0.refusal = .find }
    _ = work(toward: 60)
    fakeMixer.change { $0.isPlugged = false }
    #expect(work(toward: nil, after: .seconds(60)) == [])
    #expect(mixer.nextTry == now + .seconds(61))
    fakeMixer.change { ($0.isPlugged, $0.refusal) = (true, nil) }
    #expect(work(toward: 61, after: .seconds(60)) == [.set(volume: 61, rest: 0)])
  }
}
