import CLinux
import TrackDecoding

/// What the process sends. It may have been taken over by a file, so that all of it is checked here before it is used.
extension ProcessTrackOpener {
  func receive() {
    while let worker {
      switch worker.receive() {
      case .none: return
      case .closed: lose(worker)
      case .answer(let answer):
        take(answer)
        // What else it has sent, or that it has closed its end, shows in the next wait.
        if pending == nil { return }
      }
    }
  }

  private func take(_ answer: DecoderAnswer) {
    crash_note_touch()
    // They come in the order of the requests, one each.
    guard var former = pending, answer.number == former.others.first?.number ?? former.number else {
      return loseToUnasked()
    }
    guard answer.isPlausible(asked: former.others.isEmpty ? Int(former.frames) : 0) else { return loseToNonsense() }
    if answer.failed == 4 { return goOn(former, answer) }
    if answer.failed == 3 { return startAnew(former, loading: DecoderLibraries(rawValue: answer.libraries)) }
    let place = former.taken
    guard let next = former.others.first else {
      pending = nil
      if former.unwantedSince == nil { accept(answer, for: former.track, place) }
      return
    }
    accept(answer, for: next.track, place)
    former.others.removeFirst()
    former.taken += 1
    pending = former
  }

  /// Gives the track its answer.
  private func accept(_ answer: DecoderAnswer, for track: ProcessTrack, _ place: Int) {
    let texts = 3 * place
    // If the storage cannot be read, it has not answered.
    if answer.failed != 2 { stalls.answered(track.path, at: now()) }
    guard answer.failed == 0 else {
      let reason = frames?.text(at: texts, count: answer.texts.0) ?? "damaged"
      return track.fail(reason, isStorage: answer.failed == 2)
    }
    if answer.frames == 0 && track.inspection == nil { onEnd(track.path) }
    track.take(frames: Int(answer.frames), answer.rate > 0 ? frames?.info(answer, texts: texts) : nil)
  }

  /// The process has decoded a piece of what lies before the frame that was sought.
  private func goOn(_ former: PendingRequest, _ answer: DecoderAnswer) {
    let track = former.track
    guard former.others.isEmpty, track.inspection == nil, track.comesNearer() else { return loseToNonsense() }
    pending = nil
    stalls.answered(track.path, at: now())
    if answer.rate > 0, let info = frames?.info(answer, texts: 0) { track.describe(info) }
    if former.unwantedSince == nil { waiting.append(track) }
  }

  /// Has another process do what this one lacks libraries for.
  private func startAnew(_ former: PendingRequest, loading missed: DecoderLibraries) {
    let missed = missed.subtracting(libraries)
    guard !missed.isEmpty else { return loseToNonsense() }
    libraries.formUnion(missed)
    end()
    let last = former.unwantedSince == nil ? [former.track] : []
    waiting.insert(contentsOf: former.others.map(\.track) + last, at: 0)
  }

  private func loseToNonsense(isCertain: Bool = false) {
    lose("the decoder sent an answer that makes no sense", isOfFile: true, isCertain: isCertain)
  }

  /// The process sends what it was not asked for only if a file has taken it over, most likely the one that it worked on
  /// last. It is ended, as to read all that it sends would never end.
  private func loseToUnasked() {
    let track = pending?.track ?? last
    track?.strays += 1
    let isCertain = track.map { $0.strays > 1 } ?? false
    guard pending == nil else { return loseToNonsense(isCertain: isCertain) }
    let reason = "the decoder sent an answer that nobody had asked for"
    end()
    guard let track else { return }
    onFault(DecoderFault(path: track.path, reason: reason))
    guard isCertain else { return }
    waiting.removeAll { $0 === track }
    track.fail(reason)
  }
}
