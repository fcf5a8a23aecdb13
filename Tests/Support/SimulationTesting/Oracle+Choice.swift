import Jukebox

/// What is chosen by itself (T rows).
extension Oracle {
  /// A track was asked for by its number, or by its file's name with or without the ending.
  /// Returns whether it begins; false: it plays already (T2), or is not there.
  @discardableResult
  func choose(_ name: String) -> Bool {
    let found = playlists.find(name)
    let isAwaited = music.isGuess && found.map { music.doubtful.contains($0.file) } ?? true
    music.awaited = isAwaited && (found == nil || intentModel.loss?.isPromptShown != true) ? name : nil
    guard let (chosen, playlist) = found else {
      intentModel.settleSkip()
      return false
    }
    let isElsewhere = playlist != playlists.current
    if isElsewhere {
      playlists.request = PlaylistModel.Request(name: playlist, isFromStart: true, isForTrack: true, file: chosen)
    }
    let isCurrent = chosen == file && !isElsewhere
    // T2: a chosen track that waits goes on, also one that was paused before power on.
    let goesOn =
      isCurrent && kiosk.settings.settings.again == .pause && intentModel.intent == .paused
      && intentModel.loss == nil && logChecker.isChosen(chosen)
    if isCurrent && onlyWakes { return false }
    let wasPlaying = intentModel.intent == .playing
    guard intentModel.choose(isCurrent: isCurrent) else {
      // Music that is paused so is chosen from now on.
      let settings = kiosk.settings.settings
      if wasPlaying && settings.again == .pause && settings.afterTrack == .next {
        logChecker.notePausedChoice(chosen)
        contacts.end(at: now)
      }
      return false
    }
    logChecker.choose(chosen)
    if goesOn {
      noteWord()
    } else {
      counting.noteLeft()
      contacts.end(at: now)
    }
    choice = chosen
    return true
  }

  /// H5.3: what would be paused has its own level again.
  var onlyWakes: Bool {
    guard isHeardToFade, kiosk.settings.settings.again == .pause else { return false }
    intentModel.settleSkip()
    return true
  }

  func applyToken(_ event: Event) {
    let isRefused = refusesVisitors
    let chosen: Choice?
    switch event["reader"] {
    case CardModel.reader: chosen = applyLaid(event)
    case "console": chosen = obeyed(givenTokens.check(event, isRefused: isRefused, at: now))
    case _: chosen = obeyed(reader.check(event, isRefused: isRefused, at: now))
    }
    if chosen != nil { contacts.delays = [:] }
    switch chosen {
    case .track(let name):
      choice = nil
      choose(name.text)
    case .playlist(let name): choosePlaylist(name)
    case .cue, .hours, .popular, nil: intentModel.settleSkip()
    }
  }

  private func obeyed(_ found: (mismatch: Mismatch?, choice: Choice?)) -> Choice? {
    demand(found.mismatch)
    return found.choice
  }

  // MARK: - Seeking

  /// T6: the frame that was asked for, of the track that was heard.
  func applySeek(_ event: Event) {
    guard let time = soughtTime, let from = event["from"].flatMap({ Int($0) }), let file,
      let frame = event["frame"].flatMap({ Int($0) })
    else { return demand(false, "T6", "the place moves, and nobody sought another") }
    soughtTime = nil
    let rate = Double(kiosk.board.rate)
    let step = Int(seconds(time) * rate)
    let wanted = time.hasPrefix("+") ? from + step : time.hasPrefix("-") ? from - step : step
    let length = lastScene?.status?.file == file ? lastScene?.status?.tags.frames : nil
    let expected = max(0, min(wanted, (length ?? .max) - 1))
    demand(frame == expected, "T6", "it moves from \(from) to \(frame), and \(time) is \(expected)")
    sought = frame
    playingSince = nil
  }

  /// The seconds of a time that workloads type: `1:05` or `2.5s`, with a sign or none.
  private func seconds(_ time: String) -> Double {
    let parts = time.filter { $0 != "+" && $0 != "-" && $0 != "s" }.split(separator: ":").compactMap { Double($0) }
    return parts.reduce(0) { $0 * 60 + $1 }
  }

  /// T6: it is there at once, and waits there where nothing sounds.
  func checkSeek(_ status: Status) {
    soughtTime = nil
    guard let sought else { return }
    self.sought = nil
    demand(isAt(sought, status), "T6", "frame \(sought) was sought, and it is at \(status.frame)")
  }

  /// At another rate than the board's, a place is known to a frame.
  func isAt(_ frame: Int, _ status: Status) -> Bool {
    let isResampled = status.route.port.flatMap { probes[$0]?.isResampled } ?? false
    return (frame...(frame + (isResampled ? 1 : 0))).contains(status.frame)
  }

  /// T1: the chosen track is the current one at once, at its start.
  func checkChoice(_ status: Status) {
    file = status.file
    guard let choice else { return }
    self.choice = nil
    // One that cannot be played is left at once (T8).
    guard TestMusic.frames(of: choice) != nil, music.present.contains(choice) else { return }
    demand(status.file == choice, "T1", "\(status.file ?? "none") is the current one, and \(choice) was chosen")
    if kiosk.settings.settings.again == .restart {
      demand(isAt(0, status), "T1", "the chosen track is at frame \(status.frame)")
    }
  }
}
