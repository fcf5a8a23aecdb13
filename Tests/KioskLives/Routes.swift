import AudioSession
import Jukebox

/// Where the sound ought to go: the forced port while it is connected, else the best one; none while only recorded.
struct Routes {
  let ports: [OutputPort]
  var forced: Port?
  var category: SessionCategory

  func setup(_ port: Port?) -> OutputPort? { ports.first { $0.port == port } }

  func isPrivate(_ port: Port?) -> Bool { setup(port)?.isPrivate ?? false }

  func line(of port: Port?) -> String? {
    guard case .line(let name) = setup(port)?.sense else { return nil }
    return name
  }

  func connected(_ contacts: Contacts) -> Set<Port> {
    Set(ports.map(\.port).filter { port in line(of: port).map { contacts[$0].level } ?? true })
  }

  func best(_ contacts: Contacts) -> Port? {
    if category == .record { return nil }
    let connected = connected(contacts)
    if let forced, connected.contains(forced) { return forced }
    return ports.filter { connected.contains($0.port) }.max { $0.priority < $1.priority }?.port
  }
}
