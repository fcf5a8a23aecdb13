import SimulationTesting

struct SoakOptions {
  struct Invalid: Error { var message: String }

  /// Simulated hours, at least; the last workload runs to its end.
  var hours = 24
  /// The seed of the first workload; the next ones follow.
  var seed: UInt64
  /// Real seconds after which no further workload begins.
  var seconds = Int.max
  /// A scenario to check instead, and the kiosk to run it on.
  var scenario: String?
  var kiosk = "lobby"

  init(_ words: [String]) throws(Invalid) {
    seed = UInt64.random(in: 1...999_999_999)
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--hours": hours = try Self.number(word, &words)
      case "--seed": seed = UInt64(try Self.number(word, &words))
      case "--seconds": seconds = try Self.number(word, &words)
      case "--kiosk":
        guard let name = words.popFirst(), KioskSetup.names.contains(name) else {
          throw Invalid(message: "--kiosk: expected one of \(KioskSetup.names.joined(separator: ", "))")
        }
        kiosk = name
      case _ where !word.hasPrefix("-") && scenario == nil: scenario = word
      default:
        throw Invalid(message: "\(word): expected --hours N, --seed S, --seconds N, or a scenario and --kiosk NAME")
      }
    }
  }

  private static func number(_ option: String, _ words: inout ArraySlice<String>) throws(Invalid) -> Int {
    guard let word = words.popFirst(), let number = Int(word), number >= 0 else {
      throw Invalid(message: "\(option): expected a whole number")
    }
    return number
  }
}
