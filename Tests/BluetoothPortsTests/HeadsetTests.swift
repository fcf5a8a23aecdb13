import Board
import BusStandIn
import Glibc
import Testing

@testable import BluetoothPorts

@Suite struct HeadsetTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func headsets(_ addresses: String?...) -> BluetoothHeadsets { bus.headsets(addresses) }

  private func offer(_ service: OpaquePointer, _ path: String = PrivateBus.pcm, _ device: String = PrivateBus.headset) {
    standin_offer(service, path, device, "A2DP-source", "sink")
  }

  /// An open device whose list has come.
  private func opened(_ device: BluetoothHeadsets, _ service: OpaquePointer) throws {
    offer(service, "/org/bluealsa/first", PrivateBus.other)
    try device.open()
    if try device.levels() == [false] { _ = try bus.serve(device) { !$0.isEmpty } }
    standin_withdraw(service, "/org/bluealsa/first")
    _ = try bus.serve(device) { $0.last?.asserted == false }
  }

  @Test(
    "B1: a headset is a plug from when bluez-alsa offers its PCM, and B2: until it withdraws it",
    arguments: [false, true])
  func comesAndGoes(isOld: Bool) throws {
    let service = try bus.startService(isOld: isOld)
    let device = headsets(nil)
    try opened(device, service)
    let before = MonotonicClock(startsNow: false).now
    offer(service)
    let there = try bus.serve(device) { !$0.isEmpty }
    #expect(there.map(\.line) == ["headset0"])
    #expect(there.map(\.asserted) == [true])
    #expect(there.allSatisfy { $0.at >= before && $0.at <= MonotonicClock(startsNow: false).now })
    #expect(try device.levels() == [true])
    standin_withdraw(service, PrivateBus.pcm)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [false])
  }

  @Test("B1: a headset that is there when the service is asked is a plug", arguments: [false, true])
  func already(isOld: Bool) throws {
    let service = try bus.startService(isOld: isOld)
    offer(service)
    let device = headsets(nil)
    try device.open()
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
  }

  @Test(
    "B1: what is no headset to play to is no plug",
    arguments: [("A2DP-sink", "source"), ("HFP-AG", "sink"), ("A2DP-source", "source")])
  func others(transport: String, mode: String) throws {
    let service = try bus.startService()
    let device = headsets(nil)
    try opened(device, service)
    standin_offer(service, PrivateBus.pcm, PrivateBus.headset, transport, mode)
    standin_offer_other(service, "/org/bluealsa/rfcomm")
    offer(service, PrivateBus.otherPCM, PrivateBus.other)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
    standin_withdraw(service, PrivateBus.otherPCM)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [false])
  }

  @Test("B1: a line with an address is that of one headset only")
  func addresses() throws {
    let service = try bus.startService()
    let device = headsets("00:1a:7d:da:71:13", nil)
    try device.open()
    offer(service, PrivateBus.otherPCM, PrivateBus.other)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.line) == ["headset1"])
    offer(service)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.line) == ["headset0"])
    standin_withdraw(service, PrivateBus.otherPCM)
    standin_withdraw(service, PrivateBus.pcm)
    let edges = try bus.serve(device) { $0.count == 2 }
    #expect(edges.map(\.line) == ["headset0", "headset1"])
  }

  @Test("B8: a service that is killed takes its headsets along, and has them again when it is back")
  func killed() throws {
    let service = try bus.startService()
    let device = headsets(nil)
    try opened(device, service)
    offer(service)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
    bus.kill(service)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [false])
    let next = try bus.startService()
    offer(next)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
  }

  @Test(
    "B1, B8: a service that has its name before its objects is believed all the same", arguments: [false, true])
  func unready(isThere: Bool) throws {
    let device = headsets(nil)
    if !isThere { try device.open() }
    let service = try bus.startService()
    standin_refuse(service, "org.freedesktop.DBus.Error.UnknownMethod")
    if isThere { try device.open() }
    #expect(try bus.settle(device) == [])
    standin_refuse(service, nil)
    offer(service)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
  }

  @Test("B8: the bus is tried again when it was lost; its headsets are not plugged in meanwhile")
  func busLost() throws {
    let service = try bus.startService()
    let device = headsets(nil)
    try opened(device, service)
    offer(service)
    _ = try bus.serve(device) { !$0.isEmpty }
    bus.stop()
    #expect(throws: LineError.self) { try bus.serve(device) { !$0.isEmpty } }
    device.close()
    #expect(throws: LineError.self) { try device.open() }
    #expect(device.pollDescriptors.isEmpty)
    try bus.start()
    try device.open()
    offer(try bus.startService())
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
  }

  @Test("only the service itself is believed", arguments: [false, true])
  func pretender(isOld: Bool) throws {
    let service = try bus.startService(isOld: isOld)
    let device = headsets(nil)
    try opened(device, service)
    let pretender = try bus.startService(isOld: isOld, name: nil)
    offer(pretender)
    #expect(try bus.settle(device) == [])
    offer(service)
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
    standin_withdraw(pretender, PrivateBus.pcm)
    #expect(try bus.settle(device) == [])
  }

  @Test("a flood of messages leaves the thread time for other work, and none is lost")
  func flood() throws {
    let service = try bus.startService()
    let device = headsets(nil)
    try opened(device, service)
    for index in 0..<150 { standin_offer_other(service, "/org/bluealsa/rfcomm\(index)") }
    offer(service)
    var reads = 0
    let edges = try bus.serve(device) {
      reads += 1
      return !$0.isEmpty
    }
    #expect(edges.map(\.asserted) == [true])
    #expect(reads > 1)
  }
}
