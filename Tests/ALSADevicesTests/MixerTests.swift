import Board
import Glibc
import Testing

@testable import ALSADevices

@Suite struct MixerTests {
  private let card: PretendedCard
  private let volume: CInt
  private let `switch`: CInt
  private let plain: CInt

  init() throws {
    card = try PretendedCard()
    // 0 dB at 40, 1.5 dB per step.
    volume = card.addVolume("Headphone Playback Volume", most: 40, step: 150)
    `switch` = card.addSwitch("Headphone Playback Switch")
    plain = card.addVolume("Speaker Playback Volume", most: 10, step: 0)
  }

  private func open(_ control: String) throws -> any MixerControl {
    try ALSAMixerOpener(opener: card.opener).open(MixerDescription(card: "Device", control: control))
  }

  private func error(_ body: () throws -> Void) -> MixerError? {
    do {
      try body()
      return nil
    } catch {
      return error as? MixerError
    }
  }

  @Test("a level is the lowest that the card has from there on")
  func levels() throws {
    let mixer = try open("Headphone")
    #expect(try mixer.set(decibels: 0) == 0)
    #expect(card.value(of: volume) == 40)
    #expect(try mixer.set(decibels: -20) == -19.5)
    #expect(card.value(of: volume) == 27)
    #expect(try mixer.set(decibels: -1.5) == -1.5)
    #expect(card.value(of: volume) == 39)
    #expect(try mixer.set(decibels: -100) == -60)
    #expect(try mixer.set(decibels: 12) == 0)
  }

  @Test("mute closes the switch and lowers the volume, a level opens it")
  func mutes() throws {
    let mixer = try open("Headphone")
    _ = try mixer.set(decibels: -3)
    try mixer.mute()
    #expect(card.value(of: `switch`) == 0)
    #expect(card.value(of: volume) == 0)
    #expect(try mixer.set(decibels: -3) == -3)
    #expect(card.value(of: `switch`) == 1)
  }

  @Test("a card that ignores volumes while it is muted gets them all the same")
  func frozen() throws {
    card.freeze(volume, by: `switch`)
    card.move(`switch`, to: 0)
    let mixer = try open("Headphone")
    #expect(try mixer.set(decibels: -15) == -15)
    #expect(card.value(of: `switch`) == 1)
    #expect(card.value(of: volume) == 30)
  }

  @Test("what somebody else moved is moved again")
  func others() throws {
    let mixer = try open("Headphone")
    _ = try mixer.set(decibels: -3)
    card.move(volume, to: 7)
    card.move(`switch`, to: 0)
    _ = try mixer.set(decibels: -3)
    #expect(card.value(of: volume) == 38)
    #expect(card.value(of: `switch`) == 1)
  }

  @Test("a card without the control names those it has; one without decibels is no use")
  func wrongControls() {
    let missing = error { _ = try open("Headphones") }
    #expect(missing?.operation == .find)
    #expect(
      missing?.description
        == "find mixer control Headphones of Device: no such control, expected one of: Headphone, Speaker")
    let plain = error { _ = try open("Speaker") }
    #expect(plain?.operation == .find)
    #expect(plain?.message == "it has no decibels")
    #expect(card.openings == 0)
  }

  @Test("a card that is pulled out wakes who polls, and every call says so")
  func gone() throws {
    let mixer = try open("Headphone")
    let polled = try #require(mixer.pollDescriptors.first)
    card.plug(false)
    var entry = pollfd(fd: polled.fileDescriptor, events: polled.events, revents: 0)
    #expect(poll(&entry, 1, 0) == 1)
    #expect(error { try mixer.check() }?.code == ENODEV)
    #expect(error { _ = try mixer.set(decibels: 0) }?.code == ENODEV)
    #expect(error { _ = try open("Headphone") }?.operation == .open)
  }

  @Test("a card that goes while its control is looked for is missing, and does not count as one without decibels")
  func goesMeanwhile() {
    card.leaveOverDecibels()
    let gone = error { _ = try open("Headphone") }
    #expect(gone?.operation == .open && gone?.code == ENODEV)
    card.plug(true)
    #expect(error { _ = try open("Headphone") } == nil)
  }

  @Test("a value that the card refuses is an error")
  func refused() throws {
    let mixer = try open("Headphone")
    card.refuse(-EIO)
    #expect(error { _ = try mixer.set(decibels: -30) }?.code == EIO)
    #expect(error { try mixer.mute() }?.operation == .set)
  }
}
