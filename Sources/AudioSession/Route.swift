/// Where sound goes: one port, or none when no connected port suits the session's category.
public struct Route: Hashable, Sendable, CustomStringConvertible {
  public var port: Port?

  public init(_ port: Port?) { self.port = port }

  public static let none = Route(nil)

  /// The port's name, or `none`, as in the event log.
  public var description: String { port?.rawValue ?? "none" }
}

/// A change of route, with its cause and the route before it.
public struct RouteChange: Hashable, Sendable {
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case newDeviceAvailable = "new-device-available"
    case oldDeviceUnavailable = "old-device-unavailable"
    case categoryChange = "category-change"
    case override
    case wakeFromSleep = "wake-from-sleep"
    case noSuitableRoute = "no-suitable-route"
    case routeConfigurationChange = "route-configuration-change"
    case unknown
  }

  public var reason: Reason
  public var previous: Route
  public var current: Route

  public init(reason: Reason, previous: Route, current: Route) {
    self.reason = reason
    self.previous = previous
    self.current = current
  }
}
