import AudioSession
import BusStandIn
import Testing

@testable import BluetoothPorts

@Suite struct MissingBluezTests {
  @Test("B7: where BlueZ is missing that is reported, and nothing waits")
  func missing() throws {
    let world = try PairingBus(hasService: false)
    #expect(try world.settle() == [.unavailable(reason: "BlueZ does not run")])
    #expect(world.pairing.next == nil)
    try world.start()
    #expect(try world.wait { $0.known != nil } == [.known([])])
  }

  @Test("B8: without a bus that is reported, and the bus is tried again")
  func noBus() throws {
    let world = try PairingBus()
    try world.wait { $0.known != nil }
    world.kill()
    world.bus.stop()
    try world.wait {
      $0.contains { if case .unavailable(let reason) = $0 { reason.hasPrefix("system bus: ") } else { false } }
    }
    let next = try #require(world.pairing.next)
    #expect(next > world.now)
    try world.bus.start()
    try world.start()
    world.now = next
    try world.wait { $0.known != nil }
  }
}
