import AudioSession
import BusStandIn
import Testing

@testable import BluetoothPorts

/// How the adapter that pairs gets along with BlueZ and its controllers, which come and go.
@Suite struct BluezPairingTests {
  private let world: PairingBus

  init() throws { world = try PairingBus() }

  @Test("B7: nobody but BlueZ says what is paired or in reach")
  func pretendedSignals() throws {
    try world.ready()
    let stranger = try world.stranger()
    bluez_add_controller(stranger, true, false)
    var device = bluez_device()
    PairingBus.headset.withCString { text in
      device.address = text
      device.name = text
      device.is_paired = true
      bluez_add_device(stranger, &device)
    }
    #expect(try world.settle() == [])
  }

  @Test("B7: a controller that is off is switched on for the search")
  func powersOn() throws {
    world.kill()
    try world.start(isPowered: false)
    try world.ready()
    world.add(isInReach: true)
    try world.search()
    #expect(world.calls() == ["Powered=1", "SetDiscoveryFilter", "StartDiscovery"])
  }

  @Test("B8: a BlueZ that is asked twice for what it has, because another one ended just before, has one agent")
  func askedTwice() throws {
    try world.ready()
    for _ in 0..<2 {
      world.kill()
      try world.start()
    }
    try world.wait { $0.known == [] }
    #expect(try world.settle() == [])
    #expect(world.calls() == ["RegisterAgent", "RequestDefaultAgent"])
  }

  @Test("B8: that BlueZ takes no agent is reported with its first reason")
  func refusesAgent() throws {
    bluez_answer(world.bluez, "RegisterAgent", "org.bluez.Error.NotPermitted")
    try world.wait { $0.contains(.unavailable(reason: "BlueZ takes no agent: refused by the test")) }
    #expect(try world.settle() == [])
  }

  @Test("B8: a BlueZ that has its name before its objects is believed all the same")
  func unready() throws {
    bluez_answer(world.bluez, "GetManagedObjects", "org.freedesktop.DBus.Error.UnknownMethod")
    try world.wait { $0.contains(.unavailable(reason: "there is no Bluetooth controller")) }
    bluez_add_controller(world.bluez, true, false)
    try world.wait { $0.known == [] }
  }

  @Test("B8: a controller that is pulled out is reported, and searches again when it is back")
  func controllerPulled() throws {
    try world.ready()
    world.add(isInReach: true)
    try world.search()
    bluez_remove_controller(world.bluez)
    try world.wait { $0.contains(.unavailable(reason: "there is no Bluetooth controller")) }
    _ = world.calls()
    bluez_add_controller(world.bluez, true, false)
    try world.wait { $0.known == [] }
    try world.wait(untilTrue: { world.calls().contains("StartDiscovery") })
  }

  @Test("B8: a controller that loses its power while it searches is switched on, and searches again")
  func controllerReset() throws {
    try world.ready()
    world.add(isInReach: true)
    try world.search()
    _ = world.calls()
    bluez_set(world.bluez, PairingBus.controller, "Powered", false)
    var calls: [String] = []
    try world.wait(untilTrue: {
      calls += world.calls()
      return calls.contains("StartDiscovery")
    })
    #expect(calls.first == "Powered=1")
  }
}
