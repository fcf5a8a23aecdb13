import AudioSession
import Jukebox

/// Where sound has to go: to the forced port while it is connected, else to the best one; nowhere in the record category.
struct RouteModel {
  let ports: [OutputPort]
  var forced: Port?
  var category: SessionCategory
  /// Wireless ports whose device has failed, though their line says that they are there (B2).
  var failed: Set<Port> = []

  func setup(_ port: Port?) -> OutputPort? { ports.first { $0.port == port } }

  func isWireless(_ port: Port?) -> Bool { setup(port)?.isWireless ?? false }

  func isPrivate(_ port: Port?) -> Bool { setup(port)?.isPrivate ?? false }

  func line(of port: Port?) -> String? {
    guard case .line(let name) = setup(port)?.sense else { return nil }
    return name
  }

  func connected(_ lines: LineModel) -> Set<Port> {
    Set(ports.map(\.port).filter { port in line(of: port).map { lines[$0].level } ?? true }).subtracting(failed)
  }

  func best(_ lines: LineModel) -> Port? {
    if category == .record { return nil }
    let connected = connected(lines)
    if let forced, connected.contains(forced) { return forced }
    return ports.filter { connected.contains($0.port) }.max { $0.priority < $1.priority }?.port
  }
}
