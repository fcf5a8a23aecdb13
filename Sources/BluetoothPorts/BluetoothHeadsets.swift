import AudioSession
import Board
import Glibc

/// Bluetooth headsets as lines: one is asserted exactly while bluez-alsa offers a PCM that plays to it. Control thread.
///
/// bluez-alsa (`org.bluealsa` on the system bus) need not run: it is noticed when it comes and when it goes. Since 4.1
/// it reports its PCMs as an object manager does (`InterfacesAdded`), before that, as in Debian 12, by signals of its
/// own (`PCMAdded`). Nothing here waits for a reply, except that the first `open` waits a little, so that a headset that
/// is connected at power on is known at the start (R1). Edges carry the time at which they were read.
public final class BluetoothHeadsets: LineDevice {
  /// How long the first opening may take.
  private static let patience = Duration.milliseconds(500)

  public let name = "Bluetooth"
  public let lines: [String]
  private let requests: [HeadsetLineRequest]
  private let address: String?
  private var service: AudioService?
  private var isFirst = true

  /// One object for all of `requests`, if there are any.
  public static func devices(for requests: [HeadsetLineRequest]) -> [BluetoothHeadsets] {
    requests.isEmpty ? [] : [BluetoothHeadsets(requests, bus: nil)]
  }

  /// - Parameter bus: the bus's address; nil: the system bus.
  init(_ requests: [HeadsetLineRequest], bus address: String?) {
    self.requests = requests
    self.address = address
    lines = requests.map(\.name)
  }

  public var pollDescriptors: [PollDescriptor] { service.map { [$0.bus.pollDescriptor] } ?? [] }

  public func open() throws(LineError) {
    do throws(MessageBusFailure) {
      let opened = try AudioService(MessageBus.open(address), requests)
      if isFirst { try opened.waitUntilKnown(for: Self.patience) }
      isFirst = false
      service = opened
    } catch {
      throw lineError(error, .openDevice)
    }
    _ = try levels()
  }

  /// The levels as they were when messages were read last; those that moved later are edges.
  public func levels() throws(LineError) -> [Bool] {
    guard let service else { return lines.map { _ in false } }
    try check(service)
    return service.levels
  }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    guard let service else { return }
    do throws(MessageBusFailure) {
      try service.process()
    } catch {
      throw lineError(error, .readEdges)
    }
    let now = MonotonicClock(startsNow: false).now
    for change in service.takeChanges() {
      edges.append(LineEdge(line: lines[change.line], asserted: change.level, at: now))
    }
    try check(service)
  }

  public func close() { service = nil }

  private func check(_ service: AudioService) throws(LineError) {
    guard service.isRefused else { return }
    throw LineError(
      operation: .openDevice, subject: name, code: EACCES,
      message: "bluez-alsa refuses to be asked; expected membership in the group audio")
  }

  private func lineError(_ failure: MessageBusFailure, _ operation: LineError.Operation) -> LineError {
    LineError(operation: operation, subject: name, code: failure.code, message: "system bus: \(failure.message)")
  }
}
