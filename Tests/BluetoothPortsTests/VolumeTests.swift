import Board
import BusStandIn
import Testing

@testable import BluetoothPorts

/// B6: the volume that a headset makes itself, as BlueZ reports it.
@Suite struct VolumeTests {
  private static let path = "\(PrivateBus.headset)/fd0"
  private static let otherPath = "\(PrivateBus.other)/fd1"

  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func headsets(_ addresses: String?...) throws -> BluetoothHeadsets {
    let device = bus.headsets(addresses)
    try device.open()
    return device
  }

  /// What is reported until there are `count` reports, as `LINE LEVEL`.
  private func volumes(_ device: BluetoothHeadsets, _ count: Int) throws -> [String] {
    var found: [LineVolume] = []
    _ = try bus.serve(device) { _ in
      found += device.takeVolumes()
      return found.count >= count
    }
    return found.map { "\($0.line) \($0.level.map(String.init) ?? "none")" }
  }

  private func settle(_ device: BluetoothHeadsets) throws -> [String] {
    _ = try bus.settle(device)
    return try volumes(device, 0)
  }

  private func add(_ bluez: OpaquePointer, _ volume: CInt, isPhone: Bool = false) {
    transports_add(bluez, Self.path, PrivateBus.headset, isPhone, volume)
  }

  @Test("B6: a headset's volume is known from when it is there, when it is turned, and until it has gone")
  func comesAndGoes() throws {
    let bluez = try bus.startTransports()
    add(bluez, 64)
    let device = try headsets(nil)
    #expect(try volumes(device, 1) == ["headset0 64"])
    transports_turn(bluez, Self.path, 100)
    #expect(try volumes(device, 1) == ["headset0 100"])
    transports_remove(bluez, Self.path)
    #expect(try volumes(device, 1) == ["headset0 none"])
    add(bluez, 3)
    #expect(try volumes(device, 1) == ["headset0 3"])
    bus.killTransports(bluez)
    #expect(try volumes(device, 1) == ["headset0 none"])
    add(try bus.startTransports(), 5)
    #expect(try volumes(device, 1) == ["headset0 5"])
  }

  @Test("B6: a volume is set at the headset, and nothing waits for it")
  func sets() throws {
    let bluez = try bus.startTransports()
    add(bluez, 64)
    let device = try headsets(nil)
    _ = try volumes(device, 1)
    device.setVolume(of: "headset0", to: 30)
    #expect(try settle(device) == [])
    #expect(transports_sets(bluez) == 1)
    #expect(transports_last(bluez) == 30)
  }

  @Test("B6: a headset without absolute volume has none, and nothing is set there")
  func none() throws {
    let bluez = try bus.startTransports()
    add(bluez, -1)
    let device = try headsets(nil)
    #expect(try settle(device) == [])
    device.setVolume(of: "headset0", to: 30)
    _ = try settle(device)
    #expect(transports_sets(bluez) == 0)
    // AVRCP may come after the sound.
    transports_turn(bluez, Self.path, 64)
    #expect(try volumes(device, 1) == ["headset0 64"])
  }

  @Test("B6, B8: a BlueZ that has its name before its objects is believed all the same", arguments: [false, true])
  func unready(isThere: Bool) throws {
    let early = isThere ? nil : try headsets(nil)
    let bluez = try bus.startTransports()
    transports_refuse(bluez, "GetManagedObjects")
    let device = try early ?? headsets(nil)
    #expect(try settle(device) == [])
    transports_refuse(bluez, "")
    add(bluez, 64)
    #expect(try volumes(device, 1) == ["headset0 64"])
  }

  /// A headset whose volume BlueZ reports and cannot set.
  private func refusing() throws -> (bluez: OpaquePointer, device: BluetoothHeadsets) {
    let bluez = try bus.startTransports()
    add(bluez, 64)
    transports_refuse(bluez, "Set")
    let device = try headsets(nil)
    _ = try volumes(device, 1)
    return (bluez, device)
  }

