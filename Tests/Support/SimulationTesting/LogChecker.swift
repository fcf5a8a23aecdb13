import AudioSession
import Jukebox

/// Checks the event log from one power on to the next power cut: in order, well-formed, and nothing logged twice.
struct LogChecker {
  /// What follows a track; nil if that is not known.
  private var order: QueueOrder?
  private let afterTrack: Settings.AfterTrack
  /// Whether the current track was asked for by itself.
  private enum Choice: Equatable {
    case none
    case track(String)
    /// This one was, unless the queue has been elsewhere or was reset since.
    case perhaps(String)
  }
  private var choice = Choice.none
  /// A closed contact keeps it, round and round (O3).
  var isKept = false
  private var lastAt = Instant.powerOn
  private var lastLine = ""
  private var isPromptShown = false
  private var isDucked = false
  private var isSpeaking = false
  private var isRecording = false
  private var isVisited = false
  private var sessions: Set<String> = []
  /// The frame at which playback was paused, unless another place was chosen since.
  private var pausedAt: Int?
  /// The file at whose place the storage was lost.
  private var waitsFor: String?
  /// Somebody has sought it, and nothing of the track was heard since.
  private var isSought = false
  /// When the route changed: a pause in the fade that belongs to the change resumes after the fade.
  private var switchedAt: Instant?
  /// The frames of a fade, and some more.
  private static let fade = 40
  /// How many frames the resume may be off.
  private var tolerance = 1
  /// The frames by which the position of the route's card moves (P15), and those that it plays on before a change is
  /// heard (P14); and those that the card before it played on.
  var card = (step: 0, delay: 0, left: 0)
  /// The frames by which the resume may lie before the pause, because the link of a headset was silent then (B3).
  var kept = 0
  /// How many frames the resume may lie after the pause because of the card.
  private var heardOn = 0
  private var isPlaying = false
  /// Whether the log has named a start, or a restored place, since playback was stopped last.
  private var hasBegun = false
  /// When the duck ended, as long as no cue has begun or ended, and nobody has come, since.
  private var duckEndedAt: Instant?
  private var bouncedAt: Instant?
  /// The track that has just ended by itself (P10).
  private var ended: String?
  /// The output runs at another rate than the board's, or did a moment ago: a frame is then rounded to both rates.
  private var isResampled = false

  init(order: QueueOrder?, afterTrack: Settings.AfterTrack = .next) {
    self.order = order
    self.afterTrack = afterTrack
  }

  /// T1: this track was asked for by itself.
  mutating func choose(_ track: String) {
    choice = .track(track)
    pausedAt = nil
    ended = nil
  }

  /// T2: the choice has paused the track that plays, which goes on where it was.
  mutating func notePausedChoice(_ track: String) { choice = .track(track) }

  /// K8: the kiosk may have been made ready for the next visitor, which the log does not name where playback is stopped
  /// already.
  mutating func noteIdle() {
    if case .track(let track) = choice { choice = .perhaps(track) }
  }

  /// T4: these tracks are the queue from now on.
  /// - Parameter isForTrack: one of them was asked for by itself.
  mutating func enter(_ order: QueueOrder?, isForTrack: Bool) {
    self.order = order
    if !isForTrack { choice = .none }
    pausedAt = nil
    ended = nil
  }

  /// X1: other files are there.
  mutating func change(to playable: [String]) { order?.change(to: playable) }

  /// The choice was saved before power on.
  mutating func restore(choice track: String?) { if let track { choice = .track(track) } }

  func isChosen(_ track: String) -> Bool { choice == .track(track) }

  mutating func check(_ event: Event, at now: Instant) -> Mismatch? {
    let line = event.line(at: now)
    if now < lastAt { return Mismatch("K5", "the log goes back in time: \(line)") }
    if !Self.isWellFormed(line) { return Mismatch("K5", "not a line of the log: \(line)") }
    if line == lastLine && !Self.mayRepeat.contains(event.name) { return Mismatch("K5", "logged twice: \(line)") }
    lastAt = now
    lastLine = line
    return checkChoice(event) ?? checkPairs(event) ?? checkPlayback(event)
  }

  /// Events that may really happen twice at once.
  private static let mayRepeat: Set<EventName> = [
    .consoleCommand, .cueFailed, .sessionRefused, .queueEnded, .trackFailed, .outputUnderrun, .stateSaved,
  ]

