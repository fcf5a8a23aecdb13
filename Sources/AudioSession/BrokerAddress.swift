/// Where a fleet's broker is, as settings and command line write it: `mqtts://HOST[:PORT]` or `mqtt://HOST[:PORT]`, as in
/// URLs of MQTT.
public struct BrokerAddress: Hashable, Sendable {
  /// The rule, as errors quote it.
  public static let rule = "mqtts://HOST or mqtt://HOST, which is not encrypted, with :PORT behind it if need be"

  public let isEncrypted: Bool
  public let host: String
  public let port: Int

  /// nil where `text` is none.
  public init?(_ text: String) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(words.count), ["mqtts", "mqtt"].contains(words[0]), words[1].hasPrefix("//")
    else { return nil }
    isEncrypted = words[0] == "mqtts"
    host = String(words[1].dropFirst(2))
    let usual = isEncrypted ? 8_883 : 1_883
    guard Self.isHost(host), let port = words.count == 3 ? Int(words[2]) : usual, (1...65_535).contains(port),
      words.count == 2 || words[2].first != "+"
    else { return nil }
    self.port = port
  }

  /// A name or an address of IPv4.
  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0 == "." || FleetName.isGood(String($0)) }
  }

  public var text: String { "\(isEncrypted ? "mqtts" : "mqtt")://\(host):\(port)" }
}
