import AudioSession

/// One line typed on the console (K7).
enum ConsoleCommand: Hashable, Sendable {
  case status
  case play
  case stop
  case next
  case previous
  case volume(Int)
  /// nil: `route auto`.
  case route(Port?)
  case help

  struct Invalid: Error, Hashable {
    var message: String
  }

  static let helpText = """
    status         what plays, where and how loud
    play           play, or pause what plays, as the button does
    stop           stop and return to the start of the track
    next           next track
    previous       start of this track, or the track before
    volume N       volume of the current port, 0 to 100
    route PORT     force the route; route auto lets the best port win again
    help           this list
    """

  init(parsing line: String) throws(Invalid) {
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let verb = words.first else { throw Invalid(message: "empty command, try help") }
    switch (verb, words.count) {
    case ("status", 1): self = .status
    case ("play", 1): self = .play
    case ("stop", 1): self = .stop
    case ("next", 1): self = .next
    case ("previous", 1): self = .previous
    case ("help", 1): self = .help
    case ("volume", 2):
      guard let volume = Int(words[1]), (0...100).contains(volume), words[1].allSatisfy(\.isWholeNumber) else {
        throw Invalid(message: "volume \(words[1]): expected a whole number from 0 to 100")
      }
      self = .volume(volume)
    case ("route", 2):
      guard let port = Port(rawValue: words[1]) else {
        guard words[1] == "auto" else {
          let ports = Port.allCases.map(\.rawValue).joined(separator: ", ")
          throw Invalid(message: "route \(words[1]): expected auto or one of \(ports)")
        }
        self = .route(nil)
        return
      }
      self = .route(port)
    case ("cue", _): throw Invalid(message: "cue: cues are not built yet")
    case ("volume", _): throw Invalid(message: "volume: expected one number from 0 to 100")
    case ("route", _): throw Invalid(message: "route: expected one port, or auto")
    case ("status", _), ("play", _), ("stop", _), ("next", _), ("previous", _), ("help", _):
      throw Invalid(message: "\(verb): expected nothing after it")
    default:
      throw Invalid(
        message: "\(verb): unknown command, expected status, play, stop, next, previous, volume, route or help")
    }
  }
}
