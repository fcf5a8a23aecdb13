import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct RouteMonitorTests {
  private func monitor(_ plugged: Set<String> = [], forced: Port? = nil) -> RouteMonitor {
    RouteMonitor(ports: Kiosk.allPorts, plugged: plugged, forced: forced)
  }

  @Test("R1: the route is the best port there is, or the forced one while it is there")
  func initial() {
    #expect(monitor().route == Route(.speaker))
    #expect(monitor(["DOCK"]).route == Route(.lineOut))
    #expect(monitor(["DOCK", "JACK"]).route == Route(.headphones))
    #expect(monitor(["JACK"], forced: .speaker).route == Route(.speaker))
    #expect(monitor([], forced: .headphones).route == Route(.speaker))
    #expect(RouteMonitor(ports: [], plugged: [], forced: nil).route == .none)
  }

  @Test("R2, R4: only a connection that moves the route is a change, with its reason and both routes")
  func changes() {
    var monitor = monitor()
    let change = monitor.connect(.headphones)
    #expect(
      change == RouteChange(reason: .newDeviceAvailable, previous: Route(.speaker), current: Route(.headphones)))
    #expect(monitor.isPrivate)
    #expect(monitor.connect(.lineOut) == nil)
    let loss = monitor.disconnect(.headphones)
    #expect(
      loss == RouteChange(reason: .oldDeviceUnavailable, previous: Route(.headphones), current: Route(.lineOut)))
    #expect(monitor.connect(.headphones) != nil)
    #expect(monitor.disconnect(.lineOut) == nil)
    #expect(monitor.connected == [.headphones, .speaker])
  }

  @Test("R8: a forced port stays forced over its own absence")
  func forced() {
    var monitor = monitor(["JACK", "DOCK"])
    #expect(monitor.force(.lineOut)?.reason == .override)
    #expect(monitor.force(.lineOut) == nil)
    #expect(monitor.disconnect(.lineOut)?.current == Route(.headphones))
    #expect(monitor.connect(.lineOut)?.current == Route(.lineOut))
    #expect(monitor.force(nil)?.current == Route(.headphones))
    #expect(monitor.force(nil) == nil)
  }

  @Test("R9: no port at all is a route of its own")
  func none() {
    var monitor = RouteMonitor(ports: [Kiosk.allPorts[0]], plugged: ["JACK"], forced: nil)
    let change = monitor.disconnect(.headphones)
    #expect(change == RouteChange(reason: .noSuitableRoute, previous: Route(.headphones), current: .none))
    #expect(!monitor.isPrivate)
    #expect(monitor.connect(.headphones)?.reason == .newDeviceAvailable)
  }

  @Test("R10: a category change is a route change even where the route stays")
  func category() {
    var monitor = monitor(["JACK"])
    #expect(monitor.change(to: .playback) == nil)
    #expect(
      monitor.change(to: .ambient)
        == RouteChange(reason: .categoryChange, previous: Route(.headphones), current: Route(.headphones)))
    #expect(monitor.change(to: .record)?.current == Route.none)
    #expect(monitor.connect(.lineOut) == nil)
    #expect(
      monitor.change(to: .playback)
        == RouteChange(reason: .categoryChange, previous: .none, current: Route(.headphones)))
  }
}
