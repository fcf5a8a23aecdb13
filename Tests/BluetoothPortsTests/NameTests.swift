import AudioSession
import Board
import BusStandIn
import Testing

@testable import BluetoothPorts

/// B5: what BlueZ calls the input devices with the keys of headsets.
@Suite struct NameTests {
  private static let other = "AA:BB:CC:DD:EE:FF"

  private let bus: PairingBus
  private let headset: BluetoothAddress
  private let other: BluetoothAddress

  init() throws {
    bus = try PairingBus()
    headset = bus.address
    other = try #require(BluetoothAddress(Self.other))
  }

  private func headsets(_ addresses: BluetoothAddress?...) throws -> BluetoothHeadsets {
    let requests = addresses.enumerated().map { HeadsetLineRequest(name: "headset\($0)", address: $1) }
    let device = BluetoothHeadsets(requests, bus: bus.bus.address)
    try device.open()
    return device
  }

  /// Lets them talk until the keys of a headset are called this.
  private func wait(_ device: BluetoothHeadsets, for name: String?, of address: BluetoothAddress) throws {
    try bus.wait(untilTrue: {
      var edges: [LineEdge] = []
      try? device.readEdges(into: &edges)
      return device.keys(of: address) == name
    })
  }

  @Test("B5: the keys of a headset are called as it calls itself, whatever the box calls it")
  func name() throws {
    bus.add(name: "WH-1000XM4", isPaired: true)
    bus.add(Self.other, name: "Phone", isPaired: true)
    let device = try headsets(headset)
    try wait(device, for: "WH-1000XM4 (AVRCP)", of: headset)
    // Nobody asked for it: a scan finds any number.
    #expect(device.keys(of: other) == nil)
    bluez_rename(bus.bluez, PairingBus.path, "Alias", "My headset")
    bluez_rename(bus.bluez, PairingBus.path, "Name", "Kitchen")
    try wait(device, for: "Kitchen (AVRCP)", of: headset)
    // As for `jackdaw check`, and while BlueZ is away.
    device.close()
    #expect(device.keys(of: headset) == "Kitchen (AVRCP)")
  }

  @Test("B5: a headset that BlueZ learns of later has a name from then on")
  func later() throws {
    let device = try headsets(headset)
    #expect(device.keys(of: headset) == nil)
    bus.add(name: "Late", isPaired: true)
    try wait(device, for: "Late (AVRCP)", of: headset)
    bus.kill()
    try bus.start()
    bus.add(name: "Later", isPaired: true)
    try wait(device, for: "Later (AVRCP)", of: headset)
  }

  @Test("B5: of two headsets with one name, only the first line's has keys, so that no press counts twice")
  func sameName() throws {
    bus.add(name: "Twin", isPaired: true)
    bus.add(Self.other, name: "Twin", isPaired: true)
    let device = try headsets(nil, other, headset)
    try wait(device, for: "Twin (AVRCP)", of: other)
    #expect(device.keys(of: headset) == nil)
    bluez_rename(bus.bluez, PairingBus.path, "Name", "Single")
    try wait(device, for: "Single (AVRCP)", of: headset)
  }

  @Test("B5: a name that is too long is cut as BlueZ cuts it, also within a character")
  func long() {
    let name = String(repeating: "x", count: 70)
    #expect(HeadsetNames.keys(of: name + "yz") == name + "y (AVRCP)")
    #expect(HeadsetNames.keys(of: name + "y") == name + "y (AVRCP)")
    #expect(HeadsetNames.keys(of: name + "é") == name + "\u{FFFD} (AVRCP)")
  }
}
