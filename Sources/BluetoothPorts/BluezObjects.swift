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

  /// Reads an object's path and its interfaces.
  mutating func readObject(_ message: borrowing BusMessage) -> Bool {
    guard let path = message.objectPath() else { return false }
    return message.entries("s", "a{sv}") {
      guard let interface = message.string() else { return false }
      return readProperties(message, of: path, interface)
    }
  }

  /// Reads an object that is new.
  mutating func readAdded(_ message: borrowing BusMessage) {
    let before = Set(devices.keys)
    guard readObject(message) else { return }
    for path in Set(devices.keys).subtracting(before) {
      let isHeard = devices[path]?.isInReach ?? true
      devices[path]?.hasArrived = !isHeard
    }
  }

  mutating func readRemoved(_ message: borrowing BusMessage) {
    guard let path = message.objectPath(), let interfaces = message.strings() else { return }
    if interfaces.contains(Self.controller) { controllers[path] = nil }
    if interfaces.contains(Self.device) { devices[path] = nil }
  }

  /// Reads the properties that have changed, and those that there are no more.
  mutating func readChanges(_ message: borrowing BusMessage) {
    guard let path = message.path, let interface = message.string() else { return }
    guard readProperties(message, of: path, interface), let gone = message.strings() else { return }
    if interface == Self.device && gone.contains("RSSI") { devices[path]?.isInReach = false }
  }

  private mutating func readProperties(
    _ message: borrowing BusMessage, of path: String, _ interface: String
  ) -> Bool {
    switch interface {
    case Self.controller:
      var controller = controllers[path] ?? Controller()
      defer { controllers[path] = controller }
      return message.entries("s", "v") {
        switch message.string() {
        case "Powered"?: controller.isPowered = message.variantBoolean() ?? controller.isPowered
        case "Pairable"?: controller.isPairable = message.variantBoolean() ?? controller.isPairable
        case nil: return false
        case _?: return message.skip("v")
        }
        return true
      }
    case Self.device:
      var device = devices[path] ?? Device()
      defer { devices[path] = device }
      return message.entries("s", "v") { device.read(message) }
    case _: return message.skip("a{sv}")
    }
  }
}

extension BluezObjects.Device {
  /// Reads one property.
  fileprivate mutating func read(_ message: borrowing BusMessage) -> Bool {
    switch message.string() {
    case "Adapter"?: controller = message.variantText() ?? controller
    case "Address"?: address = message.variantText().flatMap { BluetoothAddress($0) } ?? address
    case "Alias"?: name = message.variantText() ?? name
    case "Icon"?: icon = message.variantText() ?? icon
    case "UUIDs"?: services = message.variantStrings() ?? services
    case "Paired"?: isPaired = message.variantBoolean() ?? isPaired
    case "Trusted"?: isTrusted = message.variantBoolean() ?? isTrusted
    case "Connected"?:
      isConnected = message.variantBoolean() ?? isConnected
      // From now on it says when the device comes and goes.
      hasArrived = false
    case "RSSI"?:
      (isInReach, hasArrived) = (true, false)
      return message.skip("v")
    case nil: return false
    case _?: return message.skip("v")
    }
    return true
  }
}
