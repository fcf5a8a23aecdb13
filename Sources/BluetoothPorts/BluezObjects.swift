import AudioSession

/// The controllers and devices that BlueZ has, by their object paths. A value.
struct BluezObjects: Hashable, Sendable {
  static let controller = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"

  struct Controller: Hashable, Sendable {
    var isPowered = false
    var isPairable = false
  }

  struct Device: Hashable, Sendable {
    /// The services that a headset offers to be played to.
    private static let audioSink = "0000110b-0000-1000-8000-00805f9b34fb"

    /// The path of its controller.
    var controller = ""
    var address: BluetoothAddress?
    var name = ""
    var icon = ""
    var services: [String] = []
    var isPaired = false
    var isTrusted = false
    var isConnected = false
    /// It has a signal strength: the scan that runs has heard it.
    var isInReach = false

    var isHeadset: Bool { services.contains(Self.audioSink) }
    /// What an old headset offers is only known after pairing; what it is, before.
    var mayBeHeadset: Bool { isHeadset || services.isEmpty && icon.hasPrefix("audio-") }

    /// BlueZ has it since it came, and no scan has heard it: after a connection from outside, `Connected` was seen to
    /// stay false.
    var hasArrived = false

    /// It has connected by itself, or its pairing is not done.
    var isStranger: Bool { !isPaired && (isConnected || hasArrived) }

    var headset: Headset? {
      address.map { Headset(address: $0, name: name, isTrusted: isTrusted, isConnected: isConnected) }
    }
  }

  private(set) var controllers: [String: Controller] = [:]
  private(set) var devices: [String: Device] = [:]

  /// The controller that is used: the first one.
  var path: String? { controllers.keys.min() }

  /// The paired headsets, in the order of their addresses.
  var headsets: [Headset] {
    let paired = devices.values.filter { $0.isPaired && $0.isHeadset && $0.controller == path }
    return paired.compactMap(\.headset).sorted { $0.address.description < $1.address.description }
  }

  func device(_ address: BluetoothAddress) -> String? {
    devices.first { $0.value.address == address && $0.value.controller == path }?.key
  }

  // MARK: - Reading

  mutating func read(_ objects: [BusObject]) {
    for object in objects { read(object) }
  }

  private mutating func read(_ object: BusObject) {
    for (interface, properties) in object.interfaces { read(properties, of: object.path, interface) }
  }

  /// Reads an object that is new.
  mutating func readAdded(_ message: borrowing BusMessage) {
    guard let object = message.object() else { return }
    let isNew = devices[object.path] == nil
    read(object)
    if isNew, let isHeard = devices[object.path]?.isInReach { devices[object.path]?.hasArrived = !isHeard }
  }

  mutating func readRemoved(_ message: borrowing BusMessage) {
    guard let path = message.objectPath(), let interfaces = message.strings() else { return }
    if interfaces.contains(Self.controller) { controllers[path] = nil }
    if interfaces.contains(Self.device) { devices[path] = nil }
  }

  /// Reads the properties that have changed, and those that no longer exist.
  mutating func readChanges(_ message: borrowing BusMessage) {
    guard let path = message.path, let interface = message.string(), let changes = message.properties() else { return }
    read(changes, of: path, interface)
    if interface == Self.device && message.strings()?.contains("RSSI") == true { devices[path]?.isInReach = false }
  }

  private mutating func read(_ properties: [String: Variant], of path: String, _ interface: String) {
    switch interface {
    case Self.controller:
      let known = controllers[path] ?? Controller()
      controllers[path] = Controller(
        isPowered: properties["Powered"]?.boolean ?? known.isPowered,
        isPairable: properties["Pairable"]?.boolean ?? known.isPairable)
    case Self.device:
      var device = devices[path] ?? Device()
      device.read(properties)
      devices[path] = device
    case _: break
    }
  }
}

extension BluezObjects.Device {
  fileprivate mutating func read(_ properties: [String: Variant]) {
    controller = properties["Adapter"]?.text ?? controller
    address = properties["Address"]?.text.flatMap { BluetoothAddress($0) } ?? address
    name = properties["Alias"]?.text ?? name
    icon = properties["Icon"]?.text ?? icon
    services = properties["UUIDs"]?.strings ?? services
    isPaired = properties["Paired"]?.boolean ?? isPaired
    isTrusted = properties["Trusted"]?.boolean ?? isTrusted
    isConnected = properties["Connected"]?.boolean ?? isConnected
    if properties["RSSI"] != nil { isInReach = true }
    // From now on `Connected` says when the device comes and goes.
    if properties["Connected"] != nil || properties["RSSI"] != nil { hasArrived = false }
  }
}