  @Test("B6: a headset whose volume could not be set yet takes one when it reports its own again")
  func refusesAtFirst() throws {
    let (bluez, device) = try refusing()
    device.setVolume(of: "headset0", to: 30)
    #expect(try volumes(device, 1) == ["headset0 none"])
    transports_refuse(bluez, "")
    transports_turn(bluez, Self.path, 80)
    #expect(try volumes(device, 1) == ["headset0 80"])
    device.setVolume(of: "headset0", to: 40)
    #expect(try settle(device) == [])
    #expect(transports_last(bluez) == 40)
  }

  @Test("B6: a headset whose volume can never be set has none after three tries, whatever it reports")
  func refuses() throws {
    let (bluez, device) = try refusing()
    for turn in 1...3 {
      device.setVolume(of: "headset0", to: 30)
      #expect(try volumes(device, 1) == ["headset0 none"])
      transports_turn(bluez, Self.path, 80 + CInt(turn))
      if turn < 3 { #expect(try volumes(device, 1) == ["headset0 \(80 + turn)"]) }
    }
    #expect(try settle(device) == [])
    device.setVolume(of: "headset0", to: 40)
    _ = try settle(device)
    #expect(transports_sets(bluez) == 3)
  }

  @Test("B6: a line with an address has the volume of one headset only, and a phone that plays to the box none")
  func addresses() throws {
    let bluez = try bus.startTransports()
    let device = try headsets("00:1a:7d:da:71:13", "AA:BB:CC:DD:EE:FF")
    add(bluez, 64, isPhone: true)
    transports_add(bluez, Self.otherPath, PrivateBus.other, false, 20)
    #expect(try volumes(device, 1) == ["headset1 20"])
    device.setVolume(of: "headset0", to: 30)
    _ = try settle(device)
    #expect(transports_sets(bluez) == 0)
  }

  @Test("B6.6: if none of two headsets plays, it is the volume of the last to come, which the other was not turned to")
  func two() throws {
    let bluez = try bus.startTransports()
    let device = try headsets(nil)
    add(bluez, 64)
    #expect(try volumes(device, 1) == ["headset0 64"])
    transports_add(bluez, Self.otherPath, PrivateBus.other, false, 20)
    #expect(try volumes(device, 2) == ["headset0 none", "headset0 20"])
    transports_turn(bluez, Self.path, 80)
    #expect(try settle(device) == [])
    device.setVolume(of: "headset0", to: 30)
    _ = try settle(device)
    #expect(transports_sets(bluez) == 1)
    transports_remove(bluez, Self.otherPath)
    #expect(try volumes(device, 2) == ["headset0 none", "headset0 80"])
  }

  @Test("B6.6: a headset without a volume that plays has none, whatever volume another one brings")
  func twoWithoutVolume() throws {
    let bluez = try bus.startTransports()
    add(bluez, -1)
    transports_play(bluez, Self.path, true)
    let device = try headsets(nil)
    #expect(try settle(device) == [])
    transports_add(bluez, Self.otherPath, PrivateBus.other, false, 20)
    #expect(try settle(device) == [])
    device.setVolume(of: "headset0", to: 30)
    _ = try settle(device)
    #expect(transports_sets(bluez) == 0)
    transports_remove(bluez, Self.path)
    #expect(try volumes(device, 1) == ["headset0 20"])
  }

  @Test("B6: only BlueZ itself is believed")
  func pretender() throws {
    let bluez = try bus.startTransports()
    add(bluez, 64)
    let device = try headsets(nil)
    _ = try volumes(device, 1)
    let pretender = try bus.startTransports(name: nil)
    transports_imitate(pretender, bluez)
    transports_turn(pretender, Self.path, 127)
    transports_remove(pretender, Self.path)
    #expect(try settle(device) == [])
  }

  @Test("B6: with the bus, the volumes are gone")
  func busLost() throws {
    add(try bus.startTransports(), 64)
    let device = try headsets(nil)
    _ = try volumes(device, 1)
    bus.stop()
    #expect(throws: LineError.self) { try bus.serve(device) { !$0.isEmpty } }
    device.close()
    #expect(device.takeVolumes() == [LineVolume(line: "headset0", level: nil)])
  }
}
