import AudioSession
import Jukebox

/// What the listener wants and what holds it back, as the behaviour says; moved by what people and plugs do.
struct Wishes {
  struct Doubt {
    var from: Port
    var since: Instant
  }

  struct Loss {
    var from: Port
    var since: Instant
    /// The prompt stands until somebody answers it, or plugs in again (Q4).
    var isAsked = true
  }

  let settings: Settings
  var wanted = Intent.stopped
  /// The plug of the private route is not steady.
  var doubt: Doubt?
  /// It is out, while music was wanted.
  var loss: Loss?
  var interruptions: Set<String> = []
  var isOutputLost = false
  var isRecording = false
  /// Since when there is no route, and what was the route before.
  var unsuited: (since: Instant, from: Port?)?
  /// Since when somebody else holds back what is wanted (I9).
  private(set) var limitedSince: Instant?
  /// A skip that may turn out to be the end of the queue, and whether it is to play then.
  private var skipThenPlays: Bool?

  init(settings: Settings) { self.settings = settings }

  var isAudible: Bool { wanted == .playing && holds.isEmpty }

  var holds: Set<HoldName> {
    var holds: Set<HoldName> = []
    if doubt != nil || loss != nil { holds.insert(.routeLost) }
    if !interruptions.isEmpty { holds.insert(.interruption) }
    if isOutputLost { holds.insert(.outputUnavailable) }
    if unsuited != nil { holds.insert(.noSuitableRoute) }
    return holds
  }

  var state: Status.State {
    switch wanted {
    case .stopped: .stopped
    case .paused: .paused
    case .playing: isAudible ? .playing : .paused
    }
  }

  // MARK: - People

  mutating func press(_ button: Button, gesture: String?) {
    switch (button, gesture) {
    case (.play, nil): play()
    case (.play, "held"): act(settings.playHeld)
    case (.play, _): act(settings.playTwice)
    case (.stop, _): stop()
    case (.next, _), (.previous, _): begin(skipThenPlay: false)
    case (.record, _): isRecording.toggle()
    case (.volumeUp, _), (.volumeDown, _), (.cue, _): settleSkip()
    }
  }

  /// A command that was obeyed.
  mutating func type(_ words: [Substring]) {
    switch words.first {
    case "play": play()
    case "pause": pause()
    case "stop": stop()
    case "next", "previous": begin(skipThenPlay: false)
    case "record": isRecording.toggle()
    default: break
    }
  }

  private mutating func act(_ gesture: Settings.GestureAction) {
    switch gesture {
    case .next, .previous: begin(skipThenPlay: true)
    case .nothing: break
    }
  }

  /// P8, P9, I6.
  private mutating func play() {
    settleSkip()
    limitedSince = nil
    if wanted != .playing {
      wanted = .playing
    } else if loss != nil {
      loss = nil
    } else if interruptions.isEmpty && !isOutputLost && unsuited == nil {
      wanted = .paused
    }
  }

  private mutating func pause() {
    settleSkip()
    guard wanted == .playing else { return }
    wanted = .paused
    loss = nil
  }

  private mutating func stop() {
    settleSkip()
    if isRecording {
      isRecording = false
      return
    }
    wanted = .stopped
    loss = nil
  }

  private mutating func begin(skipThenPlay: Bool) {
    settleSkip()
    skipThenPlays = skipThenPlay
  }

  /// P5: a skip is a person's will, too, but starts nothing.
  mutating func settleSkip() {
    guard let thenPlays = skipThenPlays else { return }
    skipThenPlays = nil
    // While the plug may be on its way out, a skip only moves the track (R3).
    if doubt == nil && loss != nil {
      loss = nil
      wanted = .paused
    }
    if thenPlays {
      if wanted != .playing { limitedSince = nil }
      wanted = .playing
    }
  }

  /// The queue's end, by itself or by a skip past it; a time-out of the prompt; the idle reset.
  mutating func end() {
    skipThenPlays = nil
    loss = nil
    wanted = .stopped
  }

  // MARK: - Interruptions

  mutating func interruptionEnded(_ name: String, resumes: Bool) {
    settleSkip()
    interruptions.remove(name)
    endLimit()
    if !resumes { pauseForGood() }
  }

  mutating func outputRestored() {
    isOutputLost = false
    endLimit()
  }

  /// Whatever holds it back next has a limit of its own, though it be in the same instant.
  private mutating func endLimit() { if !isInterrupted { limitedSince = nil } }

  /// The mute line is no interruption: it may last as long as it likes (I9).
  var isInterrupted: Bool { isOutputLost || interruptions.contains { $0 != "mute" } }

  /// I3, I9.
  mutating func pauseForGood() {
    guard wanted == .playing else { return }
    wanted = .paused
    loss = nil
  }

  /// False when an interruption has lasted for longer than it may, unless time stood still meanwhile.
  mutating func watchLimit(at now: Instant) -> Bool {
    let isLimited = wanted == .playing && isInterrupted
    limitedSince = isLimited ? limitedSince ?? now : nil
    guard let limitedSince, settings.interruptionLimit > .zero else { return true }
    return now < limitedSince + settings.interruptionLimit + .seconds(1)
  }

  mutating func restartLimit(at now: Instant) { if limitedSince != nil { limitedSince = now } }
}
