import AudioSession

/// The names of the input devices that BlueZ creates for the keys of headsets (B5), derived from its device names. One
/// thread.
///
/// BlueZ (`uinput_create`, 5.49 to 5.82) gives such a device the headset's name and the address of the box's own
/// controller, not that of the headset: two headsets of one name cannot be told apart by it.
final class HeadsetNames: BusServiceClient {
  private static let device = "org.bluez.Device1"
  private static let suffix = " (AVRCP)"
  /// Bytes of a name, without the byte that ends it (`UINPUT_MAX_NAME_SIZE`).
  private static let longest = 79

  private let service: BusService<HeadsetNames>
  /// The headsets whose names matter: a scan finds any number of others.
  private let headsets: [BluetoothAddress]
  /// Whether it is known what BlueZ has, or that it does not run.
  private(set) var isKnown = false
  private(set) var names: [BluetoothAddress: String]

  /// Asks for everything. `names`: as they were known before; a headset keeps its name while BlueZ is away.
  init(
    of headsets: [BluetoothAddress], _ bus: MessageBus, _ names: [BluetoothAddress: String]
  ) throws(MessageBusFailure) {
    service = BusService(BusName.bluez, on: bus)
    self.headsets = headsets
    self.names = names
    try service.begin(for: self)
    try service.watch(BusName.objects, "InterfacesAdded") { $0.added($1) }
    try service.watch(BusName.properties, "PropertiesChanged", "arg0='\(Self.device)'") { $0.changed($1) }
    service.ask()
    try check()
  }

  /// Throws when the bus is gone.
  func check() throws(MessageBusFailure) { try service.check() }

  /// The name of the input device with the keys of the headset that is called `name`.
  static func keys(of name: String) -> String {
    // BlueZ cuts the name, maybe within a character, where it is too long.
    String(decoding: name.utf8.prefix(longest - suffix.utf8.count), as: UTF8.self) + suffix
  }

  // MARK: - Messages

  func listed(_ message: borrowing BusMessage) {
    isKnown = true
    guard message.error == nil else { return }
    for object in message.objects() ?? [] { read(object.path, object.interfaces[Self.device]) }
  }

  private func added(_ message: borrowing BusMessage) {
    if let object = message.object() { read(object.path, object.interfaces[Self.device]) }
  }

  private func changed(_ message: borrowing BusMessage) {
    guard let path = message.path, message.string() == Self.device else { return }
    read(path, message.properties())
  }

  /// - Parameter properties: nil: the object is not a device.
  private func read(_ path: String, _ properties: [String: Variant]?) {
    guard let address = BluetoothAddress(object: path), headsets.contains(address) else { return }
    // The alias is what the box calls it: BlueZ does not use that here.
    if let name = properties?["Name"] { names[address] = name.text }
  }
}