  /// `12.345678 info route.changed key=value …`, plain ASCII.
  private static func isWellFormed(_ line: String) -> Bool {
    let bytes = Array(line.utf8)
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return false }
    let words = line.split(separator: " ", maxSplits: 3)
    guard words.count >= 3 else { return false }
    let stamp = words[0].split(separator: ".")
    guard stamp.count == 2, stamp[1].utf8.count == 6, stamp.allSatisfy({ Int($0) != nil }) else { return false }
    guard Event.Level(rawValue: String(words[1])) != nil, EventName(rawValue: String(words[2])) != nil else {
      return false
    }
    return words.count == 3 || words[3].contains("=")
  }

  /// What begins must have ended before, and what ends must have begun.
  private mutating func checkPairs(_ event: Event) -> Mismatch? {
    func flip(_ flag: inout Bool, to value: Bool, _ row: String) -> Mismatch? {
      defer { flag = value }
      return flag == value ? Mismatch(row, "\(event.name.rawValue) twice in a row") : nil
    }
    switch event.name {
    case .promptShown: return flip(&isPromptShown, to: true, "Q1")
    case .promptAnswered, .promptExpired: return flip(&isPromptShown, to: false, "Q4")
    // With the queue's end the prompt is gone.
    case .queueEnded: isPromptShown = false
    case .duckBegan:
      if bouncedAt == lastAt, duckEndedAt != nil {
        return Mismatch("K5", "a duck ended and began again within the bounce of a plug")
      }
      return flip(&isDucked, to: true, "D3")
    case .duckEnded:
      duckEndedAt = lastAt
      return flip(&isDucked, to: false, "D2")
    case .cueStarted:
      duckEndedAt = nil
      return flip(&isSpeaking, to: true, "D1")
    case .cueEnded, .cueFailed:
      duckEndedAt = nil
      isSpeaking = false
    case .lineBounced: bouncedAt = lastAt
    case .recordingStarted: return flip(&isRecording, to: true, "C1")
    case .recordingStopped: isRecording = false
    case .visitBegan: return flip(&isVisited, to: true, "V1")
    case .visitEnded: return flip(&isVisited, to: false, "V2")
    case .sessionActivated:
      duckEndedAt = nil
      if !sessions.insert(event["client"] ?? "").inserted { return Mismatch("S3", "\(event.name.rawValue) twice") }
    case .sessionDeactivated:
      if sessions.remove(event["client"] ?? "") == nil { return Mismatch("S8", "it was not active") }
    case .boot, .routeInitial, .routeChanged, .portConnected, .portDisconnected, .lineStuck, .buttonPressed,
      .knobTurned, .playbackStarted, .playbackPaused, .playbackResumed, .playbackStopped, .playbackMoved, .trackStarted,
      .trackEnded, .trackFailed, .choiceFailed, .playlistChanged, .tokenRead, .tokenUnknown, .queueMoved,
      .libraryChanged, .libraryEmpty, .libraryMissing, .libraryFound, .storageLost, .storageRestored, .volumeChanged,
      .channelsChanged, .interruptionBegan, .interruptionEnded, .sessionRefused, .recordingUnrepaired,
      .recordingRemoved, .outputLost, .outputRestored, .outputUnderrun, .outputDeepened, .sleepSet, .sleepFading,
      .sleepEnded, .stateSaved, .stateRestored, .stateUnreadable, .consoleCommand, .logDropped, .contentReading,
      .contentInstalled, .contentRefused, .pairingOpened, .pairingPaired, .pairingFailed, .pairingRefused,
      .pairingClosed, .pairingRemoved, .headsetCalled, .hoursOpened, .hoursClosed, .hoursUnknown, .timetableDue,
      .freePlayBegan, .freePlayEnded, .ledgerRestored, .tokenLifted, .quietBegan, .quietEnded, .quietUnknown,
      .requestQueued, .requestStarted, .requestRefused, .requestDropped, .creditReturned, .creditsGiven, .ledgerFailed,
      .ledgerUnreadable, .coinTaken, .coinRefused, .shutdown:
      break
    }
    return nil
  }

  /// Playback resumes where it was paused (P3, R5, I2), and neither is logged twice.
  private mutating func checkPlayback(_ event: Event) -> Mismatch? {
    let frame = event["frame"].flatMap { Int($0) }
    switch event.name {
    case .playbackStarted:
      hasBegun = true
      defer { isPlaying = true }
      if isPlaying { return Mismatch("P9", "playback starts, though it runs") }
    case .playbackResumed:
      defer { isPlaying = true }
      if isPlaying { return Mismatch("P3", "playback resumes, though it runs") }
      if !hasBegun { return Mismatch("K5", "playback resumes, and no start was logged") }
      let doubt = tolerance + card.step + (isResampled ? 8 : 0)
      let least = -doubt - kept
      // A place beyond the end of a track whose length nobody knew has turned out to be its start (T6).
      // So has one that ended while something held what follows it (X4, I11).
      if (isSought || ended != nil) && frame == 0 { break }
      if let pausedAt, let frame, !(least...doubt + heardOn).contains(frame - pausedAt) {
        return Mismatch("P3", "it resumes at frame \(frame), and was paused at \(pausedAt)")
      }
    case .playbackPaused:
      isPlaying = false
      // The first line of a pause counts: later ones have the same frame.
      if event["reason"] == "limit" { break }
      pausedAt = frame
      // At an edge the frame is held that was heard then (R3); else what was queued is heard before.
      heardOn = event["cause"] == "route-lost" ? card.left : max(card.delay, card.left)
      // Meanwhile a fade in comes to its end at whose first frame it was paused (R5.1).
      if heardOn > 0 { heardOn += Self.fade }
      tolerance = switchedAt.map { lastAt < $0 + .milliseconds(5) } ?? false ? Self.fade : 1
    case .playbackStopped:
      isPlaying = false
      hasBegun = false
      pausedAt = nil
      ended = nil
    case .playbackMoved:
      pausedAt = isPlaying ? nil : frame
      isSought = true
      tolerance = 1
      ended = nil
    case .trackEnded: ended = event["file"]
    case .storageLost: waitsFor = event["file"]
    case .trackFailed:
      // The file that was waited for is gone from the storage: it goes on with what follows.
      if event["frame"] == nil, let file = event["file"], file == waitsFor { (pausedAt, tolerance) = (0, 1) }
    case .trackStarted:
      pausedAt = nil
      waitsFor = nil
      isSought = false
      defer {
        ended = nil
        order?.noteStart()
      }
      if let ended, let file = event["file"], choice == .none, order?.mayFollow(file, after: ended) == false {
        return Mismatch("P10", "\(file) follows \(ended)")
      }
    case .queueMoved:
      pausedAt = frame
      tolerance = 1
      ended = nil
    case .queueEnded:
      pausedAt = nil
      ended = nil
    case .buttonPressed:
      if event["gesture"] != nil { noteCommand("next") } else { noteCommand(event["button"]) }
    case .consoleCommand: noteCommand(event["command"].flatMap { $0.split(separator: " ").first.map(String.init) })
    case .stateRestored: hasBegun = event["intent"] != Intent.stopped.rawValue
    case .routeChanged:
      switchedAt = lastAt
      if event["reason"] == "route-configuration-change" { isResampled = event["rate"] != nil }
    case .boot, .routeInitial, .portConnected, .portDisconnected, .lineBounced, .lineStuck, .knobTurned, .choiceFailed,
      .playlistChanged, .tokenRead, .tokenUnknown, .libraryChanged, .libraryEmpty, .libraryMissing, .libraryFound,
      .storageRestored, .volumeChanged, .channelsChanged, .promptShown, .promptAnswered, .promptExpired, .visitBegan,
      .visitEnded, .interruptionBegan, .interruptionEnded, .sessionActivated, .sessionDeactivated, .sessionRefused,
      .duckBegan, .duckEnded, .cueStarted, .cueEnded, .cueFailed, .recordingStarted, .recordingStopped,
      .recordingUnrepaired, .recordingRemoved, .outputLost, .outputRestored, .outputUnderrun, .outputDeepened,
      .sleepSet, .sleepFading, .sleepEnded, .stateSaved, .stateUnreadable, .logDropped, .contentReading,
      .contentInstalled, .contentRefused, .pairingOpened, .pairingPaired, .pairingFailed, .pairingRefused,
      .pairingClosed, .pairingRemoved, .headsetCalled, .hoursOpened, .hoursClosed, .hoursUnknown, .timetableDue,
      .freePlayBegan, .freePlayEnded, .ledgerRestored, .tokenLifted, .quietBegan, .quietEnded, .quietUnknown,
      .requestQueued, .requestStarted, .requestRefused, .requestDropped, .creditReturned, .creditsGiven, .ledgerFailed,
      .ledgerUnreadable, .coinTaken, .coinRefused, .shutdown:
      break
    }
    return nil
  }

  /// T3: what follows a track that was chosen.
  private mutating func checkChoice(_ event: Event) -> Mismatch? {
    switch event.name {
    case .trackStarted:
      guard let track = event["file"] else { return nil }
      let isSame = choice == .track(track) || choice == .perhaps(track)
      defer { if !isSame { choice = .none } }
      guard case .track(let chosen) = choice, chosen == ended else { return nil }
      switch isKept ? .repeat : afterTrack {
      case .next: choice = .none
      case .stop: return Mismatch("T3", "\(track) follows \(chosen), which was chosen")
      case .repeat: if !isSame { return Mismatch("T3", "\(track) follows \(chosen), which is to repeat") }
      }
    case .queueEnded:
      if case .track(let chosen) = choice, afterTrack != .next {
        return Mismatch("T3", "the queue ends with \(chosen), which was chosen")
      }
      // Whoever skips beyond the end of a queue of one track is at that track again (T3.1).
      if case .perhaps = choice { break }
      choice = .none
    case .playbackStopped:
      if event["cause"] == "track-ended" && !isKept && (choice == .none || afterTrack == .next) {
        return Mismatch("T3", "it stops behind a track that was not chosen")
      }
      if ["idle", "prompt-expired", "hung-up", "closed"].contains(event["cause"]) { choice = .none }
    case .promptExpired, .visitEnded: choice = .none
    case .queueMoved:
      // If the file of a chosen track comes back, the choice does, too.
      choice = event["reason"] == "returned" ? event["file"].map { .perhaps($0) } ?? .none : .none
    default: break
    }
    return nil
  }

  private mutating func noteCommand(_ word: String?) {
    if case .track(let track) = choice, word == "next" || word == "previous" { choice = .perhaps(track) }
    guard let word, ["next", "previous", "stop"].contains(word) else { return }
    pausedAt = nil
    ended = nil
  }
}
