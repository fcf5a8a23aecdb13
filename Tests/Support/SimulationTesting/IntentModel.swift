import AudioSession
import Jukebox

/// What the listener wants and what holds it back, as the contract says, from the presses, commands and plugs so far.
struct IntentModel {
  struct Doubt {
    var from: Port
    var since: Instant
  }

  struct Loss {
    var from: Port
    var since: Instant
    /// The prompt is shown until it is answered or a plug returns (Q4).
    var isPromptShown = true
  }

  /// A wireless port on which music goes on that an unplug held, until it has sounded there for long enough (B2).
  struct Trial {
    var port: Port
    var since: Instant
    /// What holds again where the port fails before.
    var loss: Loss
  }

  let settings: Settings
  var intent = Intent.stopped
  /// The contact of the private route's plug is not steady.
  var doubt: Doubt?
  /// That plug was pulled while music was wanted.
  var loss: Loss?
  var trial: Trial?
  var interruptions: Set<String> = []
  var isOutputLost = false
  var isStorageLost = false
  var isRecording = false
  /// It is closed, and all is silent (H1.5).
  var isClosed = false
  /// Since when there is no route, and what was the route before.
  var unsuited: (since: Instant, from: Port?)?
  /// Since when an interruption holds back music that is wanted (I9).
  private(set) var limitedSince: Instant?
  /// A skip that may turn out to end the queue, and whether it plays if it does not.
  private var skipThenPlays: Bool?

  init(settings: Settings) { self.settings = settings }

  var isAudible: Bool { intent == .playing && holds.isEmpty }

  var holds: Set<HoldName> {
    var holds: Set<HoldName> = []
    if doubt != nil || loss != nil { holds.insert(.routeLost) }
    if !interruptions.isEmpty { holds.insert(.interruption) }
    if isOutputLost { holds.insert(.outputUnavailable) }
    if isStorageLost { holds.insert(.storageUnavailable) }
    if unsuited != nil { holds.insert(.noSuitableRoute) }
    if isClosed { holds.insert(.closed) }
    return holds
  }

  /// The same where no plug only moves.
  var steadyHolds: Set<HoldName> {
    var steady = self
    steady.doubt = nil
    return steady.holds
  }

  var state: Status.State {
    switch intent {
    case .stopped: .stopped
    case .paused: .paused
    case .playing: isAudible ? .playing : .paused
    }
  }

  // MARK: - Presses and commands

  /// Returns whether it is a skip.
  mutating func press(_ button: Button, gesture: String?) -> Bool {
    switch (button, gesture) {
    case (.play, nil): play()
    case (.play, "held"): perform(settings.playHeld)
    case (.play, _): perform(settings.playTwice)
    case (.stop, _): stop()
    case (.next, _), (.previous, _): beginSkip(thenPlays: false)
    case (.record, _): isRecording.toggle()
    case (.volumeUp, _), (.volumeDown, _), (.cue, _), (.pair, _), (.sleep, _), (.choose, _): settleSkip()
    }
    return skipThenPlays != nil
  }

  /// A console command that was not refused. Returns whether it is a skip.
  mutating func obey(_ words: [Substring]) -> Bool {
    switch words.first {
    case "play": play()
    case "start": start()
    case "pause": pause()
    case "stop": stop()
    case "next", "previous": beginSkip(thenPlays: false)
    case "record": isRecording.toggle()
    case "seek": seek()
    default: return false
    }
    return skipThenPlays != nil
  }

  private mutating func perform(_ gesture: Settings.GestureAction) {
    switch gesture {
    case .next, .previous: beginSkip(thenPlays: true)
    case .nothing: break
    }
  }

  /// P8, P9, I6.
  private mutating func play() {
    settleSkip()
    limitedSince = nil
    if intent != .playing {
      intent = .playing
    } else if loss != nil {
      loss = nil
    } else if interruptions.isEmpty && !isOutputLost && !isStorageLost && unsuited == nil {
      intent = .paused
      trial = nil
    }
  }

