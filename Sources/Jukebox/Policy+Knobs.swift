import AudioSession

/// What turning a knob means (G rows).
extension Jukebox {
  mutating func follow(_ facts: [KnobFact], _ turn: inout Turn) { for fact in facts { follow(fact, &turn) } }

  private mutating func follow(_ fact: KnobFact, _ turn: inout Turn) {
    switch fact {
    case .turned(let knob, let steps):
      visited(by: .knob, &turn)
      _ = stayAwake(&turn)
      let use = configuration.knobs[knob.index].use
      if use.choosesMusic { contacts.forgetDelays() }
      let former = place(turnedBy: use, at: turn.now)
      perform(use, steps, &turn)
      knobs.note(knob, from: former, to: place(turnedBy: use, at: turn.now))
      touch(at: turn.now)
    case .ignored:
      visited(by: .knob, &turn)
      touch(at: turn.now)
    case .over(let knob, let over):
      let setup = configuration.knobs[knob.index]
      turn.log(
        .knobTurned, .info,
        [
          "knob": setup.name, "turns": setup.use.word, "from": over.from, "to": over.to, "steps": String(over.steps),
          "ignored": over.ignored?.rawValue,
        ])
    case .stuck(let knob, let edges):
      turn.log(.lineStuck, .warn, ["line": configuration.knobs[knob.index].name, "edges": String(edges)])
    }
  }

  private mutating func perform(_ use: Knob.Use, _ steps: Int, _ turn: inout Turn) {
    // A turn that ends with the hours leaves no place to go on from (H1.3).
    switch use {
    case .track where hours.refuses, .playlist where hours.refuses, .seek where hours.refuses: break
    case .volume(let points): _ = moveVolume(by: steps * (points ?? configuration.settings.volumeStep))
    case .track:
      for _ in 0..<abs(steps) { withPlayer(&turn) { steps > 0 ? $0.next(&$1) : $0.previous(&$1) } }
    case .playlist: turnPlayer(&turn) { $0.selectPlaylist(steps, &$1) }
    case .seek(let time): turnPlayer(&turn) { $0.seek(.by(time * steps), &$1) }
    }
  }

  /// Has the player do something that has one line in the log when the turn is over (G5).
  private mutating func turnPlayer(_ turn: inout Turn, _ act: (inout MusicPlayer, inout MusicTurn) -> Void) {
    var done = MusicTurn(now: turn.now)
    act(&player, &done)
    follow(done.facts.filter { !$0.isLineOfKnob }, &turn)
  }

  private func place(turnedBy use: Knob.Use, at now: Instant) -> String? {
    switch use {
    case .volume: routes.route.port.map { String(volumes.volume(of: $0)) }
    case .track: player.queue.track.flatMap { player.number(of: $0) }
    // Without a playlist, all the music is played.
    case .playlist: player.playlists.current ?? "all"
    case .seek: frame(at: now)
    }
  }
}

extension MusicFact {
  /// Whether the log line of the knob covers it.
  fileprivate var isLineOfKnob: Bool {
    switch self {
    case .moved, .playlistChanged: true
    case .wanted, .ended, .command, .count, .list, .playback, .trackStarted, .trackEnded, .trackFailed, .queueEnded,
      .queueMoved, .choiceFailed, .promptShown, .promptAnswered, .storageLost, .storageRestored, .libraryChanged,
      .libraryEmpty, .folderMissing, .folderFound, .requested, .requestQueued, .requestStarted, .requestEnded:
      false
    }
  }
}

extension Knob.Use {
  /// Whether turning it chooses what is to be heard.
  fileprivate var choosesMusic: Bool {
    switch self {
    case .volume: false
    case .track, .playlist, .seek: true
    }
  }
}
