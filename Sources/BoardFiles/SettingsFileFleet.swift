import AudioSession
import Files

/// `[fleet]` of the settings: who a board is in its fleet. The firmware takes no notice of it; `jackdaw-fleet` asks for it.
public struct FleetSettings: Hashable, Sendable {
  /// Where the fleet's broker is; nil: `jackdaw-fleet setup` is told.
  public var broker: BrokerAddress?
  /// What the broker asks for; nil: nothing.
  public var login: Login?
  /// Its name in topics; nil: the serial number.
  public var id: String?
  /// Its name for people.
  public var name: String?
  /// The groups whose commands it obeys.
  public var groups: [String] = []
  /// Whether it obeys nobody.
  public var tellsOnly = false

  public struct Login: Hashable, Sendable {
    public var user: String
    public var password: String
  }

  /// Reads the fleet's settings in a settings file, and no other table of it, whatever is wrong there.
  public static func read(_ path: String) throws(FileError) -> FleetSettings {
    var root = try TOMLTable(parsing: FileAccess.read(path), file: path)
    root.rootKeys = SettingsFile.keyNames
    return try SettingsFile.fleet(root)
  }
}

extension SettingsFile {
  /// What is wrong there keeps a board out of its fleet, and must not keep it silent as well. A setting of the firmware that
  /// stands there is an error, as in any other table.
  static func readFleet(_ root: TOMLTable, into kiosk: inout KioskSettings) throws(FileError) {
    let faults = TOMLFaults()
    var fleetRoot = root
    fleetRoot.faults = faults
    let read = try fleetRoot.attempt { [fleetRoot] () throws(FileError) in try fleet(fleetRoot) }
    kiosk.fleet = read ?? kiosk.fleet
    let table = try fleetRoot.table("fleet")
    let misplaced = (table?.entries ?? []).compactMap { table?.misplaced($0.key) }
    for fault in misplaced { try root.keep(fault) }
    kiosk.fleetFaults = faults.errors.filter { !misplaced.contains($0) }
    for fault in kiosk.fleetFaults { root.warn(fault) }
  }

  static func fleet(_ root: TOMLTable) throws(FileError) -> FleetSettings {
    guard let table = try root.table("fleet") else { return FleetSettings() }
    try table.allowOnly(["broker", "user", "password", "id", "name", "groups", "tell_only"])
    let (user, password) = (try table.optional("user", .text), try table.optional("password", .secret))
    if table.has("user") != table.has("password") {
      try table.keep(table.error("user", "expected user and password together"))
    }
    let group = TOMLShape.fleetName(FleetName.rule, FleetName.isGood)
    return FleetSettings(
      broker: try table.optional("broker", .broker),
      login: user.flatMap { user in password.map { FleetSettings.Login(user: user, password: $0) } },
      id: try table.optional("id", .fleetName("\(FleetName.rule), neither all nor group", FleetName.isID)),
      name: try table.optional("name", .text),
      groups: try table.optional("groups", .array(of: group, expected: "an array of names of \(FleetName.rule)")) ?? [],
      tellsOnly: try table.optional("tell_only", .boolean) ?? false)
  }
}

extension TOMLShape where Value == BrokerAddress {
  fileprivate static let broker = Self(type: "a text,", expected: BrokerAddress.rule) { value in
    guard case .string(let text) = value.kind else { return .wrongType }
    // The text before an @ may be a password.
    if text.contains("@") { return .bad("found a user or a password, which have lines of their own", line: value.line) }
    return BrokerAddress(text).map { .good($0) } ?? .bad("found \(value.found)", line: value.line)
  }
}

extension TOMLShape where Value == String {
  /// A text that no error quotes, because errors go into logs and onto screens.
  fileprivate static let secret = Self(type: "a text", expected: "a text in quotes") { value in
    guard case .good(let text) = TOMLShape.text.read(value) else {
      // A line break would begin another line of the broker's settings.
      return .bad("found no text, an empty one or a control character", line: value.line)
    }
    return .good(text)
  }

  fileprivate static func fleetName(_ expected: String, _ isGood: @escaping @Sendable (String) -> Bool) -> Self {
    Self(type: "a name of", expected: expected) { value in
      guard case .string(let name) = value.kind else { return .wrongType }
      return isGood(name) ? .good(name) : .bad("found \(value.found)", line: value.line)
    }
  }
}
