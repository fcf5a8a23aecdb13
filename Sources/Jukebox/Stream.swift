/// What the decoder was sent, what it found, and what of it was heard: one stream runs from a `load` until the next.
struct Stream: Hashable, Sendable {
  /// How far ahead of the listener the decoder may open tracks; only many tiny ones in a row come near it.
  private static let farthest = 8

  /// Sent with every command and report; wraps, because no report is ever 256 streams late.
  private(set) var id: UInt8 = 0
  private(set) var isLoaded = false
  /// The engine has named its first frame.
  private(set) var hasStart = false
  /// Whether a frame of this stream was heard.
  private(set) var hasBegun = false
  /// Tracks that the decoder was sent and that were not heard yet, oldest first.
  private(set) var ahead: [TrackID] = []
  /// The track that the decoder was sent last.
  private(set) var last: TrackID?
  /// The library has changed since the stream began: files may be other than those that are decoded.
  private(set) var isOutdated = false
  /// The decoder waits to be told what follows; `afterFailure`: because `last` cannot be played.
  private(set) var isAsked = false
  private(set) var afterFailure = false
  /// The decoder did not find the track that it was sent last, from a list that may be out of date (X6): it is sent
  /// what follows when the music is listed.
  private(set) var awaitsListing = false
  /// Tracks that failed one after the other, none heard in between.
  private(set) var failures = 0
  /// Where the storage failed, and why: the stream ends there.
  private(set) var storageFault: StorageFault?
  /// It goes on with the track that an earlier stream had begun.
  private(set) var isContinued = false
  /// The decoder was told that nothing follows.
  private(set) var isToldItsEnd = false

  /// What the decoder has found in the tracks that it opened, of whichever stream.
  private(set) var tags: [TrackID: TrackTags] = [:]

  init(id: UInt8 = 0) { self.id = id }

  /// Begins a new stream with a track; its id.
  mutating func load(_ track: TrackID) -> UInt8 {
    let (failures, isContinued) = (failures, isContinued)
    unload()
    self.failures = failures
    self.isContinued = isContinued
    isLoaded = true
    ahead = [track]
    last = track
    return id
  }

  /// What the stream holds is no longer wanted.
  mutating func unload() {
    let tags = tags
    self = Stream(id: id &+ 1)
    self.tags = tags
  }

  /// The same music is decoded again from where the listener is.
  mutating func renew() {
    let isContinued = hasBegun || isContinued
    unload()
    self.isContinued = isContinued
  }

  mutating func opened(_ track: TrackID, _ tags: TrackTags) {
    self.tags[track] = tags
    isAsked = true
  }

  mutating func measured(_ track: TrackID, _ frames: Int?) { tags[track]?.frames = frames }

  mutating func forgetTags(of track: TrackID) { tags[track] = nil }

  mutating func start() { hasStart = true }

  mutating func storageFailed(_ fault: StorageFault) { storageFault = fault }

  mutating func failed() {
    if !ahead.isEmpty { ahead.removeLast() }
    // The track that is heard first is then another than the one that had begun.
    if ahead.isEmpty { isContinued = false }
    failures += 1
    isAsked = true
    afterFailure = true
  }

  /// - Parameter track: the one that is heard.
  mutating func awaitListing(hearing track: TrackID?) {
    if !ahead.isEmpty { ahead.removeLast() }
    if let former = ahead.last ?? (hasBegun ? track : nil) { last = former }
    isAsked = true
    awaitsListing = true
  }

  mutating func endAwaiting() { awaitsListing = false }

  /// Nothing of it was heard, or waits to be.
  var isUnheard: Bool { !hasBegun && ahead.isEmpty }

  /// The track that it begins with is the one that follows it, too.
  var beginsTwice: Bool { !hasBegun && ahead.count > 1 && ahead[0] == ahead[1] }

  /// The library is another now.
  mutating func outdate() { isOutdated = isLoaded }

  /// The next track that the decoder was sent is heard. Returns it, or nil if none was sent.
  mutating func advance() -> TrackID? {
    hasBegun = true
    failures = 0
    return ahead.isEmpty ? nil : ahead.removeFirst()
  }

  /// The decoder asks, and may be told what follows now.
  var mayBeAnswered: Bool { isAsked && !awaitsListing && ahead.count < Self.farthest }

  /// What to tell the decoder now: nothing (nil), or the track that follows (`.some(nil)`: none, the stream ends).
  mutating func answer(from queue: Queue) -> TrackID?? {
    guard mayBeAnswered else { return nil }
    let lastPlace = last.flatMap(queue.place(of:)) ?? queue.place
    var place = queue.following(lastPlace)
    if afterFailure {
      place = queue.replacement(of: lastPlace)
      if failures >= queue.order.count { place = nil }
    }
    return answer(with: place.map { queue[$0] })
  }

  /// - Parameter track: what follows; nil: nothing.
  mutating func answer(with track: TrackID?) -> TrackID?? {
    isAsked = false
    afterFailure = false
    isToldItsEnd = track == nil
    if let track { told(track) }
    return .some(track)
  }

  /// Something follows after all.
  mutating func goOn(with track: TrackID) {
    isToldItsEnd = false
    told(track)
  }

  private mutating func told(_ track: TrackID) {
    ahead.append(track)
    last = track
  }
}
