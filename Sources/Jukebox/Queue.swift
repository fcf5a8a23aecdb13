/// The place of a track in the order of a queue.
struct Place: Hashable, Sendable {
  var index: Int

  static let first = Place(index: 0)
}

/// The order in which the library's tracks are played, and where we are in it.
struct Queue: Hashable, Sendable {
  /// Ids of the library's tracks, and of those in `gone`.
  private(set) var order: [TrackID]
  /// Tracks that the library has no longer, but that are heard, or were promised to the decoder: they keep their places
  /// until `forget`, so that what follows them is known.
  private(set) var gone: Set<TrackID> = []
  let repeats: Settings.Repeat
  /// What follows a track that was chosen.
  let afterChosen: Settings.AfterTrack
  /// What `order` was made from; nil: it is the library's.
  private(set) var seed: UInt64?
  private var generator: SplitMix64
  /// nil: the first track of the next round was not promised to the decoder yet.
  private var nextRound: NextRound?
  /// Place in `order` of the track that is heard, or would be.
  private(set) var place = Place.first
  /// Somebody has asked for the current track by itself. It stays so until the queue is elsewhere.
  private(set) var isChosen = false
  /// Nothing follows the current track by itself (H5).
  private(set) var endsBehindTrack = false
  /// Nothing follows the current track, whatever the settings say: it closes (H1).
  var endsHere = false
  /// The contact that has chosen the current track, or its playlist (O rows).
  private(set) var claim: ContactClaim?

  private struct NextRound: Hashable {
    /// What its order is made from.
    var seed: UInt64
    /// How many tracks at the beginning of `order` belong to it already.
    var count: Int
  }

  /// - Parameter tracks: ids in the order without shuffle.
  init(_ tracks: [TrackID], repeats: Settings.Repeat, afterChosen: Settings.AfterTrack = .next, shuffle seed: UInt64?) {
    self.repeats = repeats
    self.afterChosen = afterChosen
    self.seed = seed
    generator = SplitMix64(state: seed ?? 0)
    order = tracks
    if seed != nil { order.shuffle(using: &generator) }
  }

  init(count: Int, repeats: Settings.Repeat, afterChosen: Settings.AfterTrack = .next, shuffle seed: UInt64?) {
    self.init((0..<count).map { TrackID($0) }, repeats: repeats, afterChosen: afterChosen, shuffle: seed)
  }

  mutating func go(to place: Place) {
    if place != self.place {
      isChosen = false
      claim = claim?.elsewhere
    }
    self.place = place
  }

  /// Stays where it is if it does not have the track.
  mutating func go(toTrack track: TrackID) { go(to: place(of: track) ?? place) }

  mutating func choose(_ place: Place) {
    nextRound = nil
    self.place = place
    isChosen = true
    claim = nil
  }

  /// Goes back to a place that was kept, as somebody's choice or not.
  mutating func go(backTo place: Place, isChosen: Bool) { if isChosen { choose(place) } else { go(to: place) } }

  mutating func endBehindTrack(_ ends: Bool) { endsBehindTrack = ends }

  mutating func claim(_ claim: ContactClaim) { self.claim = claim }

  /// Contacts no longer keep it.
  mutating func release() { claim = nil }

  /// The next visitor has chosen nothing.
  mutating func reset(_ tracks: [TrackID]) {
    begin(tracks)
    isChosen = false
    claim = nil
  }

  /// A contact keeps it sounding, round and round (O3).
  private var isHeld: Bool { claim?.isHeld == true }
  private var goesRound: Bool { isHeld || repeats == .queue }

  var isEmpty: Bool { order.isEmpty }
  /// The id of the current track.
  var track: TrackID? { order.indices.contains(place.index) ? order[place.index] : nil }

  subscript(place: Place) -> TrackID { order[place.index] }

  /// The place of the track; nil: the queue does not have it.
  func place(of track: TrackID) -> Place? {
    // So it is as long as nothing has changed the order.
    let isAtItsID = order.indices.contains(track.number) && order[track.number] == track
    return (isAtItsID ? track.number : order.firstIndex(of: track)).map(Place.init)
  }

