import AudioSession
import Board
import Glibc
import TestSupport
import Testing

@testable import CardReaders

/// Readers at a pseudo-terminal, by a clock that stands still.
@Suite struct SerialCardReaderTests {
  private final class Hand: BoardClock, @unchecked Sendable {
    var now = Instant.powerOn
  }

  /// A reader, and what is at the other end of its line.
  private struct Bench {
    let line: PseudoTerminal
    let clock = Hand()
    let reader: any LineDevice

    init(_ speech: CardReaderRequest.Speech) throws {
      line = try PseudoTerminal()
      let request = CardReaderRequest(name: "BOX", speech: speech, device: line.path)
      reader = try #require(CardReaders.devices(for: [request], clock: clock, patience: .zero).first)
    }

    /// What it says when the clock has come so far, in words.
    func look(after time: Duration = .zero) throws -> [String] {
      clock.now = clock.now + time
      var edges: [LineEdge] = []
      try reader.readEdges(into: &edges)
      return reader.takeCards().map { card in
        let since = (card.at - .powerOn).wholeNanoseconds / 1_000_000
        return "\(card.token ?? "none") at \(since)"
      }
    }

    /// Whether the kernel would wake somebody.
    var isWoken: Bool {
      guard let waited = reader.pollDescriptors.first else { return false }
      var polled = pollfd(fd: waited.fileDescriptor, events: waited.events, revents: 0)
      return poll(&polled, 1, 0) > 0
    }

    /// Nothing is found, and once more, because what was said may be lost on its way.
    func lookTwice(after time: Duration = .milliseconds(600), taking answer: [UInt8] = []) throws -> [String] {
      send(answer)
      #expect(try look(after: time) == [] && next == 100)
      send(answer)
      return try look(after: .milliseconds(100))
    }

    /// What was sent arrives at the other end before the next call on it.
    func send(_ bytes: [UInt8]) { line.send(bytes) }

    var next: Int64? { reader.nextLook.map { ($0 - clock.now).wholeNanoseconds / 1_000_000 } }

    /// A PN532 that has answered the greeting, and was asked.
    func greet() throws {
      try? reader.open()
      _ = line.take(atMost: 4_096)
      send(Telegram.configured)
      try reader.open()
      // It is told to be patient.
      #expect(line.take(atMost: 13).dropFirst(5) == [0xD4, 0x32, 0x05, 0xFF, 0x01, 0xFF, 0xF6, 0x00])
      send(Telegram.taken + Telegram.frame([0xD5, 0x33]))
      #expect(try look(after: .milliseconds(50)) == [] && next == 50)
      #expect(try look(after: .milliseconds(50)) == [] && next == 100)
      // Not to speak with cards, and then asked.
      #expect(line.take(atMost: 10).dropFirst(5) == [0xD4, 0x12, 0x04, 0x16, 0x00])
      send(Telegram.taken + Telegram.frame([0xD5, 0x13]))
      #expect(try look(after: .milliseconds(100)) == [] && next == 100)
      #expect(line.take(atMost: 11) == [0x00, 0x00, 0xFF, 0x04, 0xFC, 0xD4, 0x4A, 0x01, 0x00, 0xE1, 0x00])
    }
  }

  private let telegram = Telegram.of("0C00A1B2C3")
  private let answer = Telegram.listed([0x04, 0xA2, 0xB1, 0xC3])

  @Test(
    "L10, L10.1: RDM6300: laid, looked at every 0.6 s and then every 5 s, gone, and then waited for; not one look while none lies"
  )
  func telegrams() throws {
    let bench = try Bench(.rdm6300)
    try bench.reader.open()
    #expect(bench.next == 100 && bench.reader.pollDescriptors.isEmpty)
    #expect(try bench.lookTwice() == ["none at 0"])
    #expect(bench.next == nil && !bench.isWoken)
    bench.send(Array(telegram.dropLast()))
    #expect(!bench.isWoken, "thirteen bytes are no telegram")
    bench.send([3])
    #expect(bench.isWoken)
    #expect(try bench.look(after: .seconds(60)) == ["0C00A1B2C3 at 60700"])
    // It sounded last at power on: there is no hurry.
    #expect(bench.next == 5_000 && bench.reader.pollDescriptors.isEmpty)
    bench.reader.noteSounding(true)
    #expect(bench.next == 600)
    for _ in 0..<20 { bench.send(telegram) }
    #expect(try bench.look(after: .milliseconds(599)) == [])
    #expect(try bench.look(after: .milliseconds(1)) == ["0C00A1B2C3 at 61300"])
    bench.reader.noteSounding(false)
    bench.send(telegram)
    #expect(try bench.look(after: .milliseconds(600)) == ["0C00A1B2C3 at 61900"] && bench.next == 600)
    bench.send(telegram)
    #expect(try bench.look(after: .seconds(10)) == ["0C00A1B2C3 at 71900"] && bench.next == 5_000)
    #expect(try bench.lookTwice(after: .seconds(5)) == ["none at 71900"])
    #expect(bench.next == nil && bench.reader.pollDescriptors.count == 1)
  }

