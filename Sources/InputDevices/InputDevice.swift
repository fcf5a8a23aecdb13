import AudioSession
import Board
import CLinux
import Glibc

/// Keys and switches of one of the kernel's input devices (evdev): buttons of `gpio-keys`, `SW_HEADPHONE_INSERT` of a
/// sound card's jack, `SW_DOCK`. Control thread.
///
/// The state is read when the device is opened, and again when the kernel says that it dropped events
/// (`SYN_DROPPED`, see Documentation/input/event-codes.rst). Events carry CLOCK_MONOTONIC, in microseconds. A driver
/// that debounces reports late: `gpio-keys` does so by 5 ms unless its `debounce-interval` is 0.
public final class InputDevice: LineDevice {
  private static let eventsAtOnce = 64
  /// A contact that chatters without end must not keep the control thread busy.
  private static let readsAtOnce = 4
  private static let namesAtOnce = 24

  public var name: String { headset.map { "keys of headset \($0)" } ?? "input device \(device)" }
  public let lines: [String]
  /// Whatever fits a pattern, such as the keys of a headset (B5), need not be there, nor have all that it could have.
  public var isOptional: Bool { device.hasPrefix(InputSearch.wildcard) }
  private let device: String
  private var headset: BluetoothAddress? { requests.first?.headset }
  private let requests: [InputLineRequest]
  private let find: (String) throws(LineError) -> any OpenInput
  private var input: (any OpenInput)?
  /// Events between a `SYN_DROPPED` and the next report are incomplete and must be ignored.
  private var isIncomplete = false
  private var lostEdges = 0
  private var buffer = [input_event](repeating: input_event(), count: eventsAtOnce)

  /// One object for each device that `requests` name.
  ///
  /// - Parameter keys: what the input device with the keys of a headset is called; nil: that is not known now.
  public static func devices(
    for requests: [InputLineRequest], keysOf keys: @escaping (BluetoothAddress) -> String?
  ) -> [InputDevice] {
    devices(for: requests, keysOf: keys) { wanted throws(LineError) in try InputSearch().open(wanted) }
  }

  static func devices(
    for requests: [InputLineRequest], keysOf keys: @escaping (BluetoothAddress) -> String?,
    open: @escaping (InputSearch.Wanted) throws(LineError) -> any OpenInput
  ) -> [InputDevice] {
    var devices: [InputDevice] = []
    for request in requests
    where !devices.contains(where: { $0.device == request.device && $0.headset == request.headset }) {
      let same = requests.filter { $0.device == request.device && $0.headset == request.headset }
      devices.append(
        InputDevice(request.device, same) { device throws(LineError) in
          guard let headset = request.headset else { return try open(.device(device)) }
          guard let name = keys(headset) else {
            throw LineError(
              operation: .openDevice, subject: "\(headset)", code: ENOENT,
              message: "BlueZ knows no headset by this address")
          }
          return try open(.named(name))
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
    lines = requests.map(\.name)
  }

  public var pollDescriptors: [PollDescriptor] {
    input.map { [PollDescriptor(fileDescriptor: $0.descriptor, events: CShort(POLLIN))] } ?? []
  }

  public func open() throws(LineError) {
    let found = try find(device)
    for request in requests where !isOptional && !found.has(request.code) {
      throw LineError(
        operation: .findLine, subject: request.name, code: 0,
        message: "\(name) has no \(request.code.name); of those that can be lines it has: \(Self.codes(of: found))")
    }
    isIncomplete = false
    input = found
  }

  /// The names of its switches and keys, of which a keyboard has more than anybody would read.
  private static func codes(of input: any OpenInput) -> String {
    let known = (InputCode.switches + InputCode.keyNumbers.map { .key(UInt16($0)) }).filter(input.has).map(\.name)
    let shown = known.prefix(namesAtOnce).joined(separator: ", ")
    if known.isEmpty { return "none" }
    return known.count > namesAtOnce ? "\(shown) and \(known.count - namesAtOnce) more" : shown
  }

  public func levels() throws(LineError) -> [Bool] {
    guard let input else { throw lineError(InputFailure(code: ENODEV), .read) }
    do throws(InputFailure) {
      var levels: [Bool] = []
      for request in requests { levels.append(try input.isAsserted(request.code)) }
      return levels
    } catch {
      throw lineError(error, .read)
    }
  }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    guard let input else { return }
    for _ in 0..<InputDevice.readsAtOnce {
      let bytes = buffer.withUnsafeMutableBytes { read(input.descriptor, $0.baseAddress, $0.count) }
      if bytes < 0 && (errno == EAGAIN || errno == EINTR) { return }
      guard bytes > 0 else { throw lineError(InputFailure(code: bytes < 0 ? errno : ENODEV), .readEdges) }
      let count = bytes / MemoryLayout<input_event>.size
      for event in buffer[..<count] { try take(event, into: &edges) }
      if count < buffer.count { return }
    }
  }

  /// Counts one for each time that the kernel dropped events, as it does not say how many.
  public func takeLostEdges() -> Int {
    defer { lostEdges = 0 }
    return lostEdges
  }

  public func close() { input = nil }

  private func take(_ event: input_event, into edges: inout [LineEdge]) throws(LineError) {
    let at = Instant(nanoseconds: Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1_000)
    if Int32(event.type) == EV_SYN {
      if Int32(event.code) == SYN_DROPPED {
        isIncomplete = true
        lostEdges += 1
      }
      guard isIncomplete, Int32(event.code) == SYN_REPORT else { return }
      isIncomplete = false
      for (line, level) in zip(lines, try levels()) { edges.append(LineEdge(line: line, asserted: level, at: at)) }
    }
    // The value 2 is the auto-repeat of a key that is held.
    guard !isIncomplete, event.value != 2 else { return }
    for request in requests where request.code.type == event.type && request.code.number == event.code {
      edges.append(LineEdge(line: request.name, asserted: event.value != 0, at: at))
    }
  }

  private func lineError(_ failure: InputFailure, _ operation: LineError.Operation) -> LineError {
    LineError(operation, device, failure)
  }
}
