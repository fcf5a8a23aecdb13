import Jukebox

/// What the timetable of a kiosk of `HoursWorkload` brings, by counting minutes: nothing of it comes from the product.
struct TimetableModel {
  /// In the settings' words. Boundaries of the opening hours are among its times.
  static let settings = """
    [[timetable]]
    at = "00:00"
    days = "mon-fri"
    playlist = "Deutsch"
    [[timetable]]
    at = ["00:00", "14:00"]
    days = "sat, sun"
    playlist = "English"
    [[timetable]]
    every = "3h"
    within = "09:00-18:01"
    days = "tue"
    playlist = "English"
    [[timetable]]
    at = ["09:00", "20:00"]
    volume = 30
    [[timetable]]
    at = "18:00"
    dates = "2026-01-02..2026-01-08"
    volume = 55
    [[timetable]]
    at = ["09:00", "12:30", "14:00", "03:00"]
    start = true
    [[timetable]]
    at = ["15:00", "02:00", "23:59", "00:00"]
    stop = true
    """

  /// What is due in a minute since 1970, of one kind; of several the later one of the settings.
  static func due(_ kind: String, at minute: Int) -> String? {
    let (date, time) = (minute / 1_440, minute % 1_440)
    // 1970-01-01 was a Thursday; 0 is a Monday.
    let weekday = (date + 3) % 7
    switch kind {
    case "playlist":
      if weekday == 1 && [540, 720, 900, 1_080].contains(time) { return "English" }
      if weekday >= 5 { return [0, 840].contains(time) ? "English" : nil }
      return time == 0 ? "Deutsch" : nil
    case "volume":
      // Day 20,455 is 2026-01-02.
      if (20_455...20_461).contains(date) && time == 1_080 { return "55" }
      return [540, 1_200].contains(time) ? "30" : nil
    case "start": return [540, 750, 840, 180].contains(time) ? "true" : nil
    case "stop": return [900, 120, 1_439, 0].contains(time) ? "true" : nil
    default: return nil
    }
  }

  /// The last minute that is due of a kind.
  static func last(_ kind: String, until minute: Int) -> Int {
    stride(from: minute, to: minute - 14_400, by: -1).first { due(kind, at: $0) != nil } ?? minute
  }

  /// As the log has it.
  static func text(_ minute: Int) -> String {
    let time = TimeOfDay(hour: minute % 1_440 / 60, minute: minute % 60)
    return "\(CalendarDay(number: minute / 1_440).text) \(time.text)"
  }

  private static let states = ["playlist", "volume"]
  private static let kinds = states + ["start", "stop"]

  /// What was logged last of a state: the minute.
  private var logged: [String: Int] = [:]
  /// The playlist that was logged last was to wait.
  private var isWaiting = false
  /// Every start and stop that was logged, and those since somebody has set the clock.
  private var done: Set<String> = []
  private var doneSince: Set<String> = []
  /// The second up to which all was checked; nil: the clock has jumped, or the board was off or asleep.
  private var checked: Int?
  private var latest: [String: (minute: Int, found: Int)] = [:]
  /// What the kiosk is to show at the next moment.
  private var playlist: String?
  private var hasVisitEnded = false
  /// While it was coming to its end somebody may have turned the volume, who is nobody's visitor, and it has opened again.
  private var mayBeTurned = false
  private(set) var count = 0
  /// Whether visits are told apart; else what somebody sets stays until the next entry.
  private let tellsVisits: Bool

  init(tellsVisits: Bool) { self.tellsVisits = tellsVisits }

  /// The clock was set, or the board was off or asleep.
  mutating func jump(isSet: Bool) {
    checked = nil
    playlist = nil
    if isSet { doneSince = [] }
  }

  /// - Parameters:
  ///   - second: since 1970.
  ///   - isOpen: by the hours.
  mutating func check(_ event: Event, at second: Int, isOpen: Bool) -> Mismatch? {
    if event.name == .visitEnded { hasVisitEnded = true }
    guard event.name == .timetableDue, let kind = Self.kinds.first(where: { event[$0] != nil }) else { return nil }
    count += 1
    let minute = last(kind, until: second / 60)
    let key = "\(kind) \(event["at"] ?? "")"
    guard event["at"] == Self.text(minute), event[kind] == Self.due(kind, at: minute) else {
      return Mismatch("H3", "\(key) is logged, expected \(Self.text(minute))")
    }
    if Self.states.contains(kind) {
      // What waited when the power was cut was not done.
      if logged[kind] == minute, kind != "playlist" || !isWaiting { return Mismatch("H3.7", "\(key) is done twice") }
      logged[kind] = minute
      if kind == "playlist" { isWaiting = event["waits"] != nil }
      if kind == "playlist", event["waits"] == nil { playlist = event[kind] }
      return nil
    }
    if second > minute * 60 + 60 { return Mismatch("H3.8", "\(key) is too late") }
    if !doneSince.insert(key).inserted { return Mismatch("H3.8", "\(key) is done twice") }
    done.insert(key)
    if kind == "start", (event["ignored"] == "closed") == isOpen {
      return Mismatch("H3.5", "a start, and open: \(isOpen)")
    }
    return nil
  }

  private mutating func last(_ kind: String, until minute: Int) -> Int {
    if let known = latest[kind], known.minute == minute { return known.found }
    let found = Self.last(kind, until: minute)
    latest[kind] = (minute, found)
    return found
  }

  /// After every input, while it runs and somebody knows the time.
  /// - Parameter ceiling: of the quiet hours; nil: it is not quiet.
  mutating func check(_ status: Status, at second: Int, ceiling: Int?) -> Mismatch? {
    for kind in Self.states {
      let minute = last(kind, until: second / 60)
      if logged[kind] != minute { return Mismatch("H3.7", "\(kind) of \(Self.text(minute)) is not done") }
    }
    if let checked, checked < second {
      for minute in checked / 60 + 1..<max(second / 60, checked / 60) + 1 {
        for kind in ["start", "stop"] where Self.due(kind, at: minute) != nil {
          let key = "\(kind) \(Self.text(minute))"
          if !done.contains(key) { return Mismatch("H3", "\(key) is not done") }
        }
      }
    }
    checked = second
    if status.hours?.state == .closing {
      mayBeTurned = true
    } else if status.hours?.state == .closed || status.isVisited || hasVisitEnded {
      mayBeTurned = false
    }
    defer { (playlist, hasVisitEnded) = (nil, false) }
    if hasVisitEnded && status.state == .stopped {
      playlist = Self.due("playlist", at: last("playlist", until: second / 60))
    }
    if let playlist, status.playlist != playlist {
      return Mismatch("H3.2", "the playlist is \(status.playlist ?? "none"), expected \(playlist)")
    }
    let due = Self.due("volume", at: last("volume", until: second / 60)).flatMap { Int($0) } ?? 0
    let volume = min(due, ceiling ?? due)
    if tellsVisits, !status.isVisited, !mayBeTurned, let found = status.volume, found != volume {
      return Mismatch("H3.3", "the volume is \(found), expected \(volume)")
    }
    return nil
  }
}