  /// The place that is this many tracks further on, round and round.
  func place(_ step: Int, behind place: Place) -> Place { Place(index: (place.index + step) % order.count) }

  /// Whether nothing comes before the current track.
  var isAtStart: Bool { place == .first }

  /// Whether the queue does not go on by itself after its current track (T3).
  var staysAtChosen: Bool { isChosen && (isHeld || afterChosen != .next) }

  /// Where playback goes by itself after `place`; nil: it ends there.
  func following(_ place: Place) -> Place? {
    (endsBehindTrack || endsHere) && place == self.place ? nil : successor(of: place)
  }

  /// The same, whether or not it goes there by itself.
  func successor(of place: Place) -> Place? {
    if staysAtChosen && place == self.place {
      return (isHeld || afterChosen == .repeat) && isThere(place) ? place : nil
    }
    return switch isHeld ? .queue : repeats {
    case .off: existing(after: place, wraps: false)
    case .queue: existing(after: place, wraps: true)
    case .track: isThere(place) ? place : existing(after: place, wraps: true)
    }
  }

  /// Where playback goes instead of a track that cannot be played; nil: it ends there.
  func replacement(of place: Place) -> Place? {
    // A track that is to be repeated would fail forever (T8).
    if staysAtChosen && place == self.place { return nil }
    // A track that repeats alone gives way to the next one.
    return repeats == .track ? existing(after: place, wraps: true) : following(place)
  }

  /// Where Next goes when the operator presses it: on to the next track even where one track repeats; nil past the end.
  func next() -> Place? { existing(after: place, wraps: isHeld || repeats != .off) }

  func previous() -> Place {
    let first = repeats == .off && !isHeld ? 0 : place.index - order.count + 1
    guard first < place.index else { return place }
    return (first..<place.index).reversed().lazy.map { Place(index: ($0 + order.count) % order.count) }
      .first(where: isThere) ?? place
  }

  private func isThere(_ place: Place) -> Bool {
    order.indices.contains(place.index) && !gone.contains(order[place.index])
  }

  /// The first place after this one whose track is there; where it wraps, this one comes last.
  private func existing(after place: Place, wraps: Bool) -> Place? {
    let last = wraps ? place.index + order.count : order.count - 1
    guard place.index < last else { return nil }
    return (place.index + 1...last).lazy.map { Place(index: $0 % order.count) }.first(where: isThere)
  }
}

extension Queue {
  /// Takes over the music as it is now (X1). What is gone stays at its place until `forget`.
  /// - Parameter tracks: ids in the order without shuffle.
  mutating func take(_ tracks: [TrackID]) {
    let current = track
    let present = Set(tracks)
    let former = order
    nextRound = nil
    if seed == nil { order = tracks } else { shuffleIn(tracks, present) }
    gone = Set(former.filter { !present.contains($0) })
    if seed == nil && !gone.isEmpty { putBack(former) }
    place = current.flatMap(place(of:)) ?? .first
  }

  /// The order keeps those that it has; new ones come somewhere among those that were not heard yet.
  private mutating func shuffleIn(_ tracks: [TrackID], _ present: Set<TrackID>) {
    let known = Set(order)
    var new = tracks.filter { !known.contains($0) }
    new.shuffle(using: &generator)
    let heard = min(place.index + 1, order.count)
    var rest = order[heard...]
    var isNew = Array(repeating: true, count: new.count) + Array(repeating: false, count: rest.count)
    isNew.shuffle(using: &generator)
    order = order[..<heard] + isNew.map { $0 ? new.removeLast() : rest.removeFirst() }
  }

  /// Puts the tracks that are gone after those that they followed.
  private mutating func putBack(_ former: [TrackID]) {
    var behind: [TrackID?: [TrackID]] = [:]
    var last: TrackID?
    for track in former {
      if gone.contains(track) { behind[last, default: []].append(track) } else { last = track }
    }
    order = (behind[nil] ?? []) + order.flatMap { [$0] + (behind[$0] ?? []) }
  }

