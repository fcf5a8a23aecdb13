import AudioSession

/// Where in the music its storage failed, and why.
struct StorageFault: Hashable, Sendable {
  var position: Position
  var reason: String
}

/// The hold while the music cannot be read.
///
/// Storage that answers nothing and one block that is bad look alike from one file. Each trial therefore reads at the
/// place of the music; where that fails, another track of the same folder of music, because another folder may be on
/// another storage; and where that can be read, the place once more: if it fails again, the file is to blame.
struct StorageLoss: Hashable, Sendable {
  enum Trial: Hashable, Sendable { case place, other, placeAgain }
  var hold: Hold
  /// How often it was tried again.
  var retries = 0
  /// What is read in the trial at hand, or in the next one.
  var trial = Trial.place
  /// When the next trial begins; nil: one is under way.
  var retryDue: Instant?
}

/// Storage of the music that fails for a moment (X4): it is waited for like a lost output.
extension MusicPlayer {
  /// The decoder cannot read on. What is decoded is heard first; a trial has failed.
  mutating func storageFailed(_ fault: StorageFault, _ turn: inout MusicTurn) {
    guard let loss = transport.storageLoss else { return stream.storageFailed(fault) }
    stream.renew()
    switch loss.trial {
    case .place where otherPlace != nil: transport.storageLoss?.trial = .other
    case .place, .other: waitForStorage(&turn)
    case .placeAgain: blameFile(fault, &turn)
    }
  }

  /// All that was decoded has been heard: playback waits at the next frame.
  mutating func storageLost(_ fault: StorageFault, _ turn: inout MusicTurn) {
    let (track, frame) = (fault.position.track, fault.position.frame)
    // At frame 0 it could not be opened, so that the track before it was heard to its end.
    if stream.hasBegun && frame == 0 {
      countEnd(at: turn.now, &turn)
      if let former = queue.track { turn.append(.trackEnded(heading(of: former))) }
      advance(to: track, isFirst: false, &turn)
      stand(elsewhereAt: frame)
      stream.unload()
    } else {
      advance(to: track, isFirst: true, &turn)
      playhead.stand(at: frame)
      stream.renew()
    }
    turn.append(.storageLost(fault, file: name(of: track)))
    transport.storageLoss = StorageLoss(hold: Hold(since: turn.now, frame: frame))
    compare(after: .paused(.storage), &turn)
    waitForStorage(&turn)
  }

  private mutating func waitForStorage(_ turn: inout MusicTurn) {
    guard let loss = transport.storageLoss else { return }
    transport.storageLoss?.retryDue = turn.now + BackOff.wait(after: loss.retries)
    transport.storageLoss?.retries += 1
    transport.storageLoss?.trial = .place
  }

  /// Tries at once: its time has come, somebody wants music, or has gone elsewhere in it.
  mutating func retryStorage(elsewhere: Bool = false) {
    if elsewhere { transport.storageLoss?.trial = .place }
    transport.storageLoss?.retryDue = nil
  }

  /// After every input: a folder that is missing holds the music that has to wait for it.
  mutating func settleMissingFolder(_ turn: inout MusicTurn) {
    let former = transport.missing
    transport.missing = missingFolder
    if transport.missing == former { return }
    if transport.missing != nil {
      compare(after: .paused(.storage), &turn)
    } else if former == .request && requests.isEmpty && transport.intent == .playing {
      // None is left of those that the music was wanted for.
      turn.append(.queueEnded(nil))
      stopPlayback(because: .queueEnded, &turn)
    } else if former == .place && queue.isEmpty && requests.isEmpty && transport.intent == .playing {
      // Its folder is there, and nothing in it.
      endWithoutMusic(&turn)
    } else {
      // If it was waited for in vain, other music goes on.
      compareFreed(former == .place && changes.sought != nil ? .boot : .storageRestored, &turn)
    }
  }

  var missingFolder: MissingFolder? {
    if options.afterRequests == .stop && waitsForFolder { return .request }
    return changes.sought?.isAwaited == true && changes.mayComeBack ? .place : nil
  }

  /// Has the decoder open what is to be tried; nothing of it is heard yet.
  mutating func settleStorageTrial(_ turn: inout MusicTurn) {
    guard let loss = transport.storageLoss, loss.retryDue == nil, !stream.isLoaded, let current = queue.track,
      engine.silenced == nil, !engine.isReleased || transport.interruptions.isEmpty
    else { return }
    var position = Position(track: current, frame: playhead.frame)
    if loss.trial == .other, let other = trialPlace { position = Position(track: queue[other], frame: 0) }
    turn.append(.command(.load(stream: stream.load(position.track), position)))
  }

  /// The storage has answered the decoder, with music or with a file that is bad. Returns false where that was a trial of
  /// another track than is to be heard.
  mutating func storageAnswered(_ turn: inout MusicTurn) -> Bool {
    guard let loss = transport.storageLoss else { return true }
    if loss.trial == .other {
      transport.storageLoss?.trial = .placeAgain
      stream.renew()
      return false
    }
    transport.storageLoss = nil
    turn.append(.storageRestored(file: queue.track.map(name(of:)), frame: playhead.frame))
    compare(after: .freed(.storageRestored), &turn)
    return true
  }

  /// Other files can be read: it goes on with the track that follows, as after any bad file (P11).
  private mutating func blameFile(_ fault: StorageFault, _ turn: inout MusicTurn) {
    fail(fault.position.track, reason: fault.reason, frame: fault.position.frame, &turn)
    guard let other = otherPlace else { return waitForStorage(&turn) }
    countLeaving(.failed, &turn)
    queue.go(to: other)
    rewindToStart()
  }

  /// A track of the folder that the current one lies in, with every retry another one from the nearest on, because the
  /// nearest may be a bad file, too; where there is none, where the queue goes on.
  private var trialPlace: Place? {
    let folder = queue.track.flatMap { library[$0] }.map { FileName($0.folder) }
    let others = (1..<max(1, queue.order.count)).lazy.map { queue.place($0, behind: queue.place) }
      .filter { folder != nil && library[queue[$0]].map { FileName($0.folder) } == folder }
    let tried = max(0, (transport.storageLoss?.retries ?? 0) - 1)
    return others.dropFirst(tried % max(1, others.count)).first ?? otherPlace
  }

  /// Where the queue goes on if the current track cannot be played.
  private var otherPlace: Place? {
    queue.replacement(of: queue.place).flatMap { $0 == queue.place ? nil : $0 }
  }
}
