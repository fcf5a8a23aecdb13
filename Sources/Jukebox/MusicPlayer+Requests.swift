import AudioSession

/// What requests do to the music (J1, J5): the place is that of the request that plays, and the queue waits beside it.
extension MusicPlayer {
  /// A track that is skipped before this much of it was heard costs nothing.
  private static let leastHeard = Duration.seconds(10)
  /// A request that comes later than this before the end of the one that plays begins after a short pause: it is not
  /// certain that the decoders of all ports still have time for it.
  private static let lastCall = Duration.seconds(5)

  // MARK: - Waiting

  /// The storage has a new request.
  /// - Parameter mayBegin: false: it closes (H1.1).
  mutating func enqueue(_ request: Request, mayBegin: Bool, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    // All that was to play has failed, and nothing was heard of that yet.
    if requests.isPlaying && requests.isEmpty { returnToBackground() }
    let isFirst = requests.isEmpty
    requests.append(request)
    if !isFirst || transport.isPromptShown || !mayBegin {
      turn.append(.requestQueued(heading(of: request), place: requests.waiting.count))
    }
    guard mayBegin else { return requests.delay() }
    addToStream(&turn)
    wantRequest(&turn)
  }

  /// The first request would play, and is in a folder that may come back.
  var waitsForFolder: Bool {
    guard !requests.isPlaying, let first = requests.list.first, changes.mayComeBack else { return false }
    return library.id(named: first.track) == nil
  }

  /// The decoder was told that nothing follows: now something does.
  private mutating func addToStream(_ turn: inout MusicTurn) {
    guard requests.isPlaying, stream.isToldItsEnd, !queue.endsHere, !queue.endsBehindTrack, !isNearlyOver(at: turn.now),
      let next = nextToDecode(&turn)
    else { return }
    stream.goOn(with: next)
    turn.append(.command(.follow(stream: stream.id, track: next)))
  }

  /// All tracks that the decoder was sent end this soon.
  private func isNearlyOver(at now: Instant) -> Bool {
    var left = -frame(at: now)
    for track in (stream.hasBegun ? [queue.track].compactMap(\.self) : []) + stream.ahead {
      guard let length = stream.tags[track]?.frames else { return false }
      left += length
    }
    return left < Self.lastCall.frames(rate: options.rate)
  }

  /// Takes back a request that waits.
  mutating func withdraw(_ number: Int, _ ending: RequestEnding, _ turn: inout MusicTurn) {
    guard let index = requests.list.firstIndex(where: { $0.number == number }), number != requests.playing?.number
    else { return }
    // The decoder may have it already.
    let isTold = requests.isPlaying && stream.isLoaded && index < told
    end(at: index, ending, &turn)
    if isTold { renewHere(at: turn.now) }
  }

  /// How many requests the decoder was sent, with the one that plays.
  private var told: Int { stream.ahead.count + (stream.hasBegun ? 1 : 0) }

  /// How the log names it.
  func heading(of request: Request) -> TrackHeading {
    TrackHeading(number: library.id(named: request.track).flatMap(number(of:)), file: request.track)
  }

  // MARK: - Turns

  /// After every input: where music is wanted and requests wait, the first of them is what plays. One that was paused when its
  /// folder went is what is paused again.
  mutating func settleRequests(_ turn: inout MusicTurn) {
    let isItsTurn = transport.intent == .playing || transport.intent == .paused && requests.hasPlace
    guard !requests.isPlaying, isItsTurn, !transport.isClosed, !queue.endsHere,
      let first = requests.list.first, let track = nextToDecode(at: 0, &turn)
    else { return }
    if listening.name.fileName != FileName(first.track) { countLeaving(.chosen, &turn) }
    requests.background = PlaceBehind(queue: queue, frame: frame(at: turn.now), sought: changes.sought)
    // A contact that has chosen the background no longer keeps it.
    requests.background?.queue.release()
    take(track)
  }

  /// This track alone is the queue, from its start, or where it waited for its folder.
  private mutating func take(_ track: TrackID) {
    queue = requestQueue(track)
    stand(elsewhereAt: requests.goOnAtPlace())
    stream.unload()
  }

  private func requestQueue(_ track: TrackID) -> Queue {
    var new = Queue([track], repeats: .off, shuffle: nil)
    new.endBehindTrack(queue.endsBehindTrack)
    new.endsHere = queue.endsHere
    return new
  }

