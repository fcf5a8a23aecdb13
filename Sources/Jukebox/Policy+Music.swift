import AudioSession

/// What becomes of the music, and what that means for the others.
extension Jukebox {
  /// Has the player do something, and follows what comes of it.
  mutating func music(_ turn: inout Turn, _ act: (inout MusicPlayer, inout MusicTurn) -> Void) {
    var music = MusicTurn(now: turn.now)
    act(&player, &music)
    for fact in music.facts { follow(fact, &turn) }
  }

  private mutating func follow(_ fact: MusicFact, _ turn: inout Turn) {
    turn.log(fact, at: routes.route)
    switch fact {
    case .wanted(let reopens):
      claimSession(&turn)
      if reopens && player.transport.outputLoss != nil { turn.append(.audio(.reopen)) }
      music(&turn) { $0.compare(&$1) }
    case .ended: visit.noteEnd(until: endOfGap(from: turn.now))
    case .command(let command): turn.append(.audio(command))
    case .count(let counted): turn.append(.count(counted))
    case .list: turn.append(.listMusic)
    case .playback, .trackStarted, .trackEnded, .trackFailed, .queueEnded, .queueMoved, .sought, .playlistChanged,
      .choiceFailed, .promptShown, .promptAnswered, .storageLost, .storageRestored, .libraryChanged, .libraryEmpty,
      .folderMissing, .folderFound:
      break
    }
  }

  mutating func play(_ turn: inout Turn) { music(&turn) { [selection] in $0.play(selected: selection, &$1) } }

  /// Stop ends the recording if one runs, else the music and the cue.
  mutating func stop(_ turn: inout Turn) {
    if recording.since != nil { return follow(recording.stop(.user), &turn) }
    follow(cues.stop(), &turn)
    music(&turn) { $0.stop(&$1) }
  }

  /// As the next visitor should find it: stopped, at the start of the queue, at start volumes (V2, Q4, K8).
  mutating func returnToStart(because cause: ResetCause, _ turn: inout Turn) {
    music(&turn) { $0.resolveLoss(answer: nil, &$1) }
    resetVolumes(of: routes.ports, because: cause, &turn)
    music(&turn) { [selection] in $0.returnToStart(because: cause, selected: selection, &$1) }
  }

  /// The playlist that the selectors name; nil: none.
  var selection: String? {
    var released: String?
    for line in configuration.lines {
      guard case .selector(let name, let otherwise) = line.role else { continue }
      if lines.isAsserted(line.name) { return name }
      released = released ?? otherwise
    }
    return released
  }

  /// What was heard until now counts in what is shown.
  mutating func replyStatistics(_ form: StatisticsForm, _ turn: inout Turn) {
    music(&turn) { $0.reportHeard(&$1) }
    turn.append(.replyStatistics(form))
  }

  func count(_ board: BoardCount, _ turn: inout Turn) { turn.append(.count(.board(board))) }

  // MARK: - Volume

  /// Puts volumes back to their start, whether or not their ports are there.
  mutating func resetVolumes(of ports: [OutputPort], because cause: ResetCause, _ turn: inout Turn) {
    for port in ports.map(\.port) {
      let (old, new) = volumes.reset(port)
      if old != new { logVolume(of: port, from: old, cause: .reset(cause), &turn) }
    }
  }

  /// Returns false when the volume is at the end of its range.
  mutating func changeVolume(by step: Int, _ turn: inout Turn) -> Bool {
    guard let port = routes.route.port else { return false }
    return setVolume(volumes.volume(of: port) + step, &turn) != nil
  }

  /// Sets the current port's volume. Returns the new volume, or nil when nothing changed.
  mutating func setVolume(_ volume: Int, _ turn: inout Turn) -> Int? {
    guard let port = routes.route.port else { return nil }
    let (old, new) = volumes.set(volume, for: port)
    guard old != new else { return nil }
    logVolume(of: port, from: old, cause: nil, &turn)
    return new
  }

  func logVolume(of port: Port, from old: Int, cause: VolumeCause?, _ turn: inout Turn) {
    turn.log(
      .volumeChanged, .info,
      [
        "port": port.rawValue, "volume": String(volumes.volume(of: port)), "from": String(old),
        "cause": cause?.logged,
      ])
  }
}
