import AudioSession

/// One thing that `[[timetable]]`, or the `at` of a cue, has done at times of the local clock (H3).
public struct TimetableEntry: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    /// A cue, by its name, is spoken.
    case cue(String)
    /// The playlist that is played, and that the next visitor finds.
    case playlist(String)
    /// The volume of all ports, and the one that the next visitor finds.
    case volume(Int)
    /// Whether requests take nothing.
    case freePlay(Bool)
    case start
    case stop

    /// Its words in the settings, in the log and for people.
    public var field: (key: String, value: String) {
      switch self {
      case .cue(let name): ("cue", name)
      case .playlist(let name): ("playlist", name)
      case .volume(let volume): ("volume", String(volume))
      case .freePlay(let isFree): ("free_play", isFree ? "true" : "false")
      case .start: ("start", "true")
      case .stop: ("stop", "true")
      }
    }

    /// Whether it applies until the next one of its kind; the others are over as soon as they are done.
    public var isState: Bool {
      switch self {
      case .playlist, .volume, .freePlay: true
      case .cue, .start, .stop: false
      }
    }
  }
  public enum Times: Hashable, Sendable {
    case at([TimeOfDay])
    /// Every this many minutes from the beginning of each range on; nil: of the opening hours.
    case every(minutes: Int, within: [WeekCalendar.Range]?)
  }

  public var action: Action
  public var times: Times
  public var days: Set<Weekday>
  /// The dates on which it is done at all; empty: on all.
  public var dates: [ClosedRange<CalendarDay>]

  public init(
    _ action: Action, _ times: Times, days: Set<Weekday> = Set(Weekday.allCases),
    dates: [ClosedRange<CalendarDay>] = []
  ) {
    (self.action, self.times, self.days, self.dates) = (action, times, days, dates)
  }

  public func isOn(_ day: CalendarDay) -> Bool {
    days.contains(day.weekday) && (dates.isEmpty || dates.contains { $0.contains(day) })
  }

  /// The times that belong to a day, in their order; those after midnight are of the next one by the clock.
  /// - Parameter hours: nil: always open.
  public func times(of day: CalendarDay, hours: WeekCalendar?) -> [(day: CalendarDay, time: TimeOfDay)] {
    guard isOn(day) else { return [] }
    switch times {
    case .at(let times): return times.map { (day, $0) }
    case .every(let minutes, let within):
      let ranges = within ?? hours?.ranges(on: day) ?? [WeekCalendar.Range(from: .midnight, to: .midnight)]
      return ranges.flatMap { range in
        let start = range.start.minutes
        let end = range.end.minutes + (range.endsNextDay ? TimeOfDay.minutesOfDay : 0)
        return stride(from: start, to: end, by: max(1, minutes)).map { minute in
          let isNext = minute >= TimeOfDay.minutesOfDay
          return (isNext ? CalendarDay(number: day.number + 1) : day, TimeOfDay(minutes: minute))
        }
      }
    }
  }
}

extension TimeOfDay {
  fileprivate static let minutesOfDay = 1_440

  fileprivate var minutes: Int { hour * 60 + minute }

  fileprivate init(minutes: Int) {
    self.init(hour: minutes % Self.minutesOfDay / 60, minute: minutes % 60)
  }
}

/// A time of an entry of the timetable.
public struct TimetableMoment: Hashable, Sendable {
  /// Index in `Settings.timetable`.
  public var entry: Int
  /// As the local clock shows it, or would if it did not skip it.
  public var day: CalendarDay
  public var time: TimeOfDay
  /// Since 1970-01-01 00:00:00 UTC.
  public var second: Int

  public init(entry: Int, day: CalendarDay, time: TimeOfDay, second: Int) {
    (self.entry, self.day, self.time, self.second) = (entry, day, time, second)
  }

  /// `2026-11-27 18:00`.
  public var text: String { "\(day.text) \(time.text)" }
}

/// What the timetable wants now by the clock: the last moment of each kind that is not to come yet; nil: there is none.
public struct TimetableState: Hashable, Sendable {
  public var playlist: TimetableMoment?
  public var volume: TimetableMoment?
  public var freePlay: TimetableMoment?

  public init(playlist: TimetableMoment? = nil, volume: TimetableMoment? = nil, freePlay: TimetableMoment? = nil) {
    (self.playlist, self.volume, self.freePlay) = (playlist, volume, freePlay)
  }
}

/// What of the timetable survives a power cut: what was done last of each kind, and when it was to be, in seconds since
/// 1970.
public struct TimetableMemory: Hashable, Sendable {
  @NameOfFile public var playlist: String?
  public var playlistSince: Int?
  public var volume: Int?
  public var volumeSince: Int?
  public var isFree: Bool?
  public var freeSince: Int?
  public var started: Int?
  public var stopped: Int?

  public init(
    playlist: String? = nil, playlistSince: Int? = nil, volume: Int? = nil, volumeSince: Int? = nil,
    isFree: Bool? = nil, freeSince: Int? = nil, started: Int? = nil, stopped: Int? = nil
  ) {
    (self.playlist, self.playlistSince) = (playlist, playlistSince)
    (self.volume, self.volumeSince) = (volume, volumeSince)
    (self.isFree, self.freeSince) = (isFree, freeSince)
    (self.started, self.stopped) = (started, stopped)
  }

  public var isEmpty: Bool { self == TimetableMemory() }
}
