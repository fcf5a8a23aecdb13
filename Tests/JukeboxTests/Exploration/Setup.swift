import AudioSession

@testable import Jukebox

/// What is explored: a board, the owner's settings, and what may happen.
struct Setup {
  let ports: [OutputPort]
  var tracks: Int
  var settings = Settings()
  /// Session clients that a contact brings in.
  var contacts: [String] = []
  var hasMute = false
  /// Whether contacts and the mute line bounce. Nothing but the debouncer, which sense lines have too, reads a line of
  /// theirs that has not settled.
  var hasBouncingContacts = false
  /// How many cues may wait; more are more of the same.
  var mostWaiting = 1
  var buttons: [Button] = [.play]
  var input: InputPort?
  var clients: [SessionClient] = []
  var cues: [Cue] = []
  /// Console commands the operator may give.
  var commands: [String]
  /// Play held and Play twice.
  var hasGestures = false
  /// Buttons are pressed and released edge by edge, and anything may happen in between; but for a press of 15 seconds.
  var hasFingers = false
  /// The system may sleep, and lines move meanwhile, one at a time.
  var hasSleep = false
  /// What the music's category may become.
  var categories: [SessionCategory] = []
  /// The device may go and come back.
  var hasFaults = false
  /// The device may come back in another shape.
  var hasReshapes = false
  /// Files may turn out bad.
  var hasBadFiles = false
  /// Cues may turn out bad.
  var hasBadCues = false
  /// The recorder may fail to begin, or end by itself.
  var hasRecorderFaults = false
  var hasIdleReset = false
  /// How many reports may wait before the engine does more by itself; nil: all are delivered at once.
  var backlog: Int?
  /// Whether reports of an older stream are delivered too, to be ignored.
  var keepsStaleReports = false
  /// Whether the clock runs: timers fire when they are due, and sound gets on by the clock.
  var hasClock = false
  /// Start with something saved, to be gone on with.
  var saved = PowerOn.Saved.nothing

  init(ports: [OutputPort], tracks: Int = 2, commands: [String] = ["play", "stop"], backlog: Int? = nil) {
    self.ports = ports
    self.tracks = tracks
    self.commands = commands
    self.backlog = backlog
    sensedPorts = ports.filter { $0.sense != .always }
  }

  var lines: [Line] {
    let sense = sensedPorts.compactMap { port -> Line? in
      guard case .line(let name) = port.sense else { return nil }
      return Line(name: name, role: .sense)
    }
    let contacts = contacts.map { Line(name: $0.uppercased(), role: .interrupter($0)) }
    let mute = hasMute ? [Line(name: "MUTE", role: .mute)] : []
    return sense + contacts + mute + buttons.map { Line(name: $0.rawValue, role: .button($0)) }
  }

  /// In the order of their lines, which come first of all.
  var sensedPorts: [OutputPort] = []
  var senseLines: Range<Int> { 0..<sensedPorts.count }
  var contactLines: Range<Int> { senseLines.upperBound..<(senseLines.upperBound + contacts.count) }
  /// All that are no buttons.
  var contactAndSenseLines: Range<Int> { 0..<(contactLines.upperBound + (hasMute ? 1 : 0)) }
  var muteLine: Int? { hasMute ? contactLines.upperBound : nil }
  /// The Play button.
  var button: LineID { LineID(contactAndSenseLines.upperBound) }

  var buttonLines: Range<Int> { contactAndSenseLines.upperBound..<(contactAndSenseLines.upperBound + buttons.count) }

  func button(_ line: LineID) -> Button? {
    let index = line.index - contactAndSenseLines.upperBound
    return buttons.indices.contains(index) ? buttons[index] : nil
  }

  /// Whether anybody but the music can have the session.
  var hasSessions: Bool {
    !contacts.isEmpty || hasMute || !cues.isEmpty || categories.contains(.multiRoute)
      || commands.contains { $0.hasPrefix("interrupt") || $0 == "record" }
  }

  /// All session clients that there can be, by name.
  var clientNames: [String] {
    var names = ["music", "cue", "recorder", "page", "mute"]
    let typed = commands.filter { $0.hasPrefix("interrupt") }.compactMap { $0.split(separator: " ").dropFirst(2).first }
    for name in clients.map(\.name) + contacts + typed.map(String.init) + cues.map(\.client)
    where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}

/// One thing that happens.
enum Step: Hashable {
  case edge(Int)
  /// An edge that holds.
  case move(Int)
  case timer(TimerID)
  case command(Int)
  case playHeld
  case playTwice
  case category(SessionCategory)
  case scheduled(Int)
  /// The system slept; these lines, as bits, moved meanwhile.
  case slept(moved: UInt32)
  /// Nanoseconds go by.
  case wait(Int64)
  /// The firmware ends and begins again.
  case reboot
  case saveFails

  /// The oldest report reaches the brain.
  case report
  case decoded
  case undecodable
  case brokeOff
  case heardOut
  case underrun
  case deviceBreaks
  case deviceRepaired
  case deviceReshaped
  case otherBreaks
  case clipBegins
  case clipEnds
  case clipFails

  /// The recorder's oldest report reaches the brain.
  case recorderReport
  case recorderBegins
  case recorderCannot
  case recorderEnds
  case recorderBreaks
}