  /// The track of the first request that the decoder was not sent yet; nil: there is none.
  private mutating func nextToDecode(_ turn: inout MusicTurn) -> TrackID? { nextToDecode(at: told, &turn) }

  /// A track that is gone for good is left out, and its credit comes back; one that may come back with its folder is
  /// waited for.
  private mutating func nextToDecode(at index: Int, _ turn: inout MusicTurn) -> TrackID? {
    while requests.list.indices.contains(index) {
      if let track = library.id(named: requests.list[index].track) { return track }
      if changes.mayComeBack { return nil }
      end(at: index, .gone, &turn)
    }
    return nil
  }

  private mutating func end(at index: Int, _ ending: RequestEnding, _ turn: inout MusicTurn) {
    guard requests.list.indices.contains(index) else { return }
    let (request, ending) = requests.remove(at: index, ending)
    turn.append(.requestEnded(request, ending))
  }

  // MARK: - The decoder and the engine

  /// The answer to a decoder that asks what follows while requests play.
  mutating func answerWithRequest(_ turn: inout MusicTurn) -> TrackID?? {
    guard stream.mayBeAnswered else { return nil }
    let endsHere = (queue.endsHere || queue.endsBehindTrack) && told > 0
    let next = endsHere ? nil : nextToDecode(&turn)
    // All that came before it has failed: nothing was heard of this stream, and it is the one that plays.
    if told == 0, let next { queue = requestQueue(next) }
    return stream.answer(with: next)
  }

  /// The decoder cannot play the track that it was sent last.
  mutating func failRequest(_ turn: inout MusicTurn) {
    guard requests.isPlaying, told > 0, requests.list.indices.contains(told - 1) else { return }
    // It was promised before its folder went.
    if changes.mayComeBack && library.id(named: requests.list[told - 1].track) == nil { return }
    end(at: told - 1, .failed, &turn)
  }

  /// It breaks off before its end.
  mutating func noteBrokenRequest(_ track: TrackID) {
    guard requests.isPlaying else { return }
    let index = (0..<told).last { requests.list.indices.contains($0) && isTrack(requests.list[$0], track) }
    if let index { requests.noteBreak(at: index) }
  }

  private func isTrack(_ request: Request, _ track: TrackID) -> Bool { library.id(named: request.track) == track }

  /// Another track of the stream is heard.
  mutating func advance(to track: TrackID, isFirst: Bool, _ turn: inout MusicTurn) {
    guard requests.isPlaying else {
      let former = queue.place
      queue.go(toTrack: track)
      return queue.beginRound(listed, behind: former, promised: stream.ahead)
    }
    if !isFirst { end(at: 0, .heard, &turn) }
    queue = requestQueue(track)
  }

  mutating func announceRequest(_ turn: inout MusicTurn) {
    if let request = requests.announce() { turn.append(.requestStarted(heading(of: request), isPaid: request.isPaid)) }
  }

  /// The stream of requests is over.
  mutating func endedRequests(_ turn: inout MusicTurn) {
    noteTrackEnd(&turn)
    if stream.hasBegun { end(at: 0, .heard, &turn) }
    if queue.endsHere {
      returnToBackground()
      if requests.isEmpty && options.afterRequests == .stop {
        turn.append(.queueEnded(nil))
        stopAfterEnd(because: .queueEnded, &turn)
      }
      transport.isClosed = true
      return
    }
    let falls = queue.endsBehindTrack
    goOn(isHeard: true, &turn)
    guard falls, transport.intent == .playing else { return }
    resolveLoss(answer: nil, &turn)
    transport.intent = .paused
    turn.append(.ended)
    compare(after: .paused(.sleep), &turn)
  }

  /// What follows a request that is over, or whose folder is missing: the next one, the background, or silence. Returns false
  /// where nothing does.
  @discardableResult
  private mutating func goOn(isHeard: Bool, _ turn: inout MusicTurn) -> Bool {
    if let next = nextToDecode(at: 0, &turn) {
      take(next)
      return true
    }
    returnToBackground()
    // A request that waits for its folder holds the music, or is found paused when that is there again.
    if options.afterRequests == .background ? !queue.isEmpty : !requests.isEmpty { return true }
    let sought = changes.sought
    turn.append(.queueEnded(nil))
    if isHeard {
      stopAfterEnd(because: .queueEnded, &turn)
    } else if transport.intent != .stopped {
      stopPlayback(because: .queueEnded, &turn)
    }
    lookFor(options.afterRequests == .stop ? sought?.stopped : sought)
    return false
  }

