import AudioSession

/// What the counters say of the tracks that were heard most (J7).
public enum RankingReport: Hashable, Sendable {
  /// Names of tracks that are there, the one heard most first.
  case ranked([String])
  /// They cannot be read.
  case failed(reason: String)
}

/// Adds up how often tracks were started in the last 90 days.
///
/// Periods without a date count, unless something of an older date was counted after them: whoever reads the periods in
/// their order has to see to that.
public struct Ranking {
  /// How many days count, the current one among them.
  public static let days = 90
  /// Which places in it somebody may ask for.
  public static let places = 1...1_000

  /// nil: nothing has a date.
  public let range: ClosedRange<CalendarDay>?
  private var starts: [FileName: Int] = [:]

  /// - Parameter today: the current day, or the last that is known; nil: none is.
  public init(until today: CalendarDay?) {
    range = today.map { last in (1..<Self.days).reduce(last) { day, _ in day.previous }...last }
  }

  public mutating func add(_ number: Int, of name: String) {
    guard number > 0, name != CountedPeriod.others else { return }
    starts[FileName(name)] = (starts[FileName(name)] ?? 0).adding(number)
  }

  /// Adds a period, if it is one of those that count.
  public mutating func add(_ period: CountedPeriod) {
    switch period.span {
    case .powerOn: break
    case .day(let day): if range?.contains(day) != true { return }
    case .month, .earlier: return
    }
    for (name, counts) in period.tracks { add(counts.starts, of: name.text) }
  }

  /// The tracks that were started, the most often started first, and by name where the numbers are equal. Slow with
  /// many tracks: not for the control thread.
  public func names(among tracks: TrackList) -> [String] {
    var found: [FileName: Int] = [:]
    for index in tracks.indices {
      let name = FileName(tracks.name(at: index))
      if let number = starts[name] { found[name] = number }
    }
    let sorted = found.sorted { one, other in
      if one.value != other.value { return one.value > other.value }
      return one.key.text.utf8.lexicographicallyPrecedes(other.key.text.utf8)
    }
    return sorted.prefix(Self.places.upperBound).map(\.key.text)
  }
}

extension ListeningCounts {
  /// What is known without a storage: the current period, and those that were over last.
  public func ranking(among tracks: TrackList) -> RankingReport {
    var ranking = Ranking(until: (earlier + [current]).compactMap(\.day).max())
    for period in earlier + [current] { ranking.add(period) }
    return .ranked(ranking.names(among: tracks))
  }
}

extension CountedPeriod {
  /// nil: it is not a single day.
  public var day: CalendarDay? { if case .day(let day) = span { day } else { nil } }
}
