import AudioSession

/// When something is counted.
public struct CountingMoment: Hashable, Sendable {
  public struct Local: Hashable, Sendable {
    public var day: CalendarDay
    /// The second of that day, 0...86,399.
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
/// writes `saved`, and before that adds what is `finished` to the history.
public struct ListeningCounts: Hashable, Sendable {
  /// What is saved of them beside the history.
  public struct Saved: Hashable, Sendable {
    public var current: CountedPeriod
    /// A board that is switched off just after midnight, or that boots twice in a minute, may not have reported the
    /// periods that were over to anybody yet.
    public var earlier: [CountedPeriod]

    public init(_ current: CountedPeriod, earlier: [CountedPeriod] = []) {
      self.current = current
      self.earlier = earlier
    }
  }

  /// The most finished periods that wait for a storage that fails; older ones are lost rather than memory be full.
  public static let mostFinished = 8
  /// The most periods that are kept to be reported.
  public static let mostEarlier = 3

  public private(set) var current: CountedPeriod
  /// Periods that are over and not in the history yet, the oldest first.
  public private(set) var finished: [CountedPeriod] = []
  /// The last finished periods, the oldest first, kept for the fleet, which gets each period once it is over.
  public private(set) var earlier: [CountedPeriod] = []
  /// When `current` began on this board's clock.
  private var began: Instant

  /// - Parameters:
  ///   - saved: what was counted last before power on, if anything.
  ///   - seed: makes the first period of a board different from all others.
  public init(after saved: Saved?, seed: UInt64, at moment: CountingMoment) {
    began = moment.instant
    let span = Self.span(of: moment)
    earlier = (saved?.earlier ?? []).suffix(Self.mostEarlier)
    // A board that is switched on several times a day has one period for it.
    if let saved, saved.current.span == span, span != .powerOn {
      current = saved.current
    } else {
      current = CountedPeriod(id: saved.map { Self.id(after: $0.current.id) } ?? Int(seed >> 2), span: span)
      if let last = saved?.current { end(last) }
    }
  }

  /// What a power cut must not take, beside the history.
  public var saved: Saved { Saved(current, earlier: earlier) }

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
    end(current)
    current = CountedPeriod(id: Self.id(after: current.id), span: span)
    began = moment.instant
  }

  private mutating func end(_ period: CountedPeriod) {
    guard !period.isEmpty else { return }
    finished = (finished + [period]).suffix(Self.mostFinished)
    earlier = (earlier + [period]).suffix(Self.mostEarlier)
  }
}
