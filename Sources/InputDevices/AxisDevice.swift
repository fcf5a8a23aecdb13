import AudioSession
import Board
import CLinux
import Glibc

/// Relative axes of one of the kernel's input devices (evdev): a USB knob's dial, the wheel of a mouse (G7). Control
/// thread.
///
/// What an axis counts is a difference: what the kernel dropped (`SYN_DROPPED`) cannot be read again, and is lost.
public final class AxisDevice: LineDevice {
  private static let eventsAtOnce = 64
  private static let readsAtOnce = 4

  public var name: String { "axis of input device \(device)" }
  public let lines: [String] = []
  private let device: String
  /// Its knobs.
  public let requests: [InputLineRequest]
  private let find: (String) throws(LineError) -> any OpenInput
  private var input: (any OpenInput)?
  private var turns: [AxisTurn] = []
  /// Events between a `SYN_DROPPED` and the next report are incomplete and must be ignored.
  private var isIncomplete = false
  private var lostEdges = 0
  private var buffer = [input_event](repeating: input_event(), count: eventsAtOnce)

  /// One object for each device that `requests` name.
  public static func devices(for requests: [InputLineRequest]) -> [AxisDevice] {
    var devices: [AxisDevice] = []
    for request in requests where !devices.contains(where: { $0.device == request.device }) {
      let same = requests.filter { $0.device == request.device }
      devices.append(
        AxisDevice(request.device, same) { device throws(LineError) in
          try InputSearch().open(.device(device)) { input in same.allSatisfy { input.has($0.code) } }
        })
    }
    return devices
  }

  init(
    _ device: String, _ requests: [InputLineRequest], find: @escaping (String) throws(LineError) -> any OpenInput
  ) {
    self.device = device
    self.requests = requests
    self.find = find
  }

  public var pollDescriptors: [PollDescriptor] {
    input.map { [PollDescriptor(fileDescriptor: $0.descriptor, events: CShort(POLLIN))] } ?? []
  }

  public func open() throws(LineError) {
    let found = try find(device)
    for request in requests where !found.has(request.code) {
      let known = InputCode.axes.filter(found.has).map(\.name)
      throw LineError(
        operation: .findLine, subject: request.name, code: 0,
        message: "\(name) has no axis \(request.code.name); it has: "
          + (known.isEmpty ? "none" : known.joined(separator: ", ")))
    }
    isIncomplete = false
    input = found
  }

  public func levels() -> [Bool] { [] }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    guard let input else { return }
    for _ in 0..<AxisDevice.readsAtOnce {
      let bytes = buffer.withUnsafeMutableBytes { read(input.descriptor, $0.baseAddress, $0.count) }
      if bytes < 0 && (errno == EAGAIN || errno == EINTR) { return }
      guard bytes > 0 else {
        throw LineError(.readEdges, device, InputFailure(code: bytes < 0 ? errno : ENODEV))
      }
      let count = bytes / MemoryLayout<input_event>.size
      for event in buffer[..<count] { take(event) }
      if count < buffer.count { return }
    }
  }

  public func takeTurns() -> [AxisTurn] {
    defer { turns = [] }
    return turns
  }

  public func takeLostEdges() -> Int {
    defer { lostEdges = 0 }
    return lostEdges
  }

  public func close() { input = nil }

  private func take(_ event: input_event) {
    switch Int32(event.type) {
    case EV_SYN:
      if Int32(event.code) == SYN_DROPPED {
        isIncomplete = true
        lostEdges += 1
      } else if Int32(event.code) == SYN_REPORT {
        isIncomplete = false
      }
    case EV_REL:
      guard !isIncomplete else { return }
      let at = Instant(nanoseconds: Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1_000)
      for request in requests where request.code.number == event.code && event.value != 0 {
        turns.append(AxisTurn(axis: request.name, counts: Int(event.value), at: at))
      }
    default: break
    }
  }
}
