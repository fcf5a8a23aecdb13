import Board
import Glibc
import Testing

@testable import ALSADevices

@Suite struct JackTests {
  private let card: PretendedCard
  private let headphones: CInt
  private let other: CInt
  private let volume: CInt

  init() throws {
    card = try PretendedCard()
    volume = card.addVolume("Headphone Playback Volume", most: 100, step: 50)
    headphones = card.addJack("Headphone Jack")
    other = card.addJack("Line Out Jack")
  }

  private func jacks(_ controls: String...) -> SoundCardJacks {
    let requests = controls.map { JackLineRequest(name: "\($0)!", card: "Device", control: $0) }
    return SoundCardJacks("Device", requests, opener: card.opener)
  }

  private func edges(_ device: SoundCardJacks) throws -> [LineEdge] {
    var edges: [LineEdge] = []
    try device.readEdges(into: &edges)
    return edges
  }

  private func isReadable(_ device: SoundCardJacks) -> Bool {
    device.pollDescriptors.contains {
      var polled = pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0)
      return poll(&polled, 1, 0) > 0
    }
  }

  @Test("R1: the state of a jack is read at the start")
  func levels() throws {
    card.move(other, to: 1)
    let device = jacks("Headphone Jack", "Line Out Jack")
    try device.open()
    #expect(device.lines == ["Headphone Jack!", "Line Out Jack!"])
    #expect(try device.levels() == [false, true])
  }

  @Test("a plug wakes who polls, and is an edge of the time at which it is read")
  func plugs() throws {
    let device = jacks("Headphone Jack")
    try device.open()
    #expect(!isReadable(device))
    let before = MonotonicClock(startsNow: false).now
    card.move(headphones, to: 1)
    #expect(isReadable(device))
    let read = try edges(device)
    let after = MonotonicClock(startsNow: false).now
    #expect(read.map(\.line) == ["Headphone Jack!"])
    #expect(read.map(\.asserted) == [true])
    #expect(read.allSatisfy { $0.at >= before && $0.at <= after })
    #expect(!isReadable(device))
    #expect(try edges(device) == [])
  }

  @Test("what other controls do makes no edge behind the lines of a board")
  func others() throws {
    let device = jacks("Headphone Jack")
    let lines = BoardLines(chips: NoChips(), devices: [device])
    card.move(volume, to: 3)
    card.move(other, to: 1)
    var read: [LineEdge] = []
    try lines.readEdges(into: &read)
    #expect(read == [])
    #expect(!isReadable(device))
  }

  @Test("P1: a card that is pulled out takes its plug with it, and has it again when it is back")
  func goneAndBack() throws {
    card.move(headphones, to: 1)
    let lines = BoardLines(chips: NoChips(), devices: [jacks("Headphone Jack")])
    #expect(try lines.levels() == ["Headphone Jack!": true])
    card.plug(false)
    var read: [LineEdge] = []
    try lines.readEdges(into: &read)
    #expect(read.map(\.asserted) == [false])
    #expect(card.openings == 0)
    card.plug(true)
    let timer = try #require(lines.pollDescriptors.last)
    var polled = pollfd(fd: timer.fileDescriptor, events: timer.events, revents: 0)
    #expect(poll(&polled, 1, 60_000) == 1)
    try lines.readEdges(into: &read)
    #expect(read.map(\.asserted) == [false, true])
    #expect(
      lines.takeNotices() == [
        "sound card Device is gone; not asserted until it is back: Headphone Jack!", "sound card Device is there",
      ])
    lines.close()
    #expect(card.openings == 0)
  }

  @Test("a card without the jack says which ones it has")
  func wrongName() throws {
    let device = jacks("Headphones Jack")
    do throws(LineError) {
      try device.open()
      Issue.record("opened")
    } catch {
      #expect(
        error.description
          == "find line Headphones Jack!: sound card Device has no jack control of this name; "
          + "it has: Headphone Jack, Line Out Jack")
    }
    #expect(card.openings == 0)
    #expect(device.pollDescriptors.isEmpty)
  }

  @Test("jacks of one card share it")
  func grouping() {
    let requests = [("A", "1"), ("B", "2"), ("A", "3")].map { JackLineRequest(name: $1, card: $0, control: $1) }
    #expect(SoundCardJacks.cards(for: requests).map(\.lines) == [["1", "3"], ["2"]])
  }

  private final class NoChips: LineSet {
    let pollDescriptors: [PollDescriptor] = []
    func levels() -> [String: Bool] { [:] }
    func readEdges(into edges: inout [LineEdge]) {}
    func set(_ line: String, asserted: Bool) {}
    func close() {}
  }
}

extension ALSAPlayback {
  @Test("a card that the kernel does not have is an error that says so")
  func missingCard() {
    let cards = SoundCardJacks.cards(for: [JackLineRequest(name: "J", card: "Nowhere", control: "J")])
    for card in cards {
      do throws(LineError) {
        try card.open()
        Issue.record("opened")
      } catch {
        #expect(error.operation == .openDevice)
        #expect(error.subject == "sound card Nowhere")
      }
    }
    #expect(cards.count == 1)
  }
}
