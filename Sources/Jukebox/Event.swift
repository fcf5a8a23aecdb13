import AudioSession

/// One decision, which is one line of the event log.
public struct Event: Hashable, Sendable {
  public enum Level: String, Hashable, Sendable, CaseIterable { case debug, info, notice, warn, error }

  public struct Field: Hashable, Sendable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  public var level: Level
  public var name: EventName
  public var fields: [Field]

  public init(_ name: EventName, _ level: Level = .info, _ fields: KeyValuePairs<String, String?> = [:]) {
    self.level = level
    self.name = name
    self.fields = fields.compactMap { key, value in value.map { Field(key: key, value: $0) } }
  }

  /// A command that only asks, which a program may give each second: neither the journal nor the serial line keeps it
  /// (K7.5), and no signal follows it (E8).
  public var isQuestion: Bool { name == .consoleCommand && level == .debug }

  public subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

  /// The whole line without its end: `12.345678 info route.changed reason=override …`. Plain ASCII unless `unicode`.
  public func line(at instant: Instant, unicode: Bool = false) -> String {
    fields.reduce("\(instant.logStamp) \(level.rawValue) \(name.rawValue)") { line, field in
      line + " \(field.key)=\(Event.quoted(field.value, unicode: unicode))"
    }
  }

  /// Bare where the value is one plain word; otherwise quoted, with escapes for all that is not printable ASCII, or with
  /// `unicode` for all that is not plainly visible, so that no tag or file name can forge a line, move a terminal's
  /// cursor or hide in a line.
  static func quoted(_ value: String, unicode: Bool = false) -> String {
    var text = ""
    var isBare = !value.isEmpty
    // A mark at the start would combine with the quote.
    var marks = marksPerLetter
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case " "..."~":
        text.unicodeScalars.append(scalar)
        marks = 0
        if scalar != " " && scalar != "=" { continue }
      case _ where unicode && isVisible(scalar, after: &marks): text.unicodeScalars.append(scalar)
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
      isBare = false
    }
    return isBare ? text : "\"\(text)\""
  }

  /// The most combining marks on one letter; more of them would reach into the lines above and below.
  private static let marksPerLetter = 2

  /// Whether a terminal shows the scalar, which is not ASCII, and nothing else happens.
  /// - Parameter marks: those on the letter before it.
  private static func isVisible(_ scalar: Unicode.Scalar, after marks: inout Int) -> Bool {
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse, .unassigned:
      return false
    case .nonspacingMark, .enclosingMark, .spacingMark:
      marks += 1
      return marks <= marksPerLetter
    default:
      marks = 0
      return true
    }
  }
}