  /// Drops the tracks that are gone, except `kept`. Returns whether the current track was among it: its place has then
  /// fallen to the next one that is there.
  mutating func forget(but kept: Set<TrackID>) -> Bool {
    let leaving = gone.subtracting(kept)
    guard !leaving.isEmpty else { return false }
    let isLost = track.map(leaving.contains) ?? false
    let heir = isLost ? existing(after: place, wraps: true).map { self[$0] } : track
    order.removeAll(where: leaving.contains)
    gone.subtract(leaving)
    place = heir.flatMap(place(of:)) ?? .first
    if isLost { isChosen = false }
    return isLost
  }
}

/// A shuffled queue has another order in each round, and whenever it begins again. Each order is made from a seed alone, so
/// that a power cut loses nothing of it (W1).
extension Queue {
  /// As many tracks of the next round as are promised before its first is heard, unless they are very short.
  private static let ahead = 3
  /// Of six tracks, one order in twenty begins with those that were not heard last.
  private static let mostDraws = 512

  /// Goes to the beginning; of another order if it is shuffled, which does not begin with the current track.
  /// - Parameter tracks: ids in the order without shuffle.
  mutating func begin(_ tracks: [TrackID]) {
    let last = track
    if gone.isEmpty, seed != nil {
      repeat { begin(tracks, seed: generator.next()) } while order.count > 1 && order.first == last
    }
    go(to: .first)
  }

  /// What another order is made from; nil: it is the library's.
  mutating func drawSeed() -> UInt64? { seed.map { _ in generator.next() } }

  private mutating func begin(_ tracks: [TrackID], seed: UInt64) {
    let new = Queue(tracks, repeats: repeats, shuffle: seed)
    (order, generator, self.seed, nextRound) = (new.order, new.generator, seed, nil)
  }

  /// To be called before it is asked what follows. At the end of a round, the tracks that were heard in it are put in the
  /// order that they have in the next one; the current one, the one before it and those that were promised stay.
  /// - Parameters:
  ///   - tracks: ids in the order without shuffle.
  ///   - last: the track that was promised last; nil: none was.
  mutating func prepareRound(_ tracks: [TrackID], after last: TrackID?) {
    guard seed != nil, nextRound == nil, goesRound, !staysAtChosen, place.index > 1, gone.isEmpty,
      tracks.count == order.count, (last.flatMap(place(of:)) ?? place).index == order.count - 1
    else { return }
    let kept = order[(place.index - 1)...]
    // A track that was just heard, or will be, does not begin the next round: of few tracks, only some orders are so.
    for _ in 0..<Self.mostDraws {
      let seed = generator.next()
      let round = Queue(tracks, repeats: repeats, shuffle: seed).order
      let first = round.prefix(min(Self.ahead, order.count - kept.count))
      if round == order { continue }
      if first.contains(where: kept.contains) { continue }
      let isKept = Set(kept)
      nextRound = NextRound(seed: seed, count: order.count - kept.count)
      order = round.filter { !isKept.contains($0) } + kept
      return
    }
  }

  /// To be called when another track has become the current one. If it is one of the next round, which is not the first one
  /// where that is a bad file, the whole order of that round counts from then on, unless others were promised.
  /// - Parameters:
  ///   - tracks: ids in the order without shuffle.
  ///   - former: the place of the track that was heard before; nil: what follows it was chosen.
  ///   - promised: what follows the current track.
  mutating func beginRound(_ tracks: [TrackID], behind former: Place? = nil, promised: [TrackID] = []) {
    // Where all that it may begin with are bad files, it begins behind them.
    let hasWrapped = former.map { place.index < $0.index } ?? false
    guard let next = nextRound, hasWrapped || place.index < next.count else { return }
    nextRound = nil
    let round = Queue(tracks, repeats: repeats, shuffle: next.seed).order
    let begun = Array(order.prefix(place.index + 1))
    if gone.isEmpty, round.starts(with: begun + promised) { begin(tracks, seed: next.seed) }
  }
}

/// Steele, Lea and Flood's generator (OOPSLA 2014): the same seed gives the same order on every machine.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
