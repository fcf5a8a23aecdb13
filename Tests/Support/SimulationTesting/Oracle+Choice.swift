import Jukebox

/// What is chosen by itself (T rows).
extension Oracle {
  /// A track was asked for by its number, or by its file's name with or without the ending.
  func choose(_ name: String) {
    let found = playlists.find(name)
    let isAwaited = music.isGuess && found.map { music.doubtful.contains($0.file) } ?? true
    music.awaited = isAwaited && (found == nil || intentModel.loss?.isPromptShown != true) ? name : nil
    guard let (chosen, playlist) = found else { return intentModel.settleSkip() }
    let isElsewhere = playlist != playlists.current
    if isElsewhere {
      playlists.request = PlaylistModel.Request(name: playlist, isFromStart: true, isForTrack: true)
    }
    let isCurrent = chosen == file && !isElsewhere
    // T2: a chosen track that waits goes on, also one that was paused before power on.
    let goesOn =
      isCurrent && kiosk.settings.settings.again == .pause && intentModel.intent == .paused
      && intentModel.loss == nil && logChecker.isChosen(chosen)
    if intentModel.choose(isCurrent: isCurrent) {
      logChecker.choose(chosen)
      if !goesOn { counting.noteLeft() }
      choice = chosen
    }
  }

  func applyToken(_ event: Event) {
    let isGiven = event["reader"] == "console"
    let (mismatch, chosen) = isGiven ? givenTokens.check(event, at: now) : reader.check(event, at: now)
    demand(mismatch)
    switch chosen {
    case .track(let name):
      choice = nil
      choose(name.text)
    case .playlist(let name): choosePlaylist(name)
    case .cue, nil: intentModel.settleSkip()
    }
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

  /// Of a time that workloads type: `1:05` or `2.5s`, with a sign or none.
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
  private func isAt(_ frame: Int, _ status: Status) -> Bool {
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
