import AudioSession
import Board

/// The volumes of headsets, as BlueZ has them: `Volume` of `org.bluez.MediaTransport1`, 0 to 127, which is there only
/// where the headset takes one. One thread.
///
/// bluez-alsa's own `Volume` is not used: it reports what it was set to whether or not the headset has taken it, also for
/// headsets that take none. BlueZ reports what the headset has answered.
final class TransportVolumes: BusServiceClient {
  struct Change: Hashable {
    var line: Int
    /// nil: there is no headset that takes a volume.
    var level: Int?
  }

  private struct Transport {
    var address: BluetoothAddress?
    /// The box is the source of the music.
    var isPlayback = true
    /// bluez-alsa plays to it.
    var isPlaying = false
    var level: Int?
    /// It was set and could not be, as BlueZ has no link to the headset's controls just then: it takes none until it
    /// reports one again.
    var refuses = false
    /// How often. One that does so every time takes none, whatever it reports.
    var refusals = 0
    /// Its place among those that have come.
    var number = 0
  }

  private static let mostRefusals = 3

  private static let transport = "org.bluez.MediaTransport1"
  /// The UUID of the service that plays to the box, such as that of a phone.
  private static let sink = "0000110b"

  private let service: BusService<TransportVolumes>
  private let requests: [HeadsetLineRequest]
  private var transports: [String: Transport] = [:]
  private var count = 0
  /// For each line, where the volume came from that was reported last.
  private var reported: [(path: String, level: Int)?]
  private var changes: [Change] = []

  /// Asks for everything; nothing is known yet.
  init(_ bus: MessageBus, _ requests: [HeadsetLineRequest]) throws(MessageBusFailure) {
    service = BusService(BusName.bluez, on: bus)
    self.requests = requests
    reported = requests.map { _ in nil }
    try service.begin(for: self)
    try service.watch(BusName.objects, "InterfacesAdded") { $0.added($1) }
    try service.watch(BusName.objects, "InterfacesRemoved") { $0.removed($1) }
    try service.watch(BusName.properties, "PropertiesChanged", "arg0='\(Self.transport)'") { $0.changed($1) }
    service.ask()
    try check()
  }

  /// Throws when the bus is gone.
  func check() throws(MessageBusFailure) { try service.check() }

  /// Returns what moved since the last call, in order.
  func takeChanges() -> [Change] {
    defer { changes = [] }
    return changes
  }

  /// Asks the headset of a line for a volume.
  func set(_ line: Int, to level: Int) {
    guard let path = path(of: requests[line]) else { return }
    let value = Variant.variant(.number(UInt16(clamping: level)))
    service.call(path, BusName.properties, "Set", [.string(Self.transport), .string("Volume"), value]) {
      if $1.error != nil {
        $0.transports[path]?.refuses = true
        $0.transports[path]?.refusals += 1
      }
    }
  }

  // MARK: - The service

  func forget() { transports = [:] }

  // MARK: - Levels

  /// The transport of a line's headset, if that takes a volume. Of several headsets it is the one that plays: bluez-alsa
  /// takes the last to come when it is opened, and stays with that one.
  private func path(of request: HeadsetLineRequest) -> String? {
    let headsets = transports.filter { _, transport in
      transport.isPlayback && (request.address == nil || transport.address == request.address)
    }
    let playing = headsets.filter(\.value.isPlaying)
    let candidates = playing.isEmpty ? headsets : playing
    guard let last = candidates.max(by: { $0.value.number < $1.value.number }) else { return nil }
    return last.value.level == nil || last.value.refuses ? nil : last.key
  }

  func update() {
    for (index, request) in requests.enumerated() {
      let path = path(of: request)
      let new = path.flatMap { path in transports[path]?.level.map { (path: path, level: $0) } }
      let old = reported[index]
      // Another headset has its own volume; it was not turned to that.
      if let old, old.path != new?.path { changes.append(Change(line: index, level: nil)) }
      if let new, old.map({ $0 != new }) ?? true { changes.append(Change(line: index, level: new.level)) }
      reported[index] = new
    }
  }

  // MARK: - Messages

  func listed(_ message: borrowing BusMessage) {
    guard message.error == nil else { return }
    transports = [:]
    for object in message.objects() ?? [] { read(object.path, object.interfaces[Self.transport]) }
  }

  private func added(_ message: borrowing BusMessage) {
    if let object = message.object() { read(object.path, object.interfaces[Self.transport]) }
  }

  private func removed(_ message: borrowing BusMessage) {
    guard let path = message.objectPath(), let interfaces = message.strings() else { return }
    if interfaces.contains(Self.transport) { transports[path] = nil }
  }

  private func changed(_ message: borrowing BusMessage) {
    guard let path = message.path, message.string() == Self.transport else { return }
    read(path, message.properties())
  }

  /// - Parameter properties: nil: the object is not a transport.
  private func read(_ path: String, _ properties: [String: Variant]?) {
    guard let properties else { return }
    var transport = transports[path] ?? Transport(number: count)
    count += 1
    if let device = properties["Device"] { transport.address = device.text.flatMap { BluetoothAddress(object: $0) } }
    if let service = properties["UUID"] { transport.isPlayback = service.text?.hasPrefix(Self.sink) == false }
    if let state = properties["State"] { transport.isPlaying = state.text == "active" }
    if let volume = properties["Volume"] {
      transport.level = volume.number.flatMap { (0...127).contains($0) ? Int($0) : nil }
      if transport.refusals < Self.mostRefusals { transport.refuses = false }
    }
    transports[path] = transport
  }
}
