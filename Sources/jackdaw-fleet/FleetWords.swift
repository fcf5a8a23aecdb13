import AudioSession
import Files
import FleetMessages
import JSON

/// The words of the command line, read and checked.
struct FleetWords {
  struct Failure: Error { var message: String }

  /// Options with a value, and those without.
  private static let valued = [
    "run": ["id", "settings", "broker", "control", "look", "versions"],
    "setup": ["id", "settings", "broker", "ca", "cert", "key", "boards", "socket"],
  ]
  private static let flags = ["run": ["direct"], "setup": []]

  let command: String
  private var values: [String: String] = [:]

  init(_ words: ArraySlice<String>) throws(Failure) {
    let isHelp = words.contains { $0 == "--help" || $0 == "-h" }
    command = isHelp ? "help" : words.first ?? "help"
    if ["help", "--version"].contains(command) { return }
    guard let valued = Self.valued[command], let flags = Self.flags[command] else {
      throw Failure(message: "unknown command \(Wording.quoted(command)), expected run or setup")
    }
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = String(parts[0].dropFirst(2))
      guard word.hasPrefix("--"), (valued + flags).contains(name) else {
        let known = (valued + flags + ["help"]).map { "--\($0)" }
        throw Failure(message: "unknown option \(Wording.quoted(word)), expected \(Wording.list(known))")
      }
      if flags.contains(name) {
        values[name] = ""
      } else {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw Failure(message: "--\(name) has no value")
        }
        values[name] = value
      }
    }
  }

  /// The last value of an option.
  subscript(name: String) -> String? { values[name] }

  /// `[fleet]` of the settings; nil where there are none.
  func fleet() throws(Failure) -> JSONValue? {
    try (self["settings"] ?? FleetPlaces.settings).map(FleetSettingsReader.read)
  }

  /// Who the board is: as `--id` says, else the settings' table `[fleet]`, else its serial number.
  func options(_ fleet: JSONValue?) throws(Failure) -> FleetOptions {
    let given = self["id"] ?? fleet?["id"]?.string ?? FleetPlaces.serialNumber
    guard let id = given ?? FleetPlaces.hostName else {
      throw Failure(message: "the device tree has no serial number, expected --id ID")
    }
    if given == nil, self["direct"] == nil {
      // Boards are in service that are called so.
      FleetOutput.note(
        "this board has no serial number and is called as its host, \(id): a copy of its card would be called the same, "
          + "and each would push the other off the broker; expected id in [fleet] of the settings")
    }
    guard FleetName.isID(id) else {
      throw Failure(message: "id \(Wording.quoted(id)): expected \(FleetName.rule), neither all nor group")
    }
    var options = FleetOptions(id: id, name: fleet?["name"]?.string)
    options.groups = fleet?["groups"]?.strings ?? []
    options.tellsOnly = fleet?["tell_only"]?.bool ?? false
    options.isDirect = self["direct"] != nil
    options.canLook = self["look"] != nil
    options.version = Product.version
    return options
  }

  /// What `setup` writes.
  func bridge(_ fleet: JSONValue?) throws(Failure) -> BridgeFile {
    guard let broker = self["broker"] ?? fleet?["broker"]?.string else {
      throw Failure(message: "there is no broker, expected broker in [fleet] of the settings, or --broker")
    }
    guard let address = BrokerAddress(broker) else {
      throw Failure(message: "broker \(Wording.quoted(broker)): expected \(BrokerAddress.rule)")
    }
    var file = BridgeFile(host: address.host, socket: self["socket"] ?? FleetPlaces.broker)
    file.port = address.port
    (file.user, file.password) = (fleet?["user"]?.string, fleet?["password"]?.string)
    (file.ca, file.certificate, file.key) = (self["ca"], self["cert"], self["key"])
    if address.isEncrypted, file.ca == nil {
      throw Failure(message: "broker \(Wording.quoted(broker)): is encrypted, expected --ca")
    }
    if !address.isEncrypted, let given = ["ca", "cert", "key"].first(where: { self[$0] != nil }) {
      throw Failure(message: "broker \(Wording.quoted(broker)): is not encrypted, and takes no --\(given)")
    }
    if let boards = self["boards"] { file.boards = try Self.number(boards, "--boards", in: 1...100_000) }
    if (file.certificate == nil) != (file.key == nil) { throw Failure(message: "--cert and --key go together") }
    for text in [file.socket] + [file.ca, file.certificate, file.key].compactMap({ $0 }) {
      if text.isEmpty || text.contains(where: { $0.isWhitespace }) {
        throw Failure(message: "\(Wording.quoted(text)): expected a name without blanks")
      }
    }
    return file
  }

  private static func number(_ text: String, _ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Failure(
        message: "\(name) \(Wording.quoted(text)): expected a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
