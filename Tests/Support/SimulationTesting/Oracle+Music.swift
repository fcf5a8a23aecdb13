import AudioSession
import Jukebox
import Simulator

/// Music that changes, and its storage (X1, X4).
extension Oracle {
  /// What is decoded when the storage fails is heard before the loss, and a lost one is tried again: no later than this.
  private static let decoded = Duration.seconds(20)
  private static let retry = Duration.seconds(32)

  func changeMusic(_ change: MusicChange) {
    music.apply(change, at: now)
    noteMusicOfContact()
    followMusic()
  }

  /// The queue is of what is listed, and of that only plays what is still there.
  func followMusic() {
    playlists.take(listed: music.listed, present: music.present)
    persistence.numbers = playlists.numbers
    persistence.absent = playlists.absent
    persistence.files = music.all
    if hasOrder { logChecker.change(to: playlists.playable) }
  }

  func applyMusic(_ event: Event) {
    // Stopped music is at the start.
    if event.name == .playbackStopped { music.stands = (0, now) }
    let frame = event["frame"].flatMap { Int($0) }
    if [.playbackPaused, .playbackMoved, .storageLost].contains(event.name), let frame { music.stands = (frame, now) }
    switch event.name {
    case .libraryChanged:
      demand(music.take(event, at: now))
      noteMusicOfContact()
      followMusic()
      // X6.2: what was chosen of a guess is chosen of the music.
      if let name = music.awaited { choose(name) }
      music.awaited = nil
    case .queueMoved: if event["reason"] == "removed" { fall(event) } else { goBack(event) }
    case .storageLost:
      demand(music.turnedAt != nil, "X4", "the storage is lost, and never failed")
      intentModel.isStorageLost = true
      lostAt = now
      music.ranDryAt = nil
    case .trackFailed:
      // A failure of the storage is not a fault of the file.
      let isBad = event["file"].map { TestMusic.frames(of: $0) == nil || !music.present.contains($0) } ?? true
      demand(isBad, "X4", "\(event["file"] ?? "") has failed, and can be played")
      let isDoubtful = event["file"].map(music.doubtful.contains) ?? false
      demand(!isDoubtful, "X6.1", "\(event["file"] ?? "") has failed, and was not listed since power on")
    case .storageRestored:
      demand(intentModel.isStorageLost && !music.isFailing, "X4", "the storage is not restored")
      intentModel.restoreStorage()
    case .trackStarted, .playbackMoved, .playbackStopped, .playlistChanged, .promptExpired, .visitEnded:
      music.sought = nil
      if event.name == .playbackMoved || event.name == .playbackStopped { music.awaited = nil }
    case _: if countsAsUse(event) { music.sought?.isCertain = false }
    }
  }

  /// The file of the place is gone, and nobody listens to it.
  private func fall(_ event: Event) {
    // The end of a visit goes to the start of the queue, which may be gone.
    let former = visit.endedAt == now ? event["from"] : file
    demand(event["from"] == former, "X1", "it moves from \(event["from"] ?? "none"), where it was not")
    demand(former.map(music.listed.contains) != true, "X1", "it moves away from a file that is there")
    // X6.1: what was not there when it was wanted was heard by nobody.
    let isDisproved = music.listedAt == now && former.map(music.disproved.contains) == true
    demand(intentModel.intent != .playing || intentModel.isStorageLost || isDisproved, "X1", "the listener is cut")
    let isNew = event["file"].map(music.added.contains) ?? false
    let isNext = !hasOrder || isNew || event["file"] == former.flatMap(playlists.heir)
    demand(isNext && event["frame"] == "0", "X1", "it falls to frame \(event["frame"] ?? "") of \(event["file"] ?? "")")
    // A second one that goes, too, is not a place that anybody has chosen.
    if let sought = music.sought {
      if !sought.isCertain { music.sought?.file = nil }
    } else {
      let told = music.stands.flatMap { $0.at == now ? $0.frame : nil }
      music.sought = MusicModel.Sought(file: former, frame: told ?? lastScene?.status?.frame ?? 0, isCertain: true)
    }
    file = event["file"]
    // A place that was sought in this instant, in the file that is gone, is kept with it.
    self.sought = nil
    playingSince = nil
  }

  /// The file is back.
  private func goBack(_ event: Event) {
    guard let sought = music.sought else { return demand(false, "X1", "it goes elsewhere by itself") }
    music.sought = nil
    let isThere = event["file"].map(music.listed.contains) == true
    demand(isThere && (sought.file ?? event["file"]) == event["file"], "X1", "\(event["file"] ?? "") was not left")
    let frame = event["frame"].flatMap { Int($0) } ?? -1
    let doubt = Duration.milliseconds(60).frames(rate: kiosk.board.rate)
    let isExact = sought.file == nil || abs(frame - sought.frame) <= doubt
    demand(isExact, "X1", "it goes back to frame \(frame), and was at \(sought.frame)")
    if sought.file == nil { isIntentOpen = true }
    file = event["file"]
    playingSince = nil
  }

  /// The place comes back, unless its file is gone, or it is of another playlist than a selector names.
  func restorePlace(_ event: Event) {
    let track = event["track"].flatMap { Int($0) }.flatMap(playlists.file)
    if event["chosen"] == "true" { logChecker.restore(choice: track) }
    guard track == nil else { return }
    demand(
      selectedPlaylist != nil || persistence.mayBeAbsent || kiosk.settings.settings.shuffle, "W1", "the place is lost")
    music.sought = MusicModel.Sought(isCertain: false)
    persistence.isSelected = true
  }

  /// A track without a number in the library is heard to its end, and then forgotten.
  func checkMusic(_ status: Status) {
    music.settle(at: now, awakeSince: wokeAt)
    demand(!music.isOverdue(at: now, awakeSince: wokeAt), "X1", "files came or went, and nothing is listed")
    let isWanted = intentModel.intent == .playing && !intentModel.isStorageLost
    unwantedSince = isWanted ? nil : unwantedSince ?? now
    let isGone = status.file.map { !music.listed.contains($0) } ?? false
    if isGone, let unwantedSince {
      let since = max(unwantedSince, wokeAt ?? unwantedSince, music.listedAt)
      demand(now <= since + .seconds(1), "X1", "it stands at \(status.file ?? ""), which is gone")
    }
    if let sought = music.sought, sought.isCertain, sought.file.map(music.listed.contains) == true {
      demand(isWanted, "X1", "\(sought.file ?? "") is back, and the place is not")
    }
    checkStorage()
  }

  /// Whether what was decoded may end, because the storage fails or has failed shortly before.
  var mayRunDry: Bool { music.isFailing || (music.turnedAt.map { now < $0 + Self.decoded } ?? false) }

  private func checkStorage() {
    guard let since = latest(music.turnedAt, wokeAt) else { return }
    if music.isFailing, intentModel.isAudible, let playingSince {
      demand(now < max(since, playingSince) + Self.decoded, "X4", "it plays on, though the storage has failed for long")
    }
    let isReleased = !intentModel.interruptions.isEmpty && kiosk.settings.settings.interruptionPolicy == .recreate
    if isReleased { lostAt = now }
    if !music.isFailing && intentModel.isStorageLost && !isReleased {
      demand(now < max(since, lostAt) + Self.retry, "X4", "the storage works again, and still counts as lost")
    }
  }
}
