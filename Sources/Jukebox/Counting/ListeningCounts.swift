import AudioSession

/// When something is counted.
public struct CountingMoment: Hashable, Sendable {
  public struct Local: Hashable, Sendable {
    public var day: CalendarDay
    /// Of that day, 0...86,399.
    public var second: Int

    public init(day: CalendarDay, second: Int) {
      self.day = day
      self.second = second
    }
  }

  public var instant: Instant
  /// nil: nobody knows what the time is.
  public var local: Local?

  public init(instant: Instant, local: Local?) {
    self.instant = instant
    self.local = local
  }
}

/// Adds up what the brain counts, by day where the clock is known and else by power on (N1). A value: whoever saves it
/// writes `current`, and before that adds what is `finished` to the history.
public struct ListeningCounts: Hashable, Sendable {
  /// What is saved of them beside the history.
  public struct Saved: Hashable, Sendable {
    public var current: CountedPeriod
    /// A board that is switched off just after midnight may not have told anybody yet of the day that was over.
    public var previous: CountedPeriod?

    public init(_ current: CountedPeriod, previous: CountedPeriod? = nil) {
      self.current = current
      self.previous = previous
    }
  }

  /// The most finished periods that wait for a storage that fails; older ones are lost rather than memory be full.
  public static let mostFinished = 8

  public private(set) var current: CountedPeriod
  /// Periods that are over and not in the history yet, the oldest first.
  public private(set) var finished: [CountedPeriod] = []
  /// The one that was over last, kept for those that are told of each period once it is over.
  public private(set) var previous: CountedPeriod?
  /// When `current` began on this board's clock.
  private var began: Instant

  /// - Parameters:
  ///   - saved: what was counted last before power on, if anything.
  ///   - seed: makes the first period of a board different from all others.
  public init(after saved: Saved?, seed: UInt64, at moment: CountingMoment) {
    began = moment.instant
    let span = Self.span(of: moment)
    previous = saved?.previous
    // A board that is switched on several times a day has one period for it.
    if let saved, saved.current.span == span, span != .powerOn {
      current = saved.current
    } else {
      current = CountedPeriod(id: saved.map { Self.id(after: $0.current.id) } ?? Int(seed >> 2), span: span)
      if let last = saved?.current, !last.isEmpty { (finished, previous) = ([last], last) }
    }
  }

  /// What a power cut must not take, beside the history.
  public var saved: Saved { Saved(current, previous: previous) }

  public mutating func count(_ counted: Counted, at moment: CountingMoment) {
    let span = Self.span(of: moment)
    if current.span != span { begin(span, at: moment) }
    current.count(counted, hour: moment.local.map { $0.second / 3_600 })
  }

  /// These periods are in the history now.
  public mutating func forget(_ ids: Set<Int>) { finished.removeAll { ids.contains($0.id) } }

  private static func span(of moment: CountingMoment) -> CountedPeriod.Span {
    moment.local.map { .day($0.day) } ?? .powerOn
  }

  private static func id(after id: Int) -> Int { id == .max ? 0 : id + 1 }

  private mutating func begin(_ span: CountedPeriod.Span, at moment: CountingMoment) {
    // The clock has become known on the very day on which this period began.
    let elapsed = moment.instant - began
    if current.span == .powerOn, let local = moment.local, elapsed <= .seconds(local.second) {
      current.span = span
      return
    }
    // While the clock is lost again, the day goes on.
    if span == .powerOn { return }
    if !current.isEmpty {
      finished.append(current)
      previous = current
    }
    finished.removeFirst(max(0, finished.count - Self.mostFinished))
    current = CountedPeriod(id: Self.id(after: current.id), span: span)
    began = moment.instant
  }
}
