import AudioSession
import Board
import BusStandIn
import Glibc
import TestSupport
import Testing

@testable import BluetoothPorts

/// A message bus of a test's own, with or without bluez-alsa's stand-in on it.
final class PrivateBus {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  static let headset = "/org/bluez/hci0/dev_00_1A_7D_DA_71_13"
  static let other = "/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF"
  static let pcm = "/org/bluealsa/hci0/dev_00_1A_7D_DA_71_13/a2dpsrc/sink"
  static let otherPCM = "/org/bluealsa/hci0/dev_AA_BB_CC_DD_EE_FF/a2dpsrc/sink"

  let address: String
  private let folder: TemporaryFolder
  private var daemon: CInt = 0
  private var services: [OpaquePointer] = []
  /// Stand-ins for BlueZ.
  private var transports: [OpaquePointer] = []
  /// A stand-in for BlueZ, and the real bluez-alsa that has registered at it.
  private var endpoints: OpaquePointer?
  private var alsa: CInt = 0

  /// - Parameter policy: further rules for who may send what.
  init(policy: String = "") throws {
    folder = try TemporaryFolder()
    address = "unix:path=\(folder.path(of: "bus"))"
    folder.write(
      "bus.conf",
      """
      <busconfig>
        <listen>\(address)</listen>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
          \(policy)
        </policy>
      </busconfig>
      """)
    try start()
  }

  deinit {
    for service in services { standin_close(service) }
    for transport in transports { transports_close(transport) }
    killAlsa()
    if let endpoints { endpoints_close(endpoints) }
    if daemon > 0 { standin_process_stop(daemon) }
  }

  /// A line for each headset of an address, or of any; not opened yet.
  func headsets(_ addresses: [String?], named name: String = "headset") -> BluetoothHeadsets {
    let requests = addresses.enumerated().map { index, address in
      HeadsetLineRequest(name: "\(name)\(index)", address: address.flatMap { BluetoothAddress($0) })
    }
    return BluetoothHeadsets(requests, bus: address)
  }

  func start() throws {
    daemon = standin_bus_start(folder.path(of: "bus.conf"))
    guard daemon > 0 else {
      throw Failure(
        description: "dbus-daemon: \(String(cString: strerror(-daemon))); Debian's package dbus-daemon has it")
    }
  }

  /// Takes the bus away, with everybody on it.
  func stop() {
    standin_process_stop(daemon)
    daemon = 0
    for service in services { standin_close(service) }
    for transport in transports { transports_close(transport) }
    (services, transports) = ([], [])
    unlink(folder.path(of: "bus"))
  }

  /// bluez-alsa starts, of this version. `name`: nil for somebody who only pretends to be it.
  @discardableResult
  func startService(isOld: Bool = false, name: String? = "org.bluealsa") throws -> OpaquePointer {
    var service: OpaquePointer?
    let result = standin_open(address, name, isOld, &service)
    guard result >= 0, let service else { throw Failure(description: String(cString: strerror(-result))) }
    services.append(service)
    return service
  }

  /// BlueZ starts. `name`: nil for somebody who only pretends to be it.
  func startTransports(name: String? = "org.bluez") throws -> OpaquePointer {
    var started: OpaquePointer?
    let result = transports_open(address, name, &started)
    guard result >= 0, let started else { throw Failure(description: String(cString: strerror(-result))) }
    transports.append(started)
    return started
  }

  /// The real bluez-alsa starts beside a BlueZ of the test's own, at which it registers.
  func startAlsa(_ real: RealAlsa) throws -> OpaquePointer {
    if endpoints == nil {
      var started: OpaquePointer?
      let result = endpoints_open(address, &started)
      guard result >= 0 else { throw Failure(description: String(cString: strerror(-result))) }
      endpoints = started
    }
    alsa = standin_alsa_start(real.program, real.libraries, address)
    guard alsa > 0, let endpoints else { throw Failure(description: "bluealsa: \(String(cString: strerror(-alsa)))") }
    for _ in 0..<500 where !endpoints_is_registered(endpoints) {
      endpoints_serve(endpoints)
      poll(nil, 0, 20)
    }
    guard endpoints_is_registered(endpoints) else { throw Failure(description: "bluealsa registers nothing") }
    return endpoints
  }

  /// The real bluez-alsa is killed.
  func killAlsa() {
    if alsa > 0 { standin_process_stop(alsa) }
    alsa = 0
    if let endpoints { endpoints_forget(endpoints) }
  }

  /// BlueZ is killed.
  func killTransports(_ killed: OpaquePointer) {
    transports.removeAll { $0 == killed }
    transports_close(killed)
  }

  /// bluez-alsa is killed.
  func kill(_ service: OpaquePointer) {
    services.removeAll { $0 == service }
    standin_close(service)
  }

  /// Lets `device` and the services talk until what is expected has come, or nothing comes for seconds.
  func serve(_ device: BluetoothHeadsets, until isDone: ([LineEdge]) -> Bool) throws -> [LineEdge] {
    var edges: [LineEdge] = []
    // The real bluez-alsa is a process of its own, which a busy machine keeps waiting.
    for _ in 0..<(alsa > 0 ? 3_000 : 200) {
      for service in services where standin_serve(service) < 0 {
        throw Failure(description: "the stand-in lost its bus")
      }
      for transport in transports where transports_serve(transport) < 0 {
        throw Failure(description: "the stand-in lost its bus")
      }
      if let endpoints, endpoints_serve(endpoints) < 0 { throw Failure(description: "the stand-in lost its bus") }
      try device.readEdges(into: &edges)
      if isDone(edges) { return edges }
      var polled = device.pollDescriptors.map { pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0) }
      // Wakes without a message, too: what the device has sent may not have reached a service when that was served.
      poll(&polled, nfds_t(polled.count), 20)
    }
    throw Failure(description: "waited in vain; edges so far: \(edges.map(\.asserted))")
  }

  /// Lets them talk until all that was sent before has been read: the bus keeps the order of messages.
  func settle(_ device: BluetoothHeadsets) throws -> [LineEdge] {
    let marker = try startService(name: "org.example.Marker")
    kill(marker)
    var quiet = 0
    return try serve(device) { _ in
      quiet += 1
      return quiet > 10
    }
  }
}
