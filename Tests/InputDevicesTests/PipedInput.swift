import Board
import CLinux
import Glibc
import Testing

@testable import InputDevices

/// An input device whose events come from a test, through a pipe: real `input_event`s, read as the kernel's.
final class PipedInput: OpenInput {
  let descriptor: CInt
  private var end: CInt
  private let codes: [InputCode]
  /// The state that it returns when it is read.
  var asserted: Set<InputCode> = []
  var failure: CInt?

  init(_ codes: [InputCode]) {
    self.codes = codes
    var ends: [CInt] = [-1, -1]
    // A child process of another test must not keep the end open.
    pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    descriptor = ends[0]
    end = ends[1]
  }

  deinit {
    close(descriptor)
    unplug()
  }

  func has(_ code: InputCode) -> Bool { codes.contains { ($0.kind, $0.number) == (code.kind, code.number) } }

  private(set) var isGrabbed = false

  func grab() throws(InputFailure) {
    if let failure { throw InputFailure(code: failure) }
    isGrabbed = true
  }

  var number: UInt64?
  var ambiguity: String?
  /// How often the state was read.
  private(set) var readings = 0

  func areAsserted(_ codes: [InputCode]) throws(InputFailure) -> [Bool] {
    if let failure { throw InputFailure(code: failure) }
    readings += 1
    return codes.map(asserted.contains)
  }

  /// Changes the state, and sends the event and its report.
  func move(_ code: InputCode, _ value: Int32, at microseconds: Int) {
    if value == 0 { asserted.remove(code) } else { asserted.insert(code) }
    send(type: code.type, code: code.number, value: value, at: microseconds)
    report(at: microseconds)
  }

  func report(at microseconds: Int) { send(type: 0, code: UInt16(SYN_REPORT), value: 0, at: microseconds) }

  func drop(at microseconds: Int) { send(type: 0, code: UInt16(SYN_DROPPED), value: 0, at: microseconds) }

  func send(type: UInt16, code: UInt16, value: Int32, at microseconds: Int) {
    var event = input_event()
    event.time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    event.type = type
    event.code = code
    event.value = value
    _ = withUnsafeBytes(of: event) { write(end, $0.baseAddress, $0.count) }
  }

  /// Closes the pipe, so that its reader finds the end.
  func unplug() {
    if end >= 0 { close(end) }
    end = -1
  }
}

/// Replaces the search for devices: it finds one, or none.
final class Socket {
  var input: PipedInput?
  var tries = 0

  init(_ input: PipedInput?) { self.input = input }

  func device(_ requests: [InputLineRequest], named name: String = "keys") -> InputDevice {
    InputDevice(name, requests) { [self] _ throws(LineError) in
      tries += 1
      guard let input else { throw LineError(.openDevice, "keys", InputFailure(code: ENODEV)) }
      return input
    }
  }
}

extension Socket {
  func reader(_ device: String = "keys") -> KeyReader {
    KeyReader("keypad", device: device) { [self] _ throws(LineError) in
      tries += 1
      guard let input else { throw LineError(.openDevice, "keys", InputFailure(code: ENODEV)) }
      return input
    }
  }
}

extension InputCode {
  static func named(_ name: String) -> InputCode {
    switches.first { $0.name == name } ?? .key(named: name) ?? InputCode(kind: .key, number: 0, name: "reserved")
  }
}

func request(_ code: String) -> InputLineRequest {
  InputLineRequest(name: code.uppercased(), device: "keys", code: .named(code))
}

/// The GPIO chips of a board, with one line.
final class Chips: LineSet {
  let pollDescriptors: [PollDescriptor] = []
  var edges: [LineEdge] = []
  private(set) var isClosed = false
  private(set) var driven: [String] = []

  func levels() -> [String: Bool] { ["PIN": true] }
  func readEdges(into edges: inout [LineEdge]) {
    edges += self.edges
    self.edges = []
  }
  func set(_ line: String, asserted: Bool) { driven.append(line) }
  func takeLostEdges() -> Int { 5 }
  func close() { isClosed = true }
}

func edges(_ lines: BoardLines) throws -> [LineEdge] {
  var edges: [LineEdge] = []
  try lines.readEdges(into: &edges)
  return edges
}

/// Waits, without a limit, for the timer after which a device is tried again.
func waitForRetry(_ lines: BoardLines) throws {
  let timer = try #require(lines.pollDescriptors.last)
  var polled = pollfd(fd: timer.fileDescriptor, events: timer.events, revents: 0)
  #expect(poll(&polled, 1, 60_000) == 1)
}