/// The closed vocabulary of the event log.
public enum EventName: String, Hashable, Sendable, CaseIterable {
  case boot
  case routeInitial = "route.initial"
  case routeChanged = "route.changed"
  case portConnected = "port.connected"
  case portDisconnected = "port.disconnected"
  case buttonPressed = "button.pressed"
  case knobTurned = "knob.turned"
  case playbackStarted = "playback.started"
  case playbackPaused = "playback.paused"
  case playbackResumed = "playback.resumed"
  case playbackStopped = "playback.stopped"
  case playbackMoved = "playback.moved"
  case trackStarted = "track.started"
  case trackEnded = "track.ended"
  case trackFailed = "track.failed"
  case choiceFailed = "choice.failed"
  case playlistChanged = "playlist.changed"
  case tokenRead = "token.read"
  case tokenLifted = "token.lifted"
  case tokenUnknown = "token.unknown"
  case queueEnded = "queue.ended"
  case queueMoved = "queue.moved"
  case libraryChanged = "library.changed"
  case libraryEmpty = "library.empty"
  case libraryMissing = "library.missing"
  case libraryFound = "library.found"
  case storageLost = "storage.lost"
  case storageRestored = "storage.restored"
  case volumeChanged = "volume.changed"
  case channelsChanged = "channels.changed"
  case promptShown = "prompt.shown"
  case promptAnswered = "prompt.answered"
  case promptExpired = "prompt.expired"
  case visitBegan = "visit.began"
  case visitEnded = "visit.ended"
  case interruptionBegan = "interruption.began"
  case interruptionEnded = "interruption.ended"
  case sessionActivated = "session.activated"
  case sessionDeactivated = "session.deactivated"
  case sessionRefused = "session.refused"
  case duckBegan = "duck.began"
  case duckEnded = "duck.ended"
  case cueStarted = "cue.started"
  case cueEnded = "cue.ended"
  case cueFailed = "cue.failed"
  case recordingStarted = "recording.started"
  case recordingStopped = "recording.stopped"
  case recordingUnrepaired = "recording.unrepaired"
  case recordingRemoved = "recording.removed"
  case outputLost = "output.lost"
  case outputRestored = "output.restored"
  case outputUnderrun = "output.underrun"
  case outputDeepened = "output.deepened"
  case lineBounced = "line.bounced"
  case lineStuck = "line.stuck"
  case sleepSet = "sleep.set"
  case sleepFading = "sleep.fading"
  case sleepEnded = "sleep.ended"
  case stateSaved = "state.saved"
  case stateRestored = "state.restored"
  case stateUnreadable = "state.unreadable"
  case consoleCommand = "console.command"
  case contentReading = "content.reading"
  case contentInstalled = "content.installed"
  case contentRefused = "content.refused"
  case hoursOpened = "hours.opened"
  case hoursClosed = "hours.closed"
  case hoursUnknown = "hours.unknown"
  case timetableDue = "timetable.due"
  case quietBegan = "quiet.began"
  case quietEnded = "quiet.ended"
  case quietUnknown = "quiet.unknown"
  case requestQueued = "request.queued"
  case requestStarted = "request.started"
  case requestRefused = "request.refused"
  case requestDropped = "request.dropped"
  case creditReturned = "credit.returned"
  case creditsGiven = "credits.given"
  case freePlayBegan = "freeplay.began"
  case freePlayEnded = "freeplay.ended"
  case ledgerFailed = "ledger.failed"
  case ledgerRestored = "ledger.restored"
  case ledgerUnreadable = "ledger.unreadable"
  case coinTaken = "coin.taken"
  case coinRefused = "coin.refused"
  case pairingOpened = "pairing.opened"
  case pairingPaired = "pairing.paired"
  case pairingFailed = "pairing.failed"
  case pairingRefused = "pairing.refused"
  case pairingClosed = "pairing.closed"
  case pairingRemoved = "pairing.removed"
  case headsetCalled = "headset.called"
  case logDropped = "log.dropped"
  case shutdown

  /// Whether the settings may have a cue spoken on it: not on what a cue causes itself, so that it cannot trigger itself.
  /// For events that a cue causes only now and then, `mayTrigger` of the cause decides.
  public var canTriggerCue: Bool {
    switch self {
    case .boot, .portConnected, .portDisconnected, .playbackStarted, .playbackPaused, .playbackResumed,
      .playbackStopped, .trackFailed, .choiceFailed, .tokenUnknown, .queueEnded, .libraryEmpty,
      .libraryMissing, .libraryFound, .storageLost, .storageRestored, .promptShown, .promptAnswered, .promptExpired,
      .visitBegan, .visitEnded, .interruptionEnded,
      .recordingStarted, .recordingStopped, .outputRestored, .lineStuck, .contentReading, .contentInstalled,
      .contentRefused, .pairingOpened, .pairingPaired, .pairingFailed, .pairingClosed, .hoursOpened, .hoursClosed,
      .hoursUnknown, .sessionRefused, .requestQueued, .requestStarted, .requestRefused, .creditReturned,
      .coinTaken, .coinRefused:
      true
    case .routeInitial, .routeChanged, .lineBounced, .buttonPressed, .knobTurned, .playbackMoved, .playlistChanged,
      .tokenRead, .tokenLifted, .trackStarted, .trackEnded, .volumeChanged, .channelsChanged, .queueMoved,
      .libraryChanged,
      .interruptionBegan,
      .sessionActivated,
      .sessionDeactivated, .duckBegan, .duckEnded, .cueStarted,
      .cueEnded, .cueFailed, .recordingUnrepaired, .recordingRemoved, .outputLost, .outputUnderrun, .outputDeepened,
      .timetableDue, .sleepSet, .sleepFading, .sleepEnded, .stateSaved, .stateRestored, .stateUnreadable,
      .consoleCommand,
      .pairingRefused, .pairingRemoved,
      .headsetCalled, .quietBegan, .quietEnded, .quietUnknown, .requestDropped, .creditsGiven, .freePlayBegan,
      .freePlayEnded,
      .ledgerFailed, .ledgerRestored, .ledgerUnreadable, .logDropped, .shutdown:
      false
    }
  }
}

extension Instant {
  /// Seconds since power on with six places, as the log writes them.
  public var logStamp: String {
    let micros = nanoseconds / 1_000
    return "\(micros / 1_000_000)." + String(micros % 1_000_000).zeroPadded(to: 6)
  }
}
