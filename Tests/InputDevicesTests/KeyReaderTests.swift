import AudioSession
import Board
import CLinux
import Glibc
import Testing

@testable import InputDevices

@Suite struct KeyReaderTests {
  private let input = PipedInput(KeyCodes.enters)

  private func opened() throws -> KeyReader {
    let reader = Socket(input).reader()
    try reader.open()
    #expect(reader.takeKeys() == [ReaderKey(reader: "keypad", key: .clear)])
    return reader
  }

  private func keys(_ reader: KeyReader) throws -> [TypedKey] {
    var edges: [LineEdge] = []
    try reader.readEdges(into: &edges)
    #expect(edges == [])
    return reader.takeKeys().map(\.key)
  }

  /// Presses and releases keys, as codes of the kernel.
  private func press(_ codes: [Int32]) {
    for code in codes {
      for value: Int32 in [1, 2, 0] {
        input.send(type: UInt16(EV_KEY), code: UInt16(code), value: value, at: 1)
        input.report(at: 1)
      }
    }
  }

  private func typed(_ text: String) -> [TypedKey] { TypedKey.keys(of: text) ?? [] }

  @Test("T5: the device is taken for this program alone, and only once it is known to type")
  func grabbed() throws {
    _ = try opened()
    #expect(input.isGrabbed)
    let other = PipedInput([.named("playpause")])
    #expect(throws: LineError.self) { try Socket(other).reader().open() }
    #expect(!other.isGrabbed)
  }

  @Test("T5: keys are letters in upper case, digits of either kind, punctuation, Enter of either kind, and clear")
  func codes() throws {
    let reader = try opened()
    press([KEY_A, KEY_7, KEY_ENTER])
    #expect(try keys(reader) == typed("A7") + [.enter])
    press([KEY_0, KEY_KP1, KEY_KP9, KEY_KP0, KEY_KPDOT, KEY_KPENTER])
    #expect(try keys(reader) == typed("0190.") + [.enter])
    press([KEY_NUMERIC_0, KEY_NUMERIC_9, KEY_NUMERIC_STAR, KEY_NUMERIC_POUND])
    #expect(try keys(reader) == typed("09*#"))
    press([
      KEY_Q, KEY_P, KEY_L, KEY_Z, KEY_M, KEY_MINUS, KEY_SLASH, KEY_BACKSLASH, KEY_SPACE, KEY_KPASTERISK, KEY_KPSLASH,
    ])
    #expect(try keys(reader) == typed("QPLZM-/\\ */"))
    press([KEY_BACKSPACE, KEY_ESC, KEY_DELETE])
    #expect(try keys(reader) == [.clear, .clear, .clear])
    // Shift, Caps Lock, Num Lock and Tab are not part of a token.
    press([KEY_LEFTSHIFT, KEY_CAPSLOCK, KEY_NUMLOCK, KEY_TAB, KEY_F1, KEY_VOLUMEUP])
    #expect(try keys(reader) == [])
  }

  @Test("T5: dropped events make what is typed worthless, and what comes until the next report is ignored")
  func dropped() throws {
    let reader = try opened()
    input.send(type: UInt16(EV_KEY), code: UInt16(KEY_1), value: 1, at: 1)
    input.drop(at: 2)
    input.send(type: UInt16(EV_KEY), code: UInt16(KEY_2), value: 1, at: 3)
    input.report(at: 3)
    press([KEY_3, KEY_ENTER])
    #expect(try keys(reader) == typed("1") + [.lost] + typed("3") + [.enter])
    #expect(reader.takeLostEdges() == 1)
    #expect(reader.takeLostEdges() == 0)
  }

  @Test("T5: another program that has the device, or one that cannot type, is named")
  func failures() throws {
    input.failure = EBUSY
    #expect(
      error { () throws(LineError) in try Socket(input).reader().open() }
        == "open device keys: Device or resource busy: another program has taken it")
    #expect(
      error { () throws(LineError) in try Socket(PipedInput([])).reader().open() }
        == "find line keypad: input device keys has no key that types")
    // Which of them a keypad has, T5.3 says.
    #expect(KeyCodes.signs.map { CInt($0.number) } == [KEY_ENTER, KEY_KPENTER, KEY_1, KEY_KP1, KEY_NUMERIC_1])
    for code in KeyCodes.typing {
      let keypad = PipedInput([code])
      #expect(error { () throws(LineError) in try Socket(keypad).reader().open() } == nil)
      #expect(keypad.isGrabbed)
    }
  }

  private func error(_ body: () throws(LineError) -> Void) -> String? {
    do throws(LineError) {
      try body()
      return nil
    } catch {
      return error.description
    }
  }

  @Test("T5: a reader that comes and goes is taken again, and begins anew")
  func comingAndGoing() throws {
    let socket = Socket(input)
    let lines = BoardLines(chips: NoChips(), devices: [socket.reader()])
    var edges: [LineEdge] = []
    press([KEY_1])
    try lines.readEdges(into: &edges)
    #expect(lines.takeKeys().map(\.key) == [.clear] + typed("1"))
    input.unplug()
    socket.input = nil
    try lines.readEdges(into: &edges)
    #expect(lines.takeNotices() == ["reader keypad is gone"])
    let second = PipedInput(KeyCodes.enters)
    socket.input = second
    let timer = try #require(lines.pollDescriptors.last)
    var polled = pollfd(fd: timer.fileDescriptor, events: timer.events, revents: 0)
    #expect(poll(&polled, 1, 60_000) == 1)
    try lines.readEdges(into: &edges)
    #expect(lines.takeNotices() == ["reader keypad is there"])
    #expect(second.isGrabbed)
    #expect(lines.takeKeys() == [ReaderKey(reader: "keypad", key: .clear)])
    #expect(edges == [])
  }

  private final class NoChips: LineSet {
    let pollDescriptors: [PollDescriptor] = []
    func levels() -> [String: Bool] { [:] }
    func readEdges(into edges: inout [LineEdge]) {}
    func set(_ line: String, asserted: Bool) {}
    func close() {}
  }
}
