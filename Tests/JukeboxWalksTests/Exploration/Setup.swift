import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// What is explored: a board, its settings, and the steps that may happen.
struct Setup {
  var ports = [Explorer.headphones, Explorer.speaker]
  var tracks = 2
  /// The tracks' names, where they lie in folders; else they are numbers.
  var names: [String] = []
  /// The console commands that the operator may give.
  var commands = ["play", "stop"]
  /// Session clients with a contact.
  var contacts: [ClientName] = []
  var hasMute = false
  /// Whether contacts and the mute line bounce. Only the debouncer, which sense lines have too, reads such a line before it
  /// has settled.
  var hasBouncingContacts = false
  /// How many cues may wait; more of them would add nothing new.
  var mostWaiting = 1
  var buttons: [Button] = [.play]
  /// The two playlists that a switch chooses between, the second while it is released.
  var selector: (asserted: String, released: String)?
  /// Whether somebody types at a keypad.
  var hasReader = false
  /// What may be laid on a reader that says so: the numbers of tracks.
  var cards: [String] = []
  var input: InputPort?
  var clients: [SessionClient] = []
  var cues: [Cue] = []
  /// Whether Play is also held and pressed twice.
  var hasGestures = false
  /// Whether buttons are pressed and released edge by edge, with other steps in between; no press lasts 15 seconds.
  var hasButtonEdges = false
  /// Whether the system may sleep, while lines move, one at a time.
  var hasSleep = false
  /// The categories that the music may change to.
  var categories: [SessionCategory] = []
  /// Whether the device may be lost and come back.
  var hasFaults = false
  /// Whether the device of another port takes its time to be opened while something sounds (B1).
  var opensSlowly = false
  /// Whether the device may come back at another rate.
  var hasRateChanges = false
  /// Whether tracks may fail to open.
  var hasBadFiles = false
  /// Whether cues may fail to open.
  var hasBadCues = false
  /// Whether the recorder may fail to begin, or end by itself.
  var hasRecorderFaults = false
  var hasIdleReset = false
  /// Whether it has outputs that follow what is heard, after all other lines.
  var hasSignals = false
  /// How many reports may wait before the engine does more by itself; nil: all are delivered at once.
  var backlog: Int?
  /// Whether reports of an older stream are delivered too, to be ignored.
  var keepsStaleReports = false
  /// Whether the clock runs: timers fire when they are due, and sound advances with the clock.
  var hasClock = false
  /// The saved state at power on.
  var saved = PowerOn.Saved.nothing
  var settings = Settings.explored()

  var lines: [Line] {
    let sense = sensedPorts.compactMap { port -> Line? in
      guard case .line(let name) = port.sense else { return nil }
      return Line(name: name, role: .sense)
    }
    let contacts = contacts.map { Line(name: $0.text.uppercased(), role: .interrupter($0)) }
    let mute = hasMute ? [Line(name: "MUTE", role: .mute)] : []
    let selectors = selector.map { Line(name: "LANG", role: .selector(playlist: $0.asserted, released: $0.released)) }
    return sense + contacts + mute + buttons.map { Line(name: $0.word, role: .button($0)) }
      + [selectors].compactMap { $0 } + (hasSignals ? World.signals : [])
  }

  var readers: [String] { (hasReader ? ["keypad"] : []) + (cards.isEmpty ? [] : ["card"]) }

  /// The ports with a sense line, in the order of their lines, which come before all others.
  var sensedPorts: [OutputPort] { ports.filter { $0.sense != .always } }
  var senseLines: Range<Int> { 0..<ports.count { $0.sense != .always } }
  var contactLines: Range<Int> { senseLines.upperBound..<(senseLines.upperBound + contacts.count) }
  /// All lines except buttons.
  var contactAndSenseLines: Range<Int> { 0..<(contactLines.upperBound + (hasMute ? 1 : 0)) }
  var muteLine: Int? { hasMute ? contactLines.upperBound : nil }
  /// The Play button.
  var button: LineID { LineID(contactAndSenseLines.upperBound) }

  var buttonLines: Range<Int> { contactAndSenseLines.upperBound..<(contactAndSenseLines.upperBound + buttons.count) }

  var selectorLine: Int? { selector == nil ? nil : buttonLines.upperBound }

  func button(_ line: LineID) -> Button? {
    let index = line.index - contactAndSenseLines.upperBound
    return buttons.indices.contains(index) ? buttons[index] : nil
  }

  /// Whether clients other than the music can have the session.
  var hasSessions: Bool {
    !contacts.isEmpty || hasMute || !cues.isEmpty || categories.contains(.multiRoute)
      || commands.contains { $0.hasPrefix("interrupt") || $0 == "record" }
  }

  /// The names of all session clients.
  var clientNames: [ClientName] {
    var names: [ClientName] = ["music", "cue", "recorder", "page", "mute"]
    let typed = commands.filter { $0.hasPrefix("interrupt") }.compactMap { $0.split(separator: " ").dropFirst(2).first }
    let others = clients.map(\.name) + contacts + typed.compactMap { ClientName(String($0)) } + cues.map(\.client)
    for name in others where !names.contains(name) { names.append(name) }
    return names
  }
}

extension Settings {
  /// Without what few explorations are about: it would multiply the states of all others.
  static func explored(resumeWindow: Duration? = nil, promptTimeout: Duration? = nil) -> Settings {
    var settings = Settings()
    settings.visitGap = .zero
    settings.readerRepeat = .zero
    settings.resumeWindow = resumeWindow ?? settings.resumeWindow
    settings.promptTimeout = promptTimeout ?? settings.promptTimeout
    return settings
  }
}

/// One step of an exploration.
enum Step: Hashable {
  case edge(Int)
  /// An edge after which the line settles at once.
  case move(Int)
  case timer(TimerID)
  case command(Int)
  case key(TypedKey)
  /// This card lies on the reader, or none does.
  case card(String?)
  case playHeld
  case playTwice
  case category(SessionCategory)
  /// The time of a cue comes, on this day of January 2026.
  case scheduled(Int, day: Int)
  /// The system slept; these lines, as bits, moved meanwhile.
  case slept(moved: UInt32)
  /// This many nanoseconds pass.
  case wait(Int64)
  /// The firmware shuts down and is started again.
  case reboot
  case saveFails

  /// The oldest report reaches the brain.
  case report
  case decoded
  case undecodable
  /// The decoder comes to the end of the last track, and what is to follow comes too late.
  case endDecoded
  case brokeOff
  case heardOut
  case underrun
  case deviceBreaks
  case deviceRepaired
  case deviceReshaped
  /// The device of the port that the sound moves to is open.
  case deviceOpens
  case otherBreaks
  case cueBegins
  case cueEnds
  case cueFails

  /// The recorder's oldest report reaches the brain.
  case recorderReport
  case recorderBegins
  case recorderCannot
  case recorderEnds
  case recorderBreaks
}
