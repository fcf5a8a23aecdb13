import AudioSession
import Board
import CLinux
import Glibc

/// Relative axes of one of the kernel's input devices (evdev): a USB knob's dial, the wheel of a mouse (G7). Control
/// thread.
///
/// What an axis counts is a difference: what the kernel dropped (`SYN_DROPPED`) cannot be read again, and is lost.
public final class AxisDevice: EventReader, LineDevice {
  public var name: String { "axis of input device \(device)" }
  public let lines: [String] = []
  /// Its knobs.
  public let requests: [InputLineRequest]
  private var turns: [AxisTurn] = []

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
    self.requests = requests
    super.init(device, find: find)
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
    open(found)
  }

  public func levels() -> [Bool] { [] }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    try read { reading in
      switch reading {
      case .event(let event, let at): take(event, at: at)
      case .dropped, .complete: break
      }
    }
  }

  public func takeTurns() -> [AxisTurn] {
    defer { turns = [] }
    return turns
  }

  private func take(_ event: input_event, at instant: Instant) {
    guard Int32(event.type) == EV_REL, event.value != 0 else { return }
    for request in requests where request.code.number == event.code {
      turns.append(AxisTurn(axis: request.name, counts: Int(event.value), at: instant))
    }
  }
}