  /// K7.2: what plays, plays on, also while its plug only moves.
  private mutating func start() {
    settleSkip()
    if intent != .playing || !steadyHolds.isEmpty { play() }
  }

  mutating func pause() {
    settleSkip()
    guard intent == .playing else { return }
    intent = .paused
    loss = nil
    trial = nil
  }

  /// T1, T2, T7: one track is asked for by itself. Returns false where it plays already, and that is ignored or pauses.
  mutating func choose(isCurrent: Bool) -> Bool {
    settleSkip()
    if loss?.isPromptShown == true {
      loss = nil
      intent = .paused
      return true
    }
    if isCurrent && intent == .playing && loss == nil {
      switch settings.again {
      case .restart: break
      case .pause:
        intent = .paused
        trial = nil
        return false
      case .ignore: return false
      }
    }
    loss = nil
    limitedSince = nil
    intent = .playing
    return true
  }

  /// T2, T4, T7: a playlist is asked for. Returns false where it plays or waits already, and that is ignored, pauses or
  /// goes on.
  mutating func choosePlaylist(isCurrent: Bool) -> Bool {
    settleSkip()
    if loss?.isPromptShown == true {
      loss = nil
      intent = .paused
      return true
    }
    let isWaiting = isCurrent && settings.again == .pause && intent == .paused && loss == nil
    if !isWaiting { return choose(isCurrent: isCurrent) }
    limitedSince = nil
    intent = .playing
    return false
  }

  /// T6: the place moves, and nothing sounds that did not before.
  private mutating func seek() {
    settleSkip()
    if doubt == nil && loss != nil {
      loss = nil
      intent = .paused
    }
    if intent == .stopped { intent = .paused }
  }

  private mutating func stop() {
    settleSkip()
    if isRecording {
      isRecording = false
      return
    }
    intent = .stopped
    loss = nil
    trial = nil
  }

  private mutating func beginSkip(thenPlays: Bool) {
    settleSkip()
    skipThenPlays = thenPlays
  }

  /// P5: a skip answers the prompt, too, but starts nothing.
  mutating func settleSkip() {
    guard let thenPlays = skipThenPlays else { return }
    skipThenPlays = nil
    // While the plug may be about to be pulled, a skip only changes the track (R3).
    if doubt == nil && loss != nil {
      loss = nil
      intent = .paused
    }
    if thenPlays {
      if intent != .playing { limitedSince = nil }
      intent = .playing
    }
  }

  /// The end of the queue, by itself or by a skip; the prompt's time-out; the idle reset.
  mutating func stopAtEnd() {
    skipThenPlays = nil
    loss = nil
    trial = nil
    intent = .stopped
  }

  // MARK: - Interruptions

  mutating func endInterruption(_ name: String, resumes: Bool) {
    settleSkip()
    interruptions.remove(name)
    endLimit()
    if !resumes { pauseWithoutResume() }
  }

  mutating func restoreOutput() {
    isOutputLost = false
    endLimit()
  }

  mutating func restoreStorage() {
    isStorageLost = false
    endLimit()
  }

  /// The next interruption has a limit of its own, even if it begins in the same instant.
  private mutating func endLimit() { if !isInterrupted { limitedSince = nil } }

  /// The mute line is not an interruption: it has no limit (I9).
  var isInterrupted: Bool { isOutputLost || isStorageLost || interruptions.contains { $0 != "mute" } }

  /// I3, I9.
  mutating func pauseWithoutResume() {
    guard intent == .playing else { return }
    intent = .paused
    loss = nil
    trial = nil
  }

  /// Returns false when an interruption has lasted longer than its limit; time in sleep does not count.
  mutating func checkLimit(at now: Instant) -> Bool {
    let isLimited = intent == .playing && isInterrupted
    limitedSince = isLimited ? limitedSince ?? now : nil
    guard let limitedSince, settings.interruptionLimit > .zero else { return true }
    return now < limitedSince + settings.interruptionLimit + .seconds(1)
  }

  mutating func restartLimit(at now: Instant) { if limitedSince != nil { limitedSince = now } }
}
