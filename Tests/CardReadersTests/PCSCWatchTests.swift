import AudioSession
import Board
import CPCSC
import Glibc
import Testing

@testable import CardReaders

/// What a reader of PC/SC is made of: what pcscd says of it, and what its cards answer.
@Suite struct PCSCWatchTests {
  private final class Clock: BoardClock, @unchecked Sendable {
    var now = Instant.powerOn
  }

  /// A pcscd that says what it was told to say, in order.
  private final class Script: PCSCService {
    enum Step {
      case state(UInt32)
      case failure(UInt32)
    }

    var names = ["ACS ACR122U PICC Interface 00 00"]
    var refusal: UInt32?
    var steps: [Step] = []
    var answers: [Result<[UInt8], PCSCFailure>] = []
    /// How long each wait might have taken, in milliseconds, and which state was known.
    var waits: [(Int64, UInt32)] = []
    var asked: [String] = []

    func connect() throws(PCSCFailure) {
      if let refusal { throw PCSCFailure(code: refusal) }
    }

    func readers() throws(PCSCFailure) -> [String] { names }

    func wait(for reader: String, otherThan state: PCSCState, atMost: Duration) throws(PCSCFailure) -> PCSCState {
      waits.append((atMost.wholeNanoseconds / 1_000_000, state.bits))
      switch steps.isEmpty ? .failure(CPCSC_TIMEOUT) : steps.removeFirst() {
      case .state(let bits): return PCSCState(bits: bits)
      case .failure(let code): throw PCSCFailure(code: code)
      }
    }

    func transmit(_ command: [UInt8], to reader: String) throws(PCSCFailure) -> [UInt8] {
      asked.append(reader + " " + command.map { String($0, radix: 16) }.joined(separator: " "))
      return try (answers.isEmpty ? .failure(PCSCFailure(code: 0x8010_0069)) : answers.removeFirst()).get()
    }

    func disconnect() {}
  }

  // As pcsclite.h has them.
  private static let (empty, present, inUse, mute, gone): (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x10, 0x20, 0x100, 0x200, 0xC
  )
  private static let ok: [UInt8] = [0x90, 0x00]

  private struct Bench {
    let clock = Clock()
    let script = Script()
    let watch: PCSCWatch

    init(device: String = "") { watch = PCSCWatch("BOX", device: device, clock: clock, service: script) }

    /// What the next step brings, in words.
    func next(_ step: Script.Step? = nil, _ answer: [UInt8]? = nil) throws -> String {
      if let step { script.steps.append(step) }
      if let answer { script.answers.append(.success(answer)) }
      clock.now = clock.now + .milliseconds(10)
      guard let reading = try watch.next() else { return "nothing" }
      #expect(reading.reader == "BOX" && reading.at == clock.now)
      return reading.token ?? "none"
    }

    /// Why it cannot be opened; nil: it can.
    func refusal() -> LineError? {
      do throws(LineError) {
        try watch.open()
        return nil
      } catch {
        return error
      }
    }
  }

