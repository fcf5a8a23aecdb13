import AudioSession

/// What holds wanted music back, and what comes of it when that ends.
extension MusicPlayer {
  // MARK: - Doubt: the plug of the route moves (R3)

  /// - Parameters:
  ///   - port: the private route whose plug moves; nil: none.
  ///   - isFormerMoving: the plug of the port that was in doubt still moves, and no other private port has taken over.
  mutating func doubt(_ port: Port?, isFormerMoving: Bool, at instant: Instant) {
    if transport.routeLoss != nil { return }
    if let doubt = transport.doubt, doubt.from == port || isFormerMoving { return }
    transport.doubt = port.map { Doubt(hold: hold(since: instant), from: $0) }
  }

  /// The device of a private wireless port has failed: that is a plug that is out (I14).
  mutating func doubtFailed(_ port: Port, at instant: Instant) {
    guard transport.doubt == nil && transport.routeLoss == nil else { return }
    transport.doubt = Doubt(hold: hold(since: instant), from: port)
  }

  mutating func endDoubt(of port: Port) { if transport.doubt?.from == port { transport.doubt = nil } }

  // MARK: - Loss: its port was pulled out (P1)

  /// A port was unplugged. If music was wanted on it, what holds that now is returned.
  mutating func lose(_ port: Port, isPrivate: Bool) -> (loss: RouteLoss, isFormer: Bool)? {
    // While it is closed nobody is there to be asked.
    guard transport.intent == .playing, !transport.isClosed, let new = confirmedLoss(of: port, isPrivate: isPrivate)
    else { return nil }
    let former = endTrial(of: port, at: new.hold.frame)
    let loss = former ?? new
    (transport.doubt, transport.routeLoss) = (nil, loss)
    return (loss, isFormer: former != nil)
  }

  /// The loss of the private port that music was wanted on (P1), or that a change of category left before it could
  /// be lost; nil for any other port.
  private func confirmedLoss(of port: Port, isPrivate: Bool) -> RouteLoss? {
    if transport.routeLoss != nil { return nil }
    if let doubt = transport.doubt { return doubt.from == port ? RouteLoss(hold: doubt.hold, from: port) : nil }
    guard let unsuited = transport.unsuited, unsuited.from == port, isPrivate else { return nil }
    return RouteLoss(hold: unsuited.hold, from: port)
  }

  /// The plug really is out while music was wanted (P1, Q1). A former loss, whose port was only tried, has its prompt.
  mutating func announce(_ loss: RouteLoss, isFormer: Bool, _ turn: inout MusicTurn) {
    compare(after: .paused(.unplugged(loss)), &turn)
    if isFormer { return }
    transport.routeLoss?.prompt = .shown
    turn.append(.promptShown(loss.from))
  }

  /// Ends a loss and its prompt; a doubt stays until the line has settled.
  mutating func resolveLoss(answer: PromptAnswer?, _ turn: inout MusicTurn) {
    endTrial(answer: answer, &turn)
    dismissPrompt(answer: answer, &turn)
    transport.routeLoss = nil
  }

  /// Another place does not start what is silent, but the operator has decided: no plug resumes after it (P5). While
  /// the plug may be on its way out, only the place moves, and a loss is still a loss (R3).
  mutating func pauseLoss(answer: PromptAnswer, _ turn: inout MusicTurn) {
    guard transport.routeLoss != nil else { return }
    transport.intent = .paused
    resolveLoss(answer: answer, &turn)
  }

  mutating func dismissPrompt(answer: PromptAnswer?, _ turn: inout MusicTurn) {
    guard transport.isPromptShown else { return }
    transport.routeLoss?.prompt = nil
    if let answer { turn.append(.promptAnswered(answer)) }
  }

  mutating func closeResumeWindow() {
    transport.routeLoss?.isResumable = false
    transport.trial?.loss.isResumable = false
  }

  /// Nobody has answered the prompt in time. Returns whether that ends the visit.
  /// - Parameter isOccupied: whoever waits for the end of a page cannot answer (V4).
  mutating func expirePrompt(isOccupied: Bool) -> Bool {
    transport.trial?.loss.prompt = .overdue
    guard transport.isPromptShown else { return false }
    if isOccupied { transport.routeLoss?.prompt = .overdue }
    return !isOccupied
  }

  // MARK: - Trial: a wireless port has to sound first (B2)

  /// A plug ends what an unplug holds. A wireless port that is plugged in may fail again before it has sounded; until
  /// then the hold is set aside, with its prompt and the times that run since it began.
  /// - Parameter port: the port to be tried; nil: it needs no trial.
  mutating func endLoss(byTrialOf port: Port?, _ turn: inout MusicTurn) {
    guard let port, let loss = transport.routeLoss, loss.prompt != nil else {
      return resolveLoss(answer: .plug, &turn)
    }
    transport.trial = PortTrial(port: port, loss: loss)
    transport.routeLoss = nil
  }

  /// A plug brings back what an unplug held.
  mutating func resumeAfterPlug(_ trial: Port?, _ turn: inout MusicTurn) {
    endLoss(byTrialOf: trial, &turn)
    compare(after: .freed(.routeConnected), &turn)
  }

  /// Music sounds at the route.
  mutating func noteTrial(at route: Port, until due: Instant) {
    if transport.trial?.port == route { transport.trial?.due = due }
  }

  /// The port that is tried has fallen silent, and is to sound for its whole time when it goes on.
  mutating func awaitTrial() { transport.trial?.due = nil }

