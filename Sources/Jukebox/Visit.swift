import AudioSession

/// Whether somebody is at the kiosk, and whether the last private port is out, so that the next one may come (V rows).
struct Visit: Hashable, Sendable {
  /// What has become of the private ports.
  enum Departure: Hashable, Sendable {
    /// One is in.
    case none
    /// The last one is out; a plug before this instant is the same visitor's.
    case waiting(until: Instant)
    /// That time has passed: the visit ends as soon as nothing keeps it.
    case over(since: Instant)
    /// Whoever is there goes on without one; a plug from this instant on is the next visitor's, unless music is wanted.
    case without(until: Instant)
  }

  private(set) var isUnderWay = false
  private(set) var departure = Departure.none
  /// Since the last private port went out, music was heard at another one: somebody goes on there.
  private(set) var goesOnAloud = false
  /// The music has ended by itself since the last private port went out; a plug from this instant on may be the next
  /// visitor's.
  private(set) var gapOfMusic: Instant?
  /// The music's category before a visitor has changed it.
  private(set) var formerCategory: SessionCategory?

  /// When the gap is over; nil: it does not run.
  var due: Instant? { if case .waiting(let until) = departure { until } else { nil } }

  mutating func begin() { isUnderWay = true }

  /// The last private port is out, or somebody has done something since.
  mutating func leave(until: Instant) { (departure, gapOfMusic) = (.waiting(until: until), nil) }

  mutating func gapIsOver() {
    if case .waiting(let until) = departure { departure = .over(since: until) }
  }

  /// A private port is in again.
  mutating func stay() {
    departure = .none
    (goesOnAloud, gapOfMusic) = (false, nil)
  }

  /// Whoever is there goes on without a private port.
  mutating func goOn(until instant: Instant) {
    departure = .without(until: instant)
    (goesOnAloud, gapOfMusic) = (false, nil)
  }

  /// The same when the gap has passed, or the one behind the music.
  mutating func goOnPastGap() {
    if case .over(let since) = departure { goOn(until: max(since, gapOfMusic ?? since)) }
  }

  /// The music has ended by itself.
  mutating func noteEnd(until instant: Instant) {
    switch departure {
    case .none: break
    case .waiting, .over: gapOfMusic = instant
    case .without: goOn(until: instant)
    }
  }

  mutating func goOnAloud() {
    switch departure {
    case .waiting, .over: goesOnAloud = true
    case .none, .without: break
    }
  }

  mutating func note(category: SessionCategory) { if isUnderWay { formerCategory = formerCategory ?? category } }

  /// What the operator has set applies.
  mutating func forgetCategory() { formerCategory = nil }
}

/// What a visitor does first.
enum VisitStart: String, Hashable, Sendable {
  /// A button, or a key of a headset.
  case press
  case plug
  case token
  case selector
  case knob
}
