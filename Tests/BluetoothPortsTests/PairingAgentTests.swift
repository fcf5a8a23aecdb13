import AudioSession
import BusStandIn
import Testing

@testable import BluetoothPorts

@Suite struct PairingAgentTests {
  private let world: PairingBus

  init() throws {
    world = try PairingBus()
    try world.ready()
  }

  private func ask(_ member: String, _ path: String = PairingBus.path, _ service: String? = nil) throws -> String {
    bluez_ask(world.bluez, bluez_agent(world.bluez), member, path, service)
    try world.wait(untilTrue: { bluez_reply(world.bluez)?.pointee != 0 })
    return String(cString: bluez_reply(world.bluez))
  }

  @Test(
    "B7: a request outside the window is refused, and reported",
    arguments: [
      ("RequestPinCode", nil), ("RequestPasskey", nil), ("RequestConfirmation", nil), ("RequestAuthorization", nil),
      ("AuthorizeService", PairingBus.audioSink), ("DisplayPasskey", nil),
    ] as [(String, String?)])
  func stranger(member: String, service: String?) throws {
    world.add()
    #expect(try ask(member, PairingBus.path, service) == PairingAgent.rejected)
    let request = service == nil ? "pairing" : "connection"
    #expect(
      try world.wait { !$0.isEmpty }.contains {
        $0 == .refused(Headset(address: world.address, name: "Headset"), request: request)
      })
  }

  @Test("B7: while a headset is paired, only it may ask, and only for the sound")
  func asksWhilePairing() throws {
    world.add(isInReach: true)
    world.add("AA:BB:CC:DD:EE:FF", name: "Phone", icon: "phone", service: PairingBus.phoneService)
    try world.search()
    bluez_answer(world.bluez, "Pair", "")
    world.pairing.obey(.pair(world.address), at: world.now)
    _ = try world.settle()
    #expect(try ask("RequestPinCode") == "0000")
    #expect(try ask("RequestConfirmation") == "yes")
    #expect(try ask("RequestAuthorization") == "yes")
    #expect(try ask("AuthorizeService", PairingBus.path, PairingBus.audioSink) == "yes")
    #expect(try ask("AuthorizeService", PairingBus.path, PairingBus.phoneService) == PairingAgent.rejected)
    #expect(try ask("RequestAuthorization", "/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF") == PairingAgent.rejected)
  }

  @Test("B7: nobody but BlueZ may ask the agent")
  func pretender() throws {
    world.add(isInReach: true)
    try world.search()
    bluez_answer(world.bluez, "Pair", "")
    world.pairing.obey(.pair(world.address), at: world.now)
    _ = try world.settle()
    // It has been told where the agent is.
    let stranger = try world.stranger()
    bluez_ask(stranger, bluez_agent(world.bluez), "RequestConfirmation", PairingBus.path, nil)
    try world.wait(untilTrue: { bluez_reply(stranger)?.pointee != 0 })
    #expect(String(cString: bluez_reply(stranger)) == "org.freedesktop.DBus.Error.AccessDenied")
  }
}