  /// Ends what was set aside for a trial: that is passed, or the music is decided otherwise.
  mutating func endTrial(answer: PromptAnswer?, _ turn: inout MusicTurn) {
    guard let trial = transport.trial else { return }
    assert(transport.routeLoss == nil, "what was set aside for a trial holds beside it")
    transport.trial = nil
    transport.routeLoss = trial.loss
    resolveLoss(answer: answer ?? .plug, &turn)
  }

  /// The end of a trial is no longer waited for. Returns whether a prompt was set aside for it.
  mutating func forgetTrial() -> Bool { transport.trial.take()?.loss.prompt != nil }

  /// The port has failed before that, at this frame: the same loss goes on. Returns nil if it was not on trial.
  private mutating func endTrial(of port: Port, at frame: Int) -> RouteLoss? {
    guard let trial = transport.trial, trial.port == port else { return nil }
    transport.trial = nil
    var loss = trial.loss
    loss.hold.frame = frame
    return loss
  }

  // MARK: - No route (R9)

  /// - Parameter former: the port that was the route before.
  mutating func leaveRoute(_ former: Port?, _ turn: inout MusicTurn) {
    if transport.unsuited == nil { transport.unsuited = Unsuited(hold: hold(since: turn.now), from: former) }
    // An unplug has a line of its own, which names the port.
    if transport.playback == .held { compare(after: .paused(.noRoute), &turn) }
  }

  /// - Parameter isLogged: false where something else may hold the music from now on.
  mutating func findRoute(isLogged: Bool, _ turn: inout MusicTurn) {
    guard transport.unsuited != nil else { return }
    transport.unsuited = nil
    if isLogged { compareFreed(.routeConnected, &turn) }
  }

  mutating func compareFreed(_ cause: StartCause, _ turn: inout MusicTurn) {
    if transport.intent == .playing { compare(after: .freed(cause), &turn) }
  }

  /// This is where the music is meant to be while it has no route.
  mutating func expectRoute(_ port: Port) { transport.unsuited?.from = port }

  // MARK: - Interruptions (I rows)

  mutating func begin(_ source: Interruption.Source, isSpoken: Bool, _ turn: inout MusicTurn) {
    transport.interruptions.append(Interruption(source: source, hold: hold(since: turn.now), isSpoken: isSpoken))
    compare(after: .paused(.interruption), &turn)
  }

  mutating func end(_ source: Interruption.Source, shouldResume: Bool, _ turn: inout MusicTurn) {
    transport.interruptions.removeAll { $0.source == source }
    if !shouldResume { pauseForGood(&turn) }
  }

  /// What was only held is paused from now on (I3, I9): neither the end of a hold nor a plug resumes it.
  private mutating func pauseForGood(_ turn: inout MusicTurn) {
    guard transport.intent == .playing else { return }
    transport.intent = .paused
    resolveLoss(answer: .interruption, &turn)
  }

  /// An interruption has lasted too long to go on by itself afterwards (I9).
  mutating func limitInterruption(_ turn: inout MusicTurn) {
    transport.limit = nil
    guard transport.intent == .playing, transport.isInterrupted else { return }
    pauseForGood(&turn)
    compare(after: .paused(.interruptionLimit), &turn)
    giveUpRequest(&turn)
  }

  /// A folder was missing for too long: those after a request have their turn (J5.6), and other music plays (W2.1).
  mutating func limitMissingFolder(_ turn: inout MusicTurn) {
    transport.folderLimit = nil
    dropMissingRequests(&turn)
    changes.sought?.isAwaited = false
  }

  /// After every input.
  /// - Parameter limit: how long an interruption may hold back what is wanted, or a folder a request, from when it began to.
  mutating func settleLimit(_ limit: Duration, at now: Instant) {
    let isHeldBack = transport.intent == .playing && !transport.isClosed && transport.isInterrupted
    transport.limit = isHeldBack && limit > .zero ? transport.limit ?? now + limit : nil
    // If there is nothing else to play, a place is waited for without end.
    let isWaiting = waitsForFolder || transport.missing == .place && !queue.isEmpty && !transport.isClosed
    transport.folderLimit = isWaiting && limit > .zero ? transport.folderLimit ?? now + limit : nil
  }

  // MARK: - The output (I14)

  /// How long an output that is back has to stay before its loss is a new one.
  private static let outputTrial = Duration.seconds(10)

  /// Returns false where it was lost before.
  mutating func loseOutput(at now: Instant) -> Bool {
    if transport.outputLoss != nil { return false }
    transport.outputLoss = OutputLoss(hold: Hold(since: now, frame: playhead.frame))
    // One that can be opened and does not play is tried no more often than one that cannot be opened.
    if let restored = transport.restoredOutput, now - restored.at < Self.outputTrial {
      transport.outputLoss?.retries = restored.retries
    }
    return true
  }

  mutating func planOutputRetry(at now: Instant) {
    guard let loss = transport.outputLoss else { return }
    transport.outputLoss?.retryDue = now + BackOff.wait(after: loss.retries)
    transport.outputLoss?.retries += 1
  }

  mutating func retryOutput() { transport.outputLoss?.retryDue = nil }

  /// Returns false where it was not lost.
  mutating func restoreOutput(at now: Instant) -> Bool {
    guard let loss = transport.outputLoss else { return false }
    transport.restoredOutput = RestoredOutput(at: now, retries: loss.retries)
    transport.outputLoss = nil
    return true
  }
}
