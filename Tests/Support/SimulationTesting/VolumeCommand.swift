import AudioSession
import Jukebox

/// What `volume` at the console has to change (K7.1, R13).
struct VolumeCommand {
  private let port: Port
  private let word: String

  /// - Parameter words: the command; nil for any other one.
  init?(_ words: [Substring], route: Port?) {
    guard words.first == "volume", let word = words.last else { return nil }
    guard let port = words.count == 3 ? Port(rawValue: String(words[1])) : route else { return nil }
    (self.port, self.word) = (port, String(word))
  }

  /// Checks the line of what it changes.
  func check(_ event: Event, ports: [OutputPort]) -> Mismatch? {
    guard let number = Int(word), let from = event["from"].flatMap({ Int($0) }) else { return nil }
    let isStep = word.hasPrefix("+") || word.hasPrefix("-")
    let ceiling = ports.first { $0.port == port }?.ceiling ?? 100
    let expected = max(0, min(isStep ? from + number : number, ceiling))
    if event["port"] == port.rawValue && event["volume"] == String(expected) { return nil }
    return Mismatch("K7.1", "the volume of \(port.rawValue) was to be \(expected)")
  }
}
