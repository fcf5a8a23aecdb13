import AudioSession

/// Knows which ports are connected and which of them is the route.
///
/// The route is the forced port while it is connected, else the connected port with the highest priority among
/// those that suit the category, else none.
struct RouteMonitor: Hashable, Sendable {
  let ports: [OutputPort]
  private(set) var connected: Set<Port>
  private(set) var category: SessionCategory
  private(set) var forced: Port?
  private(set) var route: Route = .none

  /// `plugged`: names of the sense lines that are asserted.
  init(ports: [OutputPort], plugged: Set<String>, forced: Port?, category: SessionCategory = .playback) {
    self.ports = ports
    self.category = category
    self.forced = forced
    connected = Set(
      ports.filter { port in
        switch port.sense {
        case .always: true
        case .line(let name): plugged.contains(name)
        }
      }.map(\.port))
    route = best
  }

  func setup(of port: Port?) -> OutputPort? { ports.first { $0.port == port } }

  func port(sensedBy line: String) -> OutputPort? { ports.first { $0.sense == .line(line) } }

  var isPrivate: Bool { setup(of: route.port)?.isPrivate ?? false }

  /// Ports that play the same as the route: all others that are connected, in a multi-route (S6).
  var others: [Port] {
    guard category == .multiRoute, let port = route.port else { return [] }
    return ports.map(\.port).filter { $0 != port && connected.contains($0) }
  }

  private var best: Route {
    if let forced, connected.contains(forced), category.suits(forced) { return Route(forced) }
    return Route(
      ports.filter { connected.contains($0.port) && category.suits($0.port) }.max { $0.priority < $1.priority }?.port)
  }

  mutating func connect(_ port: Port) -> RouteChange? {
    connected.insert(port)
    return update(.newDeviceAvailable)
  }

  mutating func disconnect(_ port: Port) -> RouteChange? {
    connected.remove(port)
    return update(.oldDeviceUnavailable)
  }

  /// `nil` lets the best port be the route again.
  mutating func force(_ port: Port?) -> RouteChange? {
    forced = port
    return update(.override)
  }

  /// A category change is a route change by definition, even where the port stays (R10).
  mutating func change(to new: SessionCategory) -> RouteChange? {
    guard new != category else { return nil }
    category = new
    return update(.categoryChange) ?? RouteChange(reason: .categoryChange, previous: route, current: route)
  }

  private mutating func update(_ reason: RouteChange.Reason) -> RouteChange? {
    let previous = route
    route = best
    guard route != previous else { return nil }
    return RouteChange(reason: route == .none ? .noSuitableRoute : reason, previous: previous, current: route)
  }
}
