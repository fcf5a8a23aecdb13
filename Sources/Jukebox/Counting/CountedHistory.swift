import AudioSession

/// What was counted in all periods that are over, within bounds: days that are long past are counted together.
public struct CountedHistory: Hashable, Sendable {
  /// The most days, and beside them the most periods of power on.
  public static let mostDays = 400
  public static let mostMonths = 120
  public static let mostPowerOns = 100
  /// The most names of all periods together, and the most lines of one track in one period.
  public static let mostNames = CountedPeriod.mostNames
  public static let mostLines = 20_000

  /// Days and months in their order, then what has no date in the order in which it came.
  public private(set) var periods: [CountedPeriod] = []

  public init(_ periods: [CountedPeriod]) {
    for period in periods { put(period) }
  }

  /// Counts together what is beyond the bounds.
  public mutating func fold() {
    foldDates()
    foldNames()
    foldLines()
  }

  private mutating func put(_ period: CountedPeriod) {
    if period.span != .powerOn, let place = periods.firstIndex(where: { $0.span == period.span }) {
      periods[place].add(period)
    } else if let key = Self.order(period.span) {
      let place = periods.firstIndex { Self.order($0.span).map { key < $0 } ?? true } ?? periods.endIndex
      periods.insert(period, at: place)
    } else {
      periods.append(period)
    }
  }

  /// The place of a period in the order; nil: after all that have a date.
  private static func order(_ span: CountedPeriod.Span) -> CalendarDay? {
    switch span {
    case .earlier: CalendarDay(year: .min, month: 1, day: 1)
    // Before its own first day.
    case .month(let day): CalendarDay(year: day.year, month: day.month, day: 0)
    case .day(let day): day
    case .powerOn: nil
    }
  }

  // MARK: - Bounds

  private enum Kind { case powerOn, day, month, earlier }

  private static func kind(_ period: CountedPeriod) -> Kind {
    switch period.span {
    case .powerOn: .powerOn
    case .day: .day
    case .month: .month
    case .earlier: .earlier
    }
  }

  private func count(_ kind: Kind) -> Int { periods.count { Self.kind($0) == kind } }

  /// Counts the oldest period of a kind together with others. Returns false where there is none.
  private mutating func foldOldest(_ kind: Kind) -> Bool {
    guard let place = periods.firstIndex(where: { Self.kind($0) == kind }) else { return false }
    var period = periods.remove(at: place)
    switch period.span {
    case .day(let day): period.span = .month(day.monthStart)
    case .month, .powerOn: period.span = .earlier
    case .earlier: break
    }
    put(period)
    return kind != .earlier
  }

  private mutating func foldDates() {
    while count(.day) > Self.mostDays, foldOldest(.day) {}
    while count(.month) > Self.mostMonths, foldOldest(.month) {}
    while count(.powerOn) > Self.mostPowerOns, foldOldest(.powerOn) {}
  }

  /// The names that were heard longest ago are counted together.
  private mutating func foldNames() {
    var known: Set<FileName> = []
    var youngest: [String] = []
    // Periods without a date come last, and count as young.
    for period in periods.reversed() {
      for name in period.names.reversed() where name != CountedPeriod.others && known.insert(FileName(name)).inserted {
        youngest.append(name)
      }
    }
    for name in youngest.dropFirst(Self.mostNames - 1) {
      for place in periods.indices { periods[place].fold(name) }
    }
  }

  private mutating func foldLines() {
    func lines() -> Int { periods.reduce(0) { $0 + $1.names.count } }
    while lines() > Self.mostLines {
      if !foldOldest(.day), !foldOldest(.month), !foldOldest(.powerOn) { return }
    }
  }
}
