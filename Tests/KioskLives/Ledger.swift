import AudioSession
import Jukebox

/// The event log of one power-on time as it must be: in order, well-formed, and nothing told twice.
struct Ledger {
  /// The tracks that can be played, as they follow one another; empty: nobody knows.
  let order: [Int]
  private var lastAt = Instant.powerOn
  private var lastLine = ""
  private var isPromptShown = false
  private var isDucked = false
  private var isSpeaking = false
  private var isRecording = false
  private var sessions: Set<String> = []
  private var stuck: Set<String> = []
  /// Where playback was paused, unless somebody went elsewhere since.
  private var pausedAt: Int?
  /// When the sound went to another port: what is paused in the fade that belongs to it goes on behind the fade.
  private var switchedAt: Instant?
  private var slack = 1
  private var isPlaying = false
  /// Whether the log has told of a start, or of a place that was restored, since playback was stopped last.
  private var hasBegun = false
  /// When the duck ended, as long as no cue has begun or ended since.
  private var duckEndedAt: Instant?
  private var bouncedAt: Instant?
  /// The track that has just ended by itself (P10).
  private var ended: Int?
  /// The output runs at another rate than the board's, or did a moment ago: frames are counted in whole ones of both.
  private var isReshaped = false

  init(order: [Int]) { self.order = order }

  mutating func objection(to event: Event, at now: Instant) -> Objection? {
    let line = event.line(at: now)
    if now < lastAt { return Objection("K5", "the log goes back in time: \(line)") }
    if !Self.isWellFormed(line) { return Objection("K5", "not a line of the log: \(line)") }
    if line == lastLine && !Self.mayRepeat.contains(event.name) { return Objection("K5", "told twice: \(line)") }
    lastAt = now
    lastLine = line
    return pairs(event) ?? playback(event)
  }

  /// What a person or a fault can really do twice at once.
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

  /// What begins must have ended, and the other way about.
  private mutating func pairs(_ event: Event) -> Objection? {
    func turn(_ flag: inout Bool, to value: Bool, _ row: String) -> Objection? {
      defer { flag = value }
      return flag == value ? Objection(row, "\(event.name.rawValue) twice in a row") : nil
    }
    switch event.name {
    case .promptShown: return turn(&isPromptShown, to: true, "Q1")
    case .promptAnswered, .promptExpired: return turn(&isPromptShown, to: false, "Q4")
    // Nothing is left to ask about.
    case .queueEnded: isPromptShown = false
    case .duckBegan:
      if bouncedAt == lastAt, duckEndedAt != nil {
        return Objection("K5", "a duck ended and began again within the bounce of a plug")
      }
      return turn(&isDucked, to: true, "D3")
    case .duckEnded:
      duckEndedAt = lastAt
      return turn(&isDucked, to: false, "D2")
    case .cueStarted:
      duckEndedAt = nil
      return turn(&isSpeaking, to: true, "D1")
    case .cueEnded, .cueFailed:
      duckEndedAt = nil
      isSpeaking = false
    case .lineBounced: bouncedAt = lastAt
    case .recordingStarted: return turn(&isRecording, to: true, "C1")
    case .recordingStopped: isRecording = false
    case .sessionActivated:
      if !sessions.insert(event["client"] ?? "").inserted { return Objection("S3", "\(event.name.rawValue) twice") }
    case .sessionDeactivated:
      if sessions.remove(event["client"] ?? "") == nil { return Objection("S8", "it was not active") }
    case .boot, .routeInitial, .routeChanged, .portConnected, .portDisconnected, .lineStuck, .buttonPressed,
      .playbackStarted, .playbackPaused, .playbackResumed, .playbackStopped, .trackStarted, .trackEnded, .trackFailed,
      .volumeChanged, .interruptionBegan, .interruptionEnded, .sessionRefused, .outputLost,
      .outputRestored, .outputUnderrun, .stateSaved, .stateRestored, .stateUnreadable, .consoleCommand, .logDropped,
      .shutdown:
      break
    }
    return nil
  }

  /// Resumes where it was paused (P3, R5, I2), and neither twice.
  private mutating func playback(_ event: Event) -> Objection? {
    let frame = event["frame"].flatMap { Int($0) }
    switch event.name {
    case .playbackStarted:
      hasBegun = true
      defer { isPlaying = true }
      if isPlaying { return Objection("P9", "playback starts, though it runs") }
    case .playbackResumed:
      defer { isPlaying = true }
      if isPlaying { return Objection("P3", "playback resumes, though it runs") }
      if !hasBegun { return Objection("K5", "playback resumes that was never told to have started") }
      if let pausedAt, let frame, abs(pausedAt - frame) > slack + (isReshaped ? 8 : 0) {
        return Objection("P3", "it resumes at frame \(frame), and was paused at \(pausedAt)")
      }
    case .playbackPaused:
      isPlaying = false
      // The first word counts: what comes later in the same pause has the same frame.
      if event["reason"] == "limit" { break }
      pausedAt = frame
      slack = switchedAt.map { lastAt < $0 + .milliseconds(5) } ?? false ? 40 : 1
    case .playbackStopped:
      isPlaying = false
      hasBegun = false
      pausedAt = nil
      ended = nil
    case .trackEnded: ended = event["track"].flatMap { Int($0) }
    case .trackStarted:
      pausedAt = nil
      defer { ended = nil }
      if let ended, !order.isEmpty, event["track"] != String(follower(of: ended)) {
        return Objection("P10", "track \(event["track"] ?? "none") follows track \(ended)")
      }
    case .queueEnded:
      pausedAt = nil
      ended = nil
    case .buttonPressed:
      if event["gesture"] != nil { leap("next") } else { leap(event["button"]) }
    case .consoleCommand: leap(event["command"].flatMap { $0.split(separator: " ").first.map(String.init) })
    case .stateRestored: hasBegun = event["intent"] != Intent.stopped.rawValue
    case .routeChanged:
      switchedAt = lastAt
      if event["reason"] == "route-configuration-change" { isReshaped = event["rate"] != nil }
    case .boot, .routeInitial, .portConnected, .portDisconnected, .lineBounced, .lineStuck, .trackFailed,
      .volumeChanged, .promptShown, .promptAnswered, .promptExpired, .interruptionBegan, .interruptionEnded,
      .sessionActivated, .sessionDeactivated, .sessionRefused, .duckBegan, .duckEnded, .cueStarted, .cueEnded,
      .cueFailed, .recordingStarted, .recordingStopped, .outputLost, .outputRestored, .outputUnderrun, .stateSaved,
      .stateUnreadable, .logDropped, .shutdown:
      break
    }
    return nil
  }

  private mutating func leap(_ word: String?) {
    guard let word, ["next", "previous", "stop"].contains(word) else { return }
    pausedAt = nil
    ended = nil
  }

  /// The next one in the order of play that can be played.
  private func follower(of track: Int) -> Int {
    guard let place = order.firstIndex(of: track) else { return track }
    return order[(place + 1) % order.count]
  }
}
