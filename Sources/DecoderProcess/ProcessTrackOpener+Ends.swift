import Glibc

/// Processes that end, or have to.
extension ProcessTrackOpener {
  func giveUp(_ pending: PendingRequest) {
    guard let excess = pending.watch.excess(worker?.processorTime, at: now()) else {
      // Something else waits, and nobody waits for this. The file is not to blame: it had no time.
      return end()
    }
    let isReady = worker?.isReady ?? true
    guard !excess.isWork else { return lose(excess.reason, isOfFile: isReady, isCertain: true, isReady: isReady) }
    let isKnown = stalls.isSuspect(pending.track.path)
    pending.track.hasStalled = isReady
    lose(excess.reason, isOfFile: false, isCertain: isKnown, isStall: true, isReady: isReady)
  }

  /// The process has ended by itself, or somebody has ended it.
  func lose(_ worker: WorkerProcess) {
    let end = worker.endReason()
    lose(end.text, isOfFile: end.isOfFile, isCertain: false, isReady: worker.isReady)
  }

  /// The process has ended or must end. The track that it worked on is tried once more, unless that is certain to fail.
  /// - Parameters:
  ///   - isStall: it has waited for a file; whether that or its storage is to blame is not known yet.
  ///   - isOfFile: whether it is the file's doing; if it is not, the track is tried again like one of a lost storage (X4).
  ///   - isReady: false where it has not begun to work at all: the storage of the program is to blame.
  func lose(_ reason: String, isOfFile: Bool, isCertain: Bool, isStall: Bool = false, isReady: Bool = true) {
    let former = pending
    end()
    guard let former else { return }
    if !former.others.isEmpty {
      // Which of them it was shows when each is tried by itself.
      let tracks = former.others.map(\.track) + [former.track]
      for track in tracks { track.isAlone = true }
      return waiting.insert(contentsOf: tracks, at: 0)
    }
    let track = former.track
    track.isAlone = true
    onFault(DecoderFault(path: track.path, reason: reason, isOfFile: isOfFile))
    guard former.unwantedSince == nil else { return }
    track.failures += 1
    guard isCertain || track.failures > 1 else { return waiting.insert(track, at: 0) }
    if isStall && isReady { stalls.stalled(track.path, at: now()) }
    // What has ended it from outside, as the kernel does where memory is short, ends it over the next file, too.
    track.fail(reason, isStorage: isStall && isReady ? !stalls.isLeftOut(track.path) : !isOfFile)
  }

  func end() {
    let path = (pending?.track ?? last)?.path ?? ""
    pending = nil
    guard let worker else { return }
    worker.end()
    if !worker.hasEnded { ending.append((worker, now(), path)) }
    self.worker = nil
  }
}
