import AudioSession

/// When the sleep timer ends the music, and who ends the timer (H5).
extension Jukebox {
  mutating func obey(_ request: SleepRequest, _ turn: inout Turn) {
    switch request {
    case .after(let time): sleep.set(for: time, at: turn.now)
    case .behindTrack: sleep.setBehindTrack()
    case .off:
      if sleep.ending != nil { endSleep(.off, &turn) }
      return
    }
    noteSleep(&turn)
  }

  /// Each press of the button puts the end off.
  mutating func pressedSleep(_ turn: inout Turn) {
    sleep.postpone(by: configuration.settings.sleepStep, at: turn.now)
    noteSleep(&turn)
  }

  private mutating func noteSleep(_ turn: inout Turn) {
    player.endsBehindTrack(sleep.ending == .behindTrack)
    let left = sleep.due.map { ($0 - turn.now).logSeconds }
    turn.log(.sleepSet, .info, ["in": left, "behind": left == nil ? "track" : nil])
  }

  /// The time has come, or the fade is over.
  mutating func sleepTimerFired(_ turn: inout Turn) {
    if player.transport.intent != .playing {
      // No card lies there, and the next one is a new beginning.
      liftedCard?.file = nil
      endSleep(.time, &turn)
    } else if !sleep.isFading, player.transport.isAudible, let mark = sleepMark(at: turn.now) {
      sleep.beginFade(mark, at: turn.now)
      turn.log(.sleepFading, .info, ["frame": String(mark.frame), "over": SleepTimer.fade.logSeconds])
    } else {
      withPlayer(&turn) { [mark = sleep.mark] in $0.fallAsleep(at: mark, &$1) }
    }
  }

  private func sleepMark(at now: Instant) -> SleepTimer.Mark? {
    player.queue.track.map {
      SleepTimer.Mark(track: $0, frame: player.frame(at: now), request: player.requests.playing?.number)
    }
  }

  /// Somebody is awake and does something. Returns whether the music was heard to fade: who would pause it then only
  /// brings it back.
  mutating func stayAwake(_ turn: inout Turn) -> Bool {
    guard sleep.isFading else { return false }
    sleep.beginAnew(at: turn.now)
    noteSleep(&turn)
    turn.wasFading = mayBeHeard
    return turn.wasFading
  }

  /// What a button does besides waking the timer would pause the music that it has brought back (H5.3).
  func onlyWakes(_ button: Button) -> Bool { button == .play || button.choice.map(playsAlready) ?? false }

  /// The same of a command.
  func onlyWakes(_ command: ConsoleCommand) -> Bool {
    switch command {
    case .music(.play): true
    case .music(.track(let name)): playsAlready(.track(name))
    case .music(.playlist(nil)): playsAllAlready
    case .music(.playlist(.some(let name))): playsAlready(.playlist(name))
    case .music(.playlistStep(let step)): player.playlist(step).map { playsAlready(.playlist($0)) } ?? false
    // What is heard most is not known yet.
    case .music(.popular), .music(.start), .question, .transport, .sound, .setting: false
    }
  }

  /// The timer has paused the music.
  mutating func fellAsleep(_ turn: inout Turn) {
    if let ending = sleep.ending { endSleep(ending == .behindTrack ? .track : .time, &turn) }
  }

  /// After every input: without music there is nothing to end, nor where the day is over, and a request that has ended does
  /// not come back.
  mutating func settleSleep(_ turn: inout Turn) {
    let isOver = isSilentForGood || hours.phase == .closed && !hours.isSilenced
    if sleep.ending != nil && isOver { endSleep(.silent, &turn) }
    if let former = sleep.mark, former.request != player.requests.playing?.number, let mark = sleepMark(at: turn.now) {
      sleep.move(to: mark)
    }
  }

  /// Somebody has silenced the music otherwise than by a card, in whose place the next one is laid (L3, L5).
  private var isSilentForGood: Bool {
    switch player.transport.intent {
    case .playing: false
    case .paused: liftedCard == nil
    case .stopped: true
    }
  }

  private mutating func endSleep(_ end: SleepEnd, _ turn: inout Turn) {
    sleep.end()
    player.endsBehindTrack(false)
    turn.log(.sleepEnded, .info, ["reason": end.rawValue])
  }
}