  /// The queue is what it was before the requests, at its place.
  private mutating func returnToBackground() {
    guard let background = requests.background else { return }
    let ends = queue.endsBehindTrack
    requests.background = nil
    queue = background.queue
    queue.endBehindTrack(ends)
    stand(elsewhereAt: background.frame)
    stream.unload()
    lookFor(background.sought)
  }

  // MARK: - The operator

  /// Next ends the request that plays.
  mutating func skipRequest(thenPlay: Bool, _ turn: inout MusicTurn) {
    pauseLoss(answer: .next, &turn)
    // The track that is listened to may still be one before it, whose file is gone.
    let isHeard = requests.playing.map { FileName($0.track) == listening.name.fileName } ?? false
    let heard = requests.heardBefore + (isHeard ? listening.heard : 0)
    countLeaving(.skipped, &turn)
    end(at: 0, .skipped(early: heard < Self.leastHeard.frames(rate: options.rate)), &turn)
    if goOn(isHeard: false, &turn), thenPlay && transport.intent != .playing { want(asStart: true, &turn) }
  }

  /// The request that plays is over with the music; those after it still wait.
  mutating func stopRequest(_ ending: RequestEnding, _ turn: inout MusicTurn) {
    guard requests.isPlaying else { return }
    end(at: 0, ending, &turn)
    returnToBackground()
  }

  /// They are no longer waited for.
  mutating func dropRequests(_ ending: RequestEnding, _ turn: inout MusicTurn) {
    while !requests.isEmpty { end(at: 0, ending, &turn) }
    returnToBackground()
  }

  // MARK: - The music and its storage

  /// The track of the request that plays, or of what plays by itself, is gone, and nobody listens to it. Returns
  /// false where neither plays.
  mutating func loseRequest(but kept: Set<TrackID>, _ turn: inout MusicTurn) -> Bool {
    guard requests.isPlaying || isAttracting else { return false }
    let isLost = queue.forget(but: kept)
    if isLost && isAttracting {
      cutAttraction(&turn)
    } else if isLost {
      loseRequest(&turn)
    }
    forgetDeparted()
    return true
  }

  /// Its storage was waited for in vain.
  mutating func giveUpRequest(_ turn: inout MusicTurn) {
    guard requests.isPlaying, transport.storageLoss != nil else { return }
    countLeaving(.failed, &turn)
    loseRequest(&turn)
  }

  /// A request that may come back with its folder goes on there then; else its credit comes back.
  private mutating func loseRequest(_ turn: inout MusicTurn) {
    if changes.mayComeBack, let place = requests.place(at: playhead.frame) {
      requests.wait(at: place)
    } else {
      end(at: 0, .gone, &turn)
    }
    goOn(isHeard: false, &turn)
  }

  /// Their folder was waited for in vain: those after them have their turn.
  mutating func dropMissingRequests(_ turn: inout MusicTurn) {
    guard waitsForFolder else { return }
    while let first = requests.list.first, library.id(named: first.track) == nil { end(at: 0, .gone, &turn) }
  }

  // MARK: - Power

  /// At power on: whether what was saved may go on by itself. Where requests wait, only a request may play, or the
  /// background where that follows them.
  func mayGoOn(_ state: SavedState) -> Bool {
    if requests.isEmpty || options.afterRequests != .stop || changes.mayComeBack { return true }
    return state.request == nil || requests.list.contains { library.id(named: $0.track) != nil }
  }

  /// The request that plays, and where; nil: none does.
  func savedRequest(at now: Instant) -> RequestPlace? { requests.place(at: frame(at: now)) }

  /// At power on, when the queue is where it was: goes on with the request that played.
  /// - Parameter intent: as it was saved: where the queue behind it is gone, that is stopped.
  mutating func restoreRequest(_ place: RequestPlace?, _ intent: Intent) {
    guard let first = requests.list.first, let place else { return }
    // A later one, where what the place names had ended just before the power was cut.
    let frame = place.number == first.number ? max(0, place.frame) : 0
    guard intent != .stopped, let track = library.id(named: first.track) else {
      return requests.wait(at: RequestPlace(number: first.number, frame: frame))
    }
    if transport.intent == .stopped { transport.intent = .paused }
    requests.background = PlaceBehind(queue: queue, frame: playhead.frame, sought: changes.sought)
    changes.sought = nil
    requests.resume(at: frame)
    queue = requestQueue(track)
    playhead.stand(at: frame)
    listening.open(first.track, at: frame, jumps: playhead.jumps)
  }
}