  @Test("L12: RDM6300: noise at rest is looked at again soon, and then no more often than a card")
  func noise() throws {
    let bench = try Bench(.rdm6300)
    try bench.reader.open()
    _ = try bench.lookTwice(after: .seconds(30))
    for _ in 0..<500 {
      bench.send([UInt8](repeating: 0x55, count: 2_048))
      _ = try bench.look()
      #expect(bench.reader.pollDescriptors.isEmpty)
      #expect([100, 5_000].contains(bench.next))
      bench.clock.now = bench.clock.now + .milliseconds(try #require(bench.next))
    }
    bench.send(telegram)
    #expect(try bench.look().map { $0.prefix(10) } == ["0C00A1B2C3"])
    #expect(try bench.lookTwice(after: .seconds(5)).count == 1)
    #expect(bench.next == nil && !bench.isWoken)
  }

  @Test("L11: RDM6300: whoever pulls it out lifts no card, and back it says what lies there")
  func pulledOut() throws {
    let bench = try Bench(.rdm6300)
    try bench.reader.open()
    bench.send(telegram)
    _ = try bench.look(after: .milliseconds(600))
    bench.line.hangUp()
    #expect(throws: LineError.self) { try bench.look(after: .seconds(5)) }
    #expect(bench.reader.takeCards() == [])
    bench.reader.close()
    #expect(bench.reader.pollDescriptors.isEmpty && bench.next == nil)
    #expect(throws: LineError.self) { try bench.reader.open() }
  }

  @Test("L10, L10.1: PN532: asked once, it is told of a card, and asked again while one lies")
  func questions() throws {
    let bench = try Bench(.pn532)
    try bench.greet()
    bench.send(Telegram.taken)
    #expect(try bench.look(after: .milliseconds(600)) == ["none at 200"])
    #expect(bench.next == nil && !bench.isWoken && !bench.line.hasOutput)
    bench.send(answer)
    #expect(bench.isWoken)
    #expect(try bench.look(after: .seconds(30)) == ["04A2B1C3 at 30800"])
    #expect(bench.line.take(atMost: 11).count == 11)
    bench.reader.noteSounding(true)
    for _ in 0..<5 {
      bench.send(Telegram.taken + answer)
      #expect(try bench.look(after: .milliseconds(600)).map { $0.prefix(8) } == ["04A2B1C3"])
      #expect(bench.line.take(atMost: 11).count == 11)
    }
    // A lost answer does not count as a lift.
    bench.send(Telegram.taken)
    #expect(try bench.look(after: .milliseconds(600)) == [] && bench.line.take(atMost: 11).count == 11)
    bench.send(Telegram.taken + answer)
    #expect(try bench.look(after: .milliseconds(100)) == ["04A2B1C3 at 34500"])
    #expect(try bench.lookTwice(taking: Telegram.taken) == ["none at 34500"])
    #expect(bench.line.take(atMost: 64).count == 22 && bench.next == nil, "the last question still stands")
    bench.send(answer)
    #expect(try bench.look(after: .milliseconds(50)) == ["04A2B1C3 at 35250"])
  }

  @Test("L7, L12: PN532: an answer that is damaged is no lift, nor one that says no")
  func damaged() throws {
    let bench = try Bench(.pn532)
    try bench.greet()
    bench.send(Telegram.taken + answer)
    _ = try bench.look(after: .milliseconds(600))
    var wrong = answer
    wrong[13] ^= 1
    for bytes in [wrong, Telegram.frame([0xD5, 0x4B, 0x00]), Telegram.frame([0x7F])] {
      bench.send(Telegram.taken + bytes)
      #expect(try bench.look(after: .seconds(5)) == [] && bench.next == 100)
      bench.send(Telegram.taken + answer)
      #expect(try bench.look(after: .milliseconds(100)).map { $0.prefix(8) } == ["04A2B1C3"])
    }
  }

  @Test("PN532: a card whose answer comes in parts is looked at again soon")
  func inParts() throws {
    let bench = try Bench(.pn532)
    try bench.greet()
    bench.send(Telegram.taken)
    _ = try bench.look(after: .milliseconds(600))
    bench.send(Array(answer.prefix(5)))
    #expect(try bench.look(after: .seconds(20)) == [] && bench.next == 100)
    bench.send(Array(answer.dropFirst(5)))
    #expect(try bench.look(after: .milliseconds(100)) == ["04A2B1C3 at 20900"])
  }

  @Test("L11: PN532: one that takes no question any more is gone, and says nothing of its card")
  func dead() throws {
    let bench = try Bench(.pn532)
    try bench.greet()
    bench.send(Telegram.taken + answer)
    #expect(try bench.look(after: .milliseconds(600)).count == 1)
    bench.reader.noteSounding(true)
    #expect(try bench.look(after: .milliseconds(600)) == [])
    #expect(try bench.look(after: .milliseconds(600)) == [])
    #expect(throws: LineError.self) { try bench.look(after: .milliseconds(600)) }
    bench.reader.close()
    try bench.greet()
    bench.send(Telegram.taken + answer)
    #expect(try bench.look(after: .milliseconds(600)).count == 1)
  }

  @Test("PN532: one that may have lost its power is asked anew, a minute later, when the board is awake anyway")
  func asksAnew() throws {
    let bench = try Bench(.pn532)
    try bench.greet()
    bench.send(Telegram.taken)
    _ = try bench.look(after: .milliseconds(600))
    #expect(try bench.look(after: .seconds(59)) == [] && !bench.line.hasOutput && bench.next == nil)
    #expect(try bench.look(after: .seconds(2)) == [] && bench.line.take(atMost: 11).count == 11)
    #expect(bench.next != nil)
  }

  @Test("PN532: until it answers it counts as missing, and is greeted at every other call")
  func silent() throws {
    let bench = try Bench(.pn532)
    for call in 0..<6 {
      let error = #expect(throws: LineError.self) { try bench.reader.open() }
      #expect(error?.code == ETIMEDOUT && error?.message.contains("115200") == true)
      #expect(bench.line.take(atMost: 64).count == (call.isMultiple(of: 2) ? 26 : 0))
      bench.reader.close()
    }
  }

  /// A reader that is pulled out when it is asked.
  private struct Leaving: CardProtocol {
    nonisolated(unsafe) static var line: PseudoTerminal?
    static let speed = 9_600
    static let least: UInt8 = 1
    static let greeting: [UInt8] = []
    let isReady = true

    func ask() -> [UInt8] {
      Self.line?.hangUp()
      return [1]
    }

    func look(at bytes: [UInt8]) -> CardLook { .absent }
  }

  @Test("L10: a reader that goes while it is asked for the first time leaves nothing to be looked at")
  func goneAtOpening() throws {
    let line = try PseudoTerminal()
    Leaving.line = line
    defer { Leaving.line = nil }
    let reader = SerialCardReader<Leaving>("BOX", device: line.path, clock: Hand())
    #expect(throws: LineError.self) { try reader.open() }
    reader.close()
    #expect(reader.nextLook == nil && reader.pollDescriptors.isEmpty)
  }

  @Test("a device that is not there says so, and what is no serial line")
  func missing() {
    for (device, code) in [("/dev/absent-reader", ENOENT), ("/dev/null", ENOTTY)] {
      let request = CardReaderRequest(name: "BOX", speech: .rdm6300, device: device)
      let reader = CardReaders.devices(for: [request], clock: Hand(), patience: .zero).first
      let error = #expect(throws: LineError.self) { try reader?.open() }
      #expect(error?.code == code && error?.operation == .openDevice && error?.subject == device)
    }
  }
}
