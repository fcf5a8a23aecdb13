import AudioSession
import Board
import Glibc
import TestSupport
import Testing

@testable import InputDevices

/// Input devices behind `BoardLines` that are there, and are not what the board file means.
@Suite struct UnfitDeviceTests {
  private final class Hand: BoardClock, @unchecked Sendable {
    private(set) var now = Instant.powerOn
    func pass(_ duration: Duration) { now = now + duration }
  }

  private let chips = Chips()
  private let socket = Socket(PipedInput([.named("dock"), .named("headphone-insert")]))

  private func lines() -> BoardLines {
    BoardLines(chips: chips, devices: [socket.device([request("headphone-insert"), request("dock")])])
  }

  @Test("R1.1: a device without one of its lines is reported, and the rest of the board plays")
  func wrong() throws {
    socket.input = PipedInput([.named("dock")])
    let lines = lines()
    #expect(try lines.levels() == ["PIN": true, "HEADPHONE-INSERT": false, "DOCK": false])
    let notices = lines.takeNotices()
    #expect(notices.count == 1)
    #expect(notices.first?.hasPrefix("find line HEADPHONE-INSERT: input device keys has no headphone-insert") == true)
    #expect(lines.pollDescriptors.count == 1)
  }

  @Test("T5: a reader whose device has the keys of lines under another name is not taken, and says whose it is")
  func rivals() throws {
    let keys = socket.input
    keys?.number = 7
    let pad = PipedInput(KeyCodes.enters)
    pad.number = 7
    let buttons = socket.device([request("dock")], named: "/dev/input/event7")
    let lines = BoardLines(chips: chips, devices: [buttons, Socket(pad).reader()])
    let taken = "open device reader keypad: is taken by input device /dev/input/event7, expected another; "
    let notices = lines.takeNotices()
    #expect(notices.count == 1 && notices.first?.hasPrefix(taken) == true, "\(notices)")
    keys?.move(.named("dock"), 1, at: 1)
    #expect(try edges(lines).map(\.line) == ["DOCK"])
    // Two lines of one device may have it under two names.
    let other = Socket(keys).device([request("headphone-insert")], named: "keys")
    #expect(BoardLines(chips: chips, devices: [buttons, other]).takeNotices() == [])
  }

  @Test("R1.1: of several interfaces of one name none is taken for the right one while another cannot be opened yet")
  func unopened() throws {
    let folder = try TemporaryFolder()
    let search = InputSearch(directory: folder.path(of: "dev"), names: folder.path(of: "class"))
    for event in 5...6 { folder.write("class/event\(event)/device/name", "pad\n") }
    folder.write("dev/event5", "")
    func failure() -> String {
      do throws(LineError) {
        _ = try search.open(.device("pad"), preferring: { _ in false })
        return ""
      } catch {
        return error.description
      }
    }
    // Nobody can open the second one.
    symlink("event6", folder.path(of: "dev/event6"))
    #expect(failure() == "open device pad: \(String(cString: strerror(ELOOP)))")
    unlink(folder.path(of: "dev/event6"))
    folder.write("dev/event6", "")
    #expect(failure() == "open device pad: \(String(cString: strerror(ENOTTY)))", "the first one, which is no device")
  }

  @Test("a name that several devices have is reported once")
  func ambiguous() throws {
    socket.input?.ambiguity = "2 devices have this name"
    let lines = lines()
    #expect(lines.takeNotices() == ["input device keys: 2 devices have this name"])
    socket.input?.unplug()
    socket.input = PipedInput([.named("dock"), .named("headphone-insert")])
    socket.input?.ambiguity = "2 devices have this name"
    _ = try edges(lines)
    try waitForRetry(lines)
    _ = try edges(lines)
    #expect(lines.takeNotices().last == "input device keys is there")
  }

  /// A device that answers with one error after the other, and is there in the end.
  private final class Refusing: LineDevice {
    let name = "pad"
    let lines: [String] = []
    let pollDescriptors: [PollDescriptor] = []
    var arrival: Int64? = 1
    var errors: [LineError]
    private(set) var tries = 0

    init(_ errors: [(LineError.Operation, CInt)]) {
      self.errors = errors.map { LineError(operation: $0, subject: "pad", code: $1, message: "\($1)") }
    }

    func open() throws(LineError) {
      tries += 1
      if !errors.isEmpty { throw errors.removeFirst() }
    }
    func levels() -> [Bool] { [] }
    func readEdges(into edges: inout [LineEdge]) {}
    func close() {}
  }

  @Test("R1.1: a device that does not fit, or is taken, is opened again after a minute, or when another one has come")
  func pace() throws {
    let pad = Refusing([(.findLine, 0), (.openDevice, EBUSY), (.openDevice, EBUSY)])
    let clock = Hand()
    let lines = BoardLines(chips: chips, devices: [pad], clock: clock)
    let often = "tried again every minute, and when a device comes or goes"
    #expect(lines.takeNotices() == ["find line pad: 0; \(often)"])
    func tries(after time: Duration) throws -> Int {
      clock.pass(time)
      try waitForRetry(lines)
      _ = try edges(lines)
      return pad.tries
    }
    #expect(try tries(after: .seconds(59)) == 1)
    #expect(try tries(after: .seconds(1)) == 2)
    pad.arrival = 2
    #expect(try tries(after: .seconds(1)) == 3)
    #expect(try tries(after: .seconds(59)) == 3)
    #expect(try tries(after: .seconds(1)) == 4)
    #expect(lines.takeNotices() == ["pad is there"])
  }

  @Test("a device that was missing, and does not fit when it comes, is reported again; one that only goes then is not")
  func news() throws {
    let pad = Refusing([(.openDevice, ENOENT), (.findLine, 0), (.openDevice, ENOENT), (.findLine, 0)])
    pad.arrival = nil
    let lines = BoardLines(chips: chips, devices: [pad])
    for _ in 0..<3 {
      try waitForRetry(lines)
      _ = try edges(lines)
    }
    let errors = ["open device pad: \(ENOENT)", "find line pad: 0"]
    #expect(lines.takeNotices() == errors.map { "\($0); tried again every second" })
  }
}
