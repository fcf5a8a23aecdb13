/// `[hours]` of the settings: when the kiosk is open, and what closing and opening do (H rows).
public struct HoursSettings: Hashable, Sendable {
  /// When what sounds at closing ends.
  public enum Closing: String, Hashable, Sendable, CaseIterable {
    /// At once, by a fade.
    case now
    /// With its track.
    case track
  }
  /// What becomes of the music at opening.
  public enum Opening: String, Hashable, Sendable, CaseIterable {
    case nothing
    /// It begins.
    case play
    /// What played at closing goes on there.
    case resume
  }

  public var calendar: WeekCalendar
  public var closing: Closing
  /// How long what sounds at closing fades.
  public var fade: Duration
  public var opening: Opening

  public init(
    _ calendar: WeekCalendar, closing: Closing = .now, fade: Duration = .seconds(3), opening: Opening = .nothing
  ) {
    (self.calendar, self.closing, self.fade, self.opening) = (calendar, closing, fade, opening)
  }
}

/// What the clock says of the opening hours, or of the quiet ones: an input of the brain, whenever it is another than
/// before.
public enum HoursReport: Hashable, Sendable {
  /// Nobody knows the time (N5).
  case unknown
  /// - Parameters:
  ///   - isWithin: whether it is open, or quiet: within the hours of the calendar.
  ///   - until: the next boundary; nil: it stays so forever.
  case known(isWithin: Bool, until: HoursBoundary?)

  /// nil: nobody knows.
  public var isWithin: Bool? { if case .known(let isWithin, _) = self { isWithin } else { nil } }

  public var until: HoursBoundary? { if case .known(_, let until) = self { until } else { nil } }
}

/// When a kiosk opens or closes, or quiet hours begin or end.
public struct HoursBoundary: Hashable, Sendable {
  /// Since 1970-01-01 00:00:00 UTC.
  public var second: Int
  /// As the local clock shows it.
  public var day: CalendarDay
  public var time: TimeOfDay

  public init(second: Int, day: CalendarDay, time: TimeOfDay) {
    (self.second, self.day, self.time) = (second, day, time)
  }

  /// `2026-11-27 18:00`.
  public var text: String { "\(day.text) \(time.text)" }
}

/// What staff says of the opening hours, until their next boundary.
public enum HoursOrder: String, Hashable, Sendable, CaseIterable {
  case open, closed
  /// As the settings say, after all.
  case auto
}

/// What of the opening hours survives a power cut.
public struct HoursMemory: Hashable, Sendable {
  /// The end of the stretch that the kiosk was in: what an opening does is done once for each.
  public var until: Int?
  /// What staff has said, until then; nil: nothing.
  public var order: HoursOrder?

  public init(until: Int? = nil, order: HoursOrder? = nil) { (self.until, self.order) = (until, order) }
}