  @Test("L1, L2, L5: laid, swapped so fast that it was never gone, and lifted")
  func cards() throws {
    let bench = Bench()
    try bench.watch.open()
    #expect(try bench.next(.state(Self.empty)) == "none")
    let seven: [UInt8] = [0x04, 0xA2, 0xB1, 0xC3, 0xD4, 0xE5, 0xF6]
    #expect(try bench.next(.state(1 << 16 | Self.present), seven + Self.ok) == "04A2B1C3D4E5F6")
    #expect(bench.script.asked == ["ACS ACR122U PICC Interface 00 00 ff ca 0 0 0"])
    #expect(try bench.next(.state(3 << 16 | Self.present), [0xDE, 0xAD, 0x00, 0x0F] + Self.ok) == "DEAD000F")
    #expect(try bench.next(.state(4 << 16 | Self.empty)) == "none")
    #expect(bench.script.asked.count == 2)
    #expect(
      bench.script.waits.map(\.1) == [0, Self.empty, Self.empty, 1 << 16 | Self.present, 3 << 16 | Self.present])
  }

  @Test("L10, L10.2: nothing is asked while nothing is new, and nobody wakes up more than once a minute")
  func rests() throws {
    let bench = Bench()
    try bench.watch.open()
    _ = try bench.next(.state(Self.empty))
    for _ in 0..<3 { #expect(try bench.next() == "nothing") }
    _ = try bench.next(.state(1 << 16 | Self.present), [1, 2, 3, 4] + Self.ok)
    #expect(try bench.next() == "nothing")
    // Somebody else uses it, and leaves it.
    #expect(try bench.next(.state(1 << 16 | Self.present | Self.inUse)) == "nothing")
    #expect(try bench.next(.state(1 << 16 | Self.present)) == "nothing")
    #expect(bench.script.asked.count == 1)
    // Except the first one, after which a reader that looks by itself gets a second.
    #expect(bench.script.waits.map(\.0) == [60_000, 1_000] + Array(repeating: 60_000, count: 7))
  }

  @Test("L6, L11: a reader that has just begun to look finds what lies there within a second: it was never gone")
  func looksByItself() throws {
    let bench = Bench()
    try bench.watch.open()
    bench.script.steps = [.state(Self.empty)]
    #expect(try bench.next(.state(1 << 16 | Self.present), [1, 2, 3, 4] + Self.ok) == "01020304")
    #expect(try bench.next(.state(2 << 16 | Self.empty)) == "none")
    #expect(bench.script.waits.map(\.0) == [60_000, 1_000, 60_000])
  }

  @Test(
    "L7, L12: a card that does not answer is asked again soon, six times in all, and then counts as none",
    arguments: [
      [], [0x6A, 0x81], [0x01, 0x90, 0x00], [0x08, 1, 2, 3, 0x90, 0x00], [UInt8](repeating: 7, count: 11) + ok,
    ])
  func noUID(answer: [UInt8]) throws {
    let bench = Bench()
    try bench.watch.open()
    _ = try bench.next(.state(1 << 16 | Self.present), [1, 2, 3, 4] + Self.ok)
    #expect(try bench.next(.state(3 << 16 | Self.present), answer) == "nothing")
    for _ in 0..<4 { #expect(try bench.next(nil, answer) == "nothing") }
    #expect(try bench.next(nil, answer) == "none", "it lies where the other one lay")
    #expect(try bench.next() == "nothing")
    #expect(bench.script.waits.map(\.0) == [60_000, 60_000, 50, 50, 50, 50, 50, 60_000])
    #expect(bench.script.asked.count == 7)
    // The next one is asked as any other.
    #expect(try bench.next(.state(5 << 16 | Self.present), [4, 3, 2, 1] + Self.ok) == "04030201")
  }

  @Test("a card that answers at the second time is read then")
  func late() throws {
    let bench = Bench()
    try bench.watch.open()
    // As it says of one that is mute for a moment, is reset or was taken away.
    for code: UInt32 in [0x8010_0066, 0x8010_0068, 0x8010_0069, 0x8010_000C] {
      bench.script.answers = [.failure(PCSCFailure(code: code))]
      #expect(try bench.next(.state(1 << 16 | Self.present)) == "nothing")
      #expect(try bench.next(nil, [1, 2, 3, 4] + Self.ok) == "01020304")
      #expect(try bench.next() == "nothing")
      _ = try bench.next(.state(2 << 16 | Self.empty))
    }
  }

  @Test("L7: a card that somebody else has for himself is no lift, and is read when he lets go of it")
  func held() throws {
    let bench = Bench()
    try bench.watch.open()
    bench.script.answers = Array(repeating: .failure(PCSCFailure(code: CPCSC_HELD)), count: 20)
    #expect(try bench.next(.state(1 << 16 | Self.present)) == "nothing")
    for _ in 0..<19 { #expect(try bench.next() == "nothing") }
    #expect(try bench.next(nil, [1, 2, 3, 4] + Self.ok) == "01020304")
    #expect(bench.script.waits.dropFirst().allSatisfy { $0.0 == 1_000 })
  }

  @Test("one that is mute is none")
  func mutes() throws {
    let bench = Bench()
    try bench.watch.open()
    #expect(try bench.next(.state(1 << 16 | Self.present | Self.mute)) == "none")
    #expect(bench.script.asked.isEmpty)
  }

  @Test("L11: a reader that is pulled out, and a pcscd that ends, say nothing of the card")
  func gone() throws {
    for step: Script.Step in [
      .state(Self.gone), .failure(CPCSC_UNKNOWN_READER), .failure(CPCSC_NO_SERVICE), .failure(CPCSC_HUNG_UP),
      .failure(0x8010_0001),
    ] {
      let bench = Bench()
      try bench.watch.open()
      _ = try bench.next(.state(1 << 16 | Self.present), [1, 2, 3, 4] + Self.ok)
      let error = #expect(throws: LineError.self) { try bench.next(step) }
      #expect(error?.operation == .readEdges && error?.subject == "PC/SC")
      // Back, it is asked as at first.
      try bench.watch.open()
      #expect(try bench.next(.state(1 << 16 | Self.present), [1, 2, 3, 4] + Self.ok) == "01020304")
      #expect(bench.script.waits.last?.1 == 0)
    }
  }

  @Test("L11: a reader or a pcscd that goes while the card is asked says nothing of it, be that at the last time")
  func goneWhileAsked() throws {
    for code in [CPCSC_HUNG_UP, CPCSC_NO_SERVICE, CPCSC_READER_GONE, CPCSC_UNKNOWN_READER] {
      for tries in 0..<6 {
        let bench = Bench()
        try bench.watch.open()
        bench.script.answers =
          Array(repeating: .success([0x6A, 0x81]), count: tries) + [.failure(PCSCFailure(code: code))]
        bench.script.steps = [.state(1 << 16 | Self.present)]
        for _ in 0..<tries { #expect(try bench.next() == "nothing") }
        #expect(throws: LineError.self) { try bench.next() }
      }
    }
  }

  @Test("who may not ask the card is told so")
  func notPermitted() throws {
    let bench = Bench()
    try bench.watch.open()
    bench.script.answers = [.failure(PCSCFailure(code: CPCSC_NOT_PERMITTED))]
    let error = #expect(throws: LineError.self) { try bench.next(.state(1 << 16 | Self.present)) }
    #expect(error?.code == EACCES)
  }

  @Test("which reader it is: the only one, or the one whose name begins so")
  func names() {
    let (acs, omni) = ("ACS ACR122U PICC Interface 00 00", "HID Global OMNIKEY 5022 Smart Card Reader 01 00")
    let cases: [(String, [String], CInt?)] = [
      ("", [acs], nil), ("", [], ENODEV), ("", [acs, omni], ENOTUNIQ), ("HID", [acs, omni], nil),
      ("HID", [acs], ENODEV), ("HID", [], ENODEV), (omni, [acs, omni], nil),
    ]
    for (device, names, code) in cases {
      let bench = Bench(device: device)
      bench.script.names = names
      let error = bench.refusal()
      #expect(error?.code == code, "\(device) of \(names)")
      if code == ENOTUNIQ || code == ENODEV && !names.isEmpty {
        #expect(error?.message.contains(names.joined(separator: "; ")) == true)
      }
    }
  }

  @Test("what keeps it from pcscd is told apart")
  func refusals() {
    for (code, expected) in [
      (UInt32(CPCSC_NO_LIBRARY), ELIBACC), (CPCSC_NO_SERVICE, ECONNREFUSED), (CPCSC_NOT_PERMITTED, EACCES),
      (0x8010_0001, EIO),
    ] {
      let bench = Bench(device: "ACS")
      bench.script.refusal = code
      let error = bench.refusal()
      #expect(error?.code == expected && error?.operation == .openDevice && error?.subject == "ACS")
    }
  }
}
