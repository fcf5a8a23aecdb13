/// A track as the brain knows it.
public struct Track: Hashable, Sendable {
  /// What to open.
  public var path: String
  /// What to call it in the log: the path below its music folder.
  public var name: String

  public init(path: String, name: String) {
    self.path = path
    self.name = name
  }
}

/// The order in which the library's tracks are played, and where we are in it.
struct Queue: Hashable, Sendable {
  /// Indices into the library.
  let order: [Int]
  let repeats: Settings.Repeat
  /// What follows a track that was chosen.
  let afterChosen: Settings.AfterTrack
  /// What `order` was made from; nil: it is the library's.
  let seed: UInt64?
  /// Place in `order` of the track that is heard, or would be.
  private(set) var place = 0
  /// Somebody has asked for the current track by itself. It stays so until the queue is elsewhere.
  private(set) var isChosen = false

  init(count: Int, repeats: Settings.Repeat, afterChosen: Settings.AfterTrack = .next, shuffle seed: UInt64?) {
    self.repeats = repeats
    self.afterChosen = afterChosen
    self.seed = seed
    var tracks = Array(0..<count)
    if let seed {
      var generator = SplitMix64(state: seed)
      tracks.shuffle(using: &generator)
    }
    order = tracks
  }

  mutating func go(to place: Int) {
    if place != self.place { isChosen = false }
    self.place = place
  }

  mutating func choose(_ place: Int) {
    self.place = place
    isChosen = true
  }

  /// The next visitor has chosen nothing.
  mutating func reset() {
    place = 0
    isChosen = false
  }

  var isEmpty: Bool { order.isEmpty }
  /// The library's number of the current track.
  var track: Int? { order.indices.contains(place) ? order[place] : nil }

  /// Whether the queue does not go on by itself behind its current track (T3).
  var staysAtChosen: Bool { isChosen && afterChosen != .next }

  /// Where playback goes by itself after `place`; nil: it ends there.
  func following(_ place: Int) -> Int? {
    if staysAtChosen && place == self.place { return afterChosen == .repeat ? place : nil }
    return switch repeats {
    case .off: place + 1 < order.count ? place + 1 : nil
    case .queue: order.isEmpty ? nil : (place + 1) % order.count
    case .track: place
    }
  }

  /// Where playback goes instead of a track that cannot be played; nil: it ends there.
  func replacement(of place: Int) -> Int? {
    // What is to be repeated would fail for ever (T8).
    if staysAtChosen && place == self.place { return nil }
    // A track that repeats alone gives way to the next one.
    return repeats == .track ? (place + 1) % max(order.count, 1) : following(place)
  }

  /// Where Next goes when the operator presses it: on to the next track even where one track repeats; nil past the end.
  func next() -> Int? {
    if place + 1 < order.count { return place + 1 }
    return repeats == .off || order.isEmpty ? nil : 0
  }

  func previous() -> Int { place > 0 ? place - 1 : repeats == .off ? 0 : max(order.count - 1, 0) }
}

/// Steele, Lea and Flood's generator (OOPSLA 2014): the same seed gives the same order on every machine.
package struct SplitMix64: RandomNumberGenerator {
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
