import Board
import BusStandIn
import Testing

@testable import BluetoothPorts

/// Two headsets at once: what happens to one is not taken for the other's.
@Suite struct TwoHeadsetsTests {
  private static let path = "\(PrivateBus.headset)/fd0"
  private static let otherPath = "\(PrivateBus.other)/fd1"

  private let bus: PrivateBus
  private let service: OpaquePointer
  private let bluez: OpaquePointer

  init() throws {
    bus = try PrivateBus()
    service = try bus.startService()
    bluez = try bus.startTransports()
  }

  private func headsets(_ addresses: String?...) throws -> BluetoothHeadsets {
    let device = bus.headsets(addresses, named: "")
    try device.open()
    return device
  }

  /// A headset connects: it has a volume, and can be played to.
  private func connect(_ service: OpaquePointer? = nil, isOther: Bool = false, volume: CInt) {
    let device = isOther ? PrivateBus.other : PrivateBus.headset
    transports_add(bluez, isOther ? Self.otherPath : Self.path, device, false, volume)
    offer(service ?? self.service, isOther: isOther)
  }

  private func offer(_ service: OpaquePointer, isOther: Bool) {
    standin_offer(
      service, isOther ? PrivateBus.otherPCM : PrivateBus.pcm, isOther ? PrivateBus.other : PrivateBus.headset,
      "A2DP-source", "sink")
  }

  private func disconnect(isOther: Bool) {
    standin_withdraw(service, isOther ? PrivateBus.otherPCM : PrivateBus.pcm)
    transports_remove(bluez, isOther ? Self.otherPath : Self.path)
  }

  /// What moves until `count` lines and volumes have, and everybody is quiet: `LINE in`, `LINE out`, `LINE volume LEVEL`.
  private func moves(_ device: BluetoothHeadsets, _ count: Int) throws -> Set<String> {
    var volumes: [LineVolume] = []
    var edges = try bus.serve(device) {
      volumes += device.takeVolumes()
      return $0.count + volumes.count >= count
    }
    edges += try bus.settle(device)
    volumes += device.takeVolumes()
    let found =
      edges.map { "\($0.line) \($0.asserted ? "in" : "out")" }
      + volumes.map { "\($0.line) volume \($0.level.map(String.init) ?? "none")" }
    #expect(found.count == count)
    return Set(found)
  }

  @Test("B2: one headset goes while the other plays: the line and the volume of the other stay, in either order")
  func lines() throws {
    let device = try headsets("00:1A:7D:DA:71:13", "AA:BB:CC:DD:EE:FF")
    connect(volume: 10)
    connect(isOther: true, volume: 20)
    #expect(try moves(device, 4) == ["0 in", "1 in", "0 volume 10", "1 volume 20"])
    disconnect(isOther: true)
    #expect(try moves(device, 2) == ["1 out", "1 volume none"])
    #expect(try device.levels() == [true, false])
    device.setVolume(of: "1", to: 99)
    device.setVolume(of: "0", to: 30)
    #expect(try moves(device, 0) == [])
    #expect(transports_sets(bluez) == 1 && transports_last(bluez) == 30)
    connect(isOther: true, volume: 40)
    #expect(try moves(device, 2) == ["1 in", "1 volume 40"])
    disconnect(isOther: false)
    #expect(try moves(device, 2) == ["0 out", "0 volume none"])
    #expect(try device.levels() == [false, true])
  }

  @Test("B2: a line of any headset is out when the last one has gone, and has the volume of the one that is left")
  func any() throws {
    let device = try headsets(nil)
    connect(volume: 10)
    #expect(try moves(device, 2) == ["0 in", "0 volume 10"])
    // Neither plays yet: bluez-alsa will take the one that came last.
    connect(isOther: true, volume: 20)
    #expect(try moves(device, 2) == ["0 volume none", "0 volume 20"])
    disconnect(isOther: true)
    #expect(try moves(device, 2) == ["0 volume none", "0 volume 10"])
    #expect(try device.levels() == [true])
    disconnect(isOther: false)
    #expect(try moves(device, 2) == ["0 out", "0 volume none"])
  }

  @Test("B6.6: a headset that plays keeps the volume when another one connects and is turned, until it no longer plays")
  func playing() throws {
    let device = try headsets(nil)
    connect(volume: 10)
    #expect(try moves(device, 2) == ["0 in", "0 volume 10"])
    transports_play(bluez, Self.path, true)
    connect(isOther: true, volume: 20)
    transports_turn(bluez, Self.otherPath, 30)
    #expect(try moves(device, 0) == [])
    transports_turn(bluez, Self.path, 15)
    #expect(try moves(device, 1) == ["0 volume 15"])
    transports_play(bluez, Self.path, false)
    #expect(try moves(device, 2) == ["0 volume none", "0 volume 30"])
  }

  @Test("B8: bluez-alsa is killed under two headsets, and one comes back: only that one is plugged in")
  func killed() throws {
    let device = try headsets("00:1A:7D:DA:71:13", "AA:BB:CC:DD:EE:FF")
    connect(volume: 10)
    connect(isOther: true, volume: 20)
    _ = try moves(device, 4)
    bus.kill(service)
    #expect(try moves(device, 2) == ["0 out", "1 out"])
    offer(try bus.startService(), isOther: true)
    #expect(try moves(device, 1) == ["1 in"])
  }
}
