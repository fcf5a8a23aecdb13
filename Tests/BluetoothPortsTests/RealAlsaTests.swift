import AudioSession
import Board
import BusStandIn
import Glibc
import TestSupport
import Testing

@testable import BluetoothPorts

/// Debian's own bluez-alsa, where `Tests/run` has unpacked it or it is installed.
struct RealAlsa {
  let program: String
  let libraries: String

  static let found: RealAlsa? = {
    let folder = repositoryPath(".build/bluealsa")
    let known = [
      RealAlsa(program: "\(folder)/usr/bin/bluealsa", libraries: "\(folder)/libraries"),
      RealAlsa(program: "/usr/bin/bluealsa", libraries: ""),
    ]
    return known.first { access($0.program, X_OK) == 0 }
  }()
}

/// What the stand-in of `HeadsetTests` takes for granted, by the real daemon: it needs no controller, only a BlueZ that says
/// it has one. Debian 12 has version 4.0.0, which reports each PCM twice, as an object and by signals of its own.
@Suite(.enabled(if: RealAlsa.found != nil, "bluez-alsa is not here: Tests/run unpacks it"))
struct RealAlsaTests {
  private static let transport = "\(PrivateBus.headset)/fd0"
  private static let otherTransport = "\(PrivateBus.other)/fd1"

  private let bus: PrivateBus
  private let real: RealAlsa

  init() throws {
    bus = try PrivateBus()
    real = try #require(RealAlsa.found)
  }

  private func headset(_ address: String? = nil) -> BluetoothHeadsets {
    let request = HeadsetLineRequest(name: "bluetooth", address: address.flatMap { BluetoothAddress($0) })
    return BluetoothHeadsets([request], bus: bus.address)
  }

  @Test("B1, B2: with the real bluez-alsa, a headset is a plug from when it connects until it goes, and again")
  func comesAndGoes() throws {
    let bluez = try bus.startAlsa(real)
    let device = headset()
    try device.open()
    for _ in 0..<3 {
      endpoints_connect(bluez, Self.transport, PrivateBus.headset)
      #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
      #expect(try bus.settle(device) == [])
      #expect(device.isServiceRunning)
      endpoints_disconnect(bluez, Self.transport)
      #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [false])
      #expect(try bus.settle(device) == [])
    }
  }

  @Test("B1: with the real bluez-alsa, a headset that is there before is a plug, and one of another address is none")
  func already() throws {
    let bluez = try bus.startAlsa(real)
    let first = headset()
    try first.open()
    endpoints_connect(bluez, Self.transport, PrivateBus.headset)
    _ = try bus.serve(first) { !$0.isEmpty }
    let next = headset("00:1A:7D:DA:71:13")
    try next.open()
    let other = headset("AA:BB:CC:DD:EE:FF")
    try other.open()
    if try next.levels() != [true] { _ = try bus.serve(next) { !$0.isEmpty } }
    #expect(try next.levels() == [true])
    #expect(try bus.settle(other) == [])
    #expect(try other.levels() == [false])
    endpoints_connect(bluez, Self.otherTransport, PrivateBus.other)
    #expect(try bus.serve(other) { !$0.isEmpty }.map(\.asserted) == [true])
    endpoints_disconnect(bluez, Self.transport)
    // What was there at its opening may come as an edge as well, because the BlueZ here does not answer meanwhile.
    _ = try bus.serve(next) { $0.last?.asserted == false }
    #expect(try bus.settle(other) == [])
  }

  @Test("B8: the real bluez-alsa is killed and begins anew: its headset goes, and comes back when it connects")
  func killed() throws {
    var bluez = try bus.startAlsa(real)
    let device = headset()
    try device.open()
    endpoints_connect(bluez, Self.transport, PrivateBus.headset)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
    bus.killAlsa()
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [false])
    bluez = try bus.startAlsa(real)
    #expect(try bus.settle(device) == [])
    endpoints_connect(bluez, Self.transport, PrivateBus.headset)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
  }
}
