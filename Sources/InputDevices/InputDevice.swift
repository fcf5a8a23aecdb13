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
public final class InputDevice: EventReader, LineDevice {
  private static let namesAtOnce = 24

  public var name: String { headset.map { "keys of headset \($0)" } ?? "input device \(device)" }
  public let lines: [String]
  /// Whatever fits a pattern, such as the keys of a headset (B5), need not be there, nor have all that it could have.
  public var isOptional: Bool { device.hasPrefix(InputSearch.wildcard) }
  private var headset: BluetoothAddress? { requests.first?.headset }
  private let requests: [InputLineRequest]

  /// One object for each device that `requests` name.
  ///
  /// - Parameter keys: what the input device with the keys of a headset is called; nil: that is not known now.
  public static func devices(
    for requests: [InputLineRequest], keysOf keys: @escaping (BluetoothAddress) -> String?
  ) -> [InputDevice] {
    devices(for: requests, keysOf: keys) { (wanted, requests) throws(LineError) in
      // If several have the name, as a pad of two interfaces, the one that has these keys.
      try InputSearch().open(wanted) { input in requests.allSatisfy { input.has($0.code) } }
    }
  }

  static func devices(
    for requests: [InputLineRequest], keysOf keys: @escaping (BluetoothAddress) -> String?,
    open: @escaping (InputSearch.Wanted, [InputLineRequest]) throws(LineError) -> any OpenInput
  ) -> [InputDevice] {
    var devices: [InputDevice] = []
    for request in requests
    where !devices.contains(where: { $0.device == request.device && $0.headset == request.headset }) {
      let same = requests.filter { $0.device == request.device && $0.headset == request.headset }
      devices.append(
        InputDevice(request.device, same) { device throws(LineError) in
          guard let headset = request.headset else { return try open(.device(device), same) }
          guard let name = keys(headset) else {
            throw LineError(
              operation: .openDevice, subject: "\(headset)", code: ENOENT,
              message: "BlueZ knows no headset by this address")
          }
          return try open(.named(name), same)
        })
    }
    return devices
  }

  init(
    _ device: String, _ requests: [InputLineRequest], find: @escaping (String) throws(LineError) -> any OpenInput
  ) {
    self.requests = requests
    lines = requests.map(\.name)
    super.init(device, find: find)
  }

  public func open() throws(LineError) {
    let found = try find(device)
    for request in requests where !isOptional && !found.has(request.code) {
      throw LineError(
        operation: .findLine, subject: request.name, code: 0,
        message: "\(name) has no \(request.code.name); of those that can be lines it has: \(Self.codes(of: found))")
    }
    open(found)
  }

  /// The names of its switches and keys, of which a keyboard has more than anybody would read.
  private static func codes(of input: any OpenInput) -> String {
    let known = (InputCode.switches + InputCode.keyNumbers.map { .key(UInt16($0)) }).filter(input.has).map(\.name)
    let shown = known.prefix(namesAtOnce).joined(separator: ", ")
    if known.isEmpty { return "none" }
    return known.count > namesAtOnce ? "\(shown) and \(known.count - namesAtOnce) more" : shown
  }

  public func levels() throws(LineError) -> [Bool] {
    guard let input else { throw lineError(InputFailure(code: ENODEV)) }
    do throws(InputFailure) {
      return try input.areAsserted(requests.map(\.code))
    } catch {
      throw lineError(error)
    }
  }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    let first = edges.count
    defer { sortReports(&edges, from: first) }
    try read(isStateAsked: true) { (reading) throws(LineError) in
      switch reading {
      case .event(let event, let at): take(event, at: at, into: &edges)
      case .dropped: break
      case .complete(let at):
        for (line, level) in zip(lines, try levels()) {
          edges.append(LineEdge(line: line, asserted: level, at: at, followsLoss: true))
        }
      }
    }
  }

  /// The kernel names the keys of one report in the order in which its driver looks at them. At one instant they are
  /// given in that of the board file, because which of two contacts counts must not depend on a driver (O6).
  private func sortReports(_ edges: inout [LineEdge], from first: Int) {
    let read = edges[first...].enumerated().map { (place: lines.firstIndex(of: $1.line) ?? 0, offset: $0, edge: $1) }
    let sorted = read.sorted { ($0.edge.at, $0.place, $0.offset) < ($1.edge.at, $1.place, $1.offset) }
    edges.replaceSubrange(first..., with: sorted.map(\.edge))
  }

  private func take(_ event: input_event, at instant: Instant, into edges: inout [LineEdge]) {
    // The value 2 is the auto-repeat of a key that is held.
    guard event.value != 2 else { return }
    for request in requests where request.code.type == event.type && request.code.number == event.code {
      edges.append(LineEdge(line: request.name, asserted: event.value != 0, at: instant))
    }
  }

  private func lineError(_ failure: InputFailure) -> LineError { LineError(.read, device, failure) }
}
