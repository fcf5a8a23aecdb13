import AudioSession
import Board
import BusStandIn
import Glibc
import Testing

@testable import BluetoothPorts

/// A bus with BlueZ's stand-in on it and the adapter that pairs, in a time of the test's own.
final class PairingBus {
  static let headset = "00:1A:7D:DA:71:13"
  static let path = "/org/bluez/hci0/dev_00_1A_7D_DA_71_13"
  static let controller = "/org/bluez/hci0"
  static let audioSink = "0000110b-0000-1000-8000-00805f9b34fb"
  static let phoneService = "0000112f-0000-1000-8000-00805f9b34fb"

  let bus: PrivateBus
  let pairing: BluetoothPairing
  /// That of `headset`.
  let address: BluetoothAddress
  private(set) var bluez: OpaquePointer?
  private var others: [OpaquePointer] = []
  /// What the adapter reported.
  private(set) var reports: [HeadsetReport] = []
  var now = Instant.powerOn + .seconds(100)

  init(hasService: Bool = true) throws {
    bus = try PrivateBus()
    pairing = BluetoothPairing(bus: bus.address)
    address = try #require(BluetoothAddress(PairingBus.headset))
    if hasService { try start() }
  }

  deinit {
    for other in others { bluez_close(other) }
    kill()
  }

  /// bluetoothd starts, with a controller.
  func start(isPowered: Bool = true, isPairable: Bool = false) throws {
    bluez = try open(name: "org.bluez")
    bluez_add_controller(bluez, isPowered, isPairable)
  }

  /// Somebody else on the bus.
  func stranger() throws -> OpaquePointer {
    let other = try open(name: nil)
    others.append(other)
    return other
  }

  private func open(name: String?) throws -> OpaquePointer {
    var opened: OpaquePointer?
    let result = bluez_open(bus.address, name, &opened)
    guard result >= 0, let opened else { throw PrivateBus.Failure(description: String(cString: strerror(-result))) }
    return opened
  }

  /// bluetoothd is killed.
  func kill() {
    if let bluez { bluez_close(bluez) }
    bluez = nil
  }

  func add(
    _ address: String = PairingBus.headset, name: String = "Headset", icon: String? = "audio-headset",
    service: String? = PairingBus.audioSink, whenPaired: String? = nil, isPaired: Bool = false,
    isTrusted: Bool = false, isConnected: Bool = false, isInReach: Bool = false
  ) {
    var strings: [UnsafeMutablePointer<CChar>?] = []
    func keep(_ text: String?) -> UnsafePointer<CChar>? {
      let copy = text.map { strdup($0) } ?? nil
      strings.append(copy)
      return UnsafePointer(copy)
    }
    var device = bluez_device(
      address: keep(address), name: keep(name), icon: keep(icon), service: keep(service),
      service_when_paired: keep(whenPaired), is_paired: isPaired, is_trusted: isTrusted, is_connected: isConnected,
      is_in_reach: isInReach)
    bluez_add_device(bluez, &device)
    for string in strings { free(string) }
  }

  /// Adds the headset as one that is paired, and waits until that is known.
  func addPaired() throws {
    add(isPaired: true, isTrusted: true)
    try wait { $0.known?.count == 1 }
  }

  /// The methods that were called since the last time.
  func calls() -> [String] {
    String(cString: bluez_calls(bluez)).split(separator: " ").map(String.init)
  }

  /// Waits until the adapter knows what is there, and forgets the calls that were made for that.
  func ready() throws {
    try wait { $0.known != nil }
    _ = calls()
  }

  /// Searches until a headset is found.
  func search() throws {
    pairing.obey(.search(true), at: now)
    try wait { $0.contains { if case .found = $0 { true } else { false } } }
  }

  /// Lets them talk until this was reported, or nothing comes for seconds. Returns what was reported until then.
  @discardableResult
  func wait(until isDone: ([HeadsetReport]) -> Bool) throws -> [HeadsetReport] {
    defer { reports = [] }
    for _ in 0..<200 {
      try turn()
      if isDone(reports) { return reports }
    }
    throw PrivateBus.Failure(description: "waited in vain; reports so far: \(reports)")
  }

  /// Lets them talk until this is so.
  func wait(untilTrue isDone: () -> Bool) throws {
    for _ in 0..<200 {
      try turn()
      if isDone() { return }
    }
    throw PrivateBus.Failure(description: "waited in vain; reports so far: \(reports)")
  }

  /// Lets them talk until all that was sent has been read and answered: nothing has moved for some rounds.
  func settle() throws -> [HeadsetReport] {
    for _ in 0..<10 { try turn() }
    defer { reports = [] }
    return reports
  }

  private func turn() throws {
    for service in [bluez].compactMap(\.self) + others where bluez_serve(service) < 0 {
      throw PrivateBus.Failure(description: "the stand-in lost its bus")
    }
    reports += pairing.takeReports(at: now)
    var polled = pairing.pollDescriptors.map { pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0) }
    // Wakes without a message, too: what was sent may not have reached a service when that was served.
    poll(&polled, nfds_t(polled.count), 20)
  }
}

extension [HeadsetReport] {
  /// The headsets of the last list that was reported.
  var known: [Headset]? {
    for report in reversed() { if case .known(let headsets) = report { return headsets } }
    return nil
  }
}
